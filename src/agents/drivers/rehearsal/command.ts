import { parseSessionId } from "../../../core/loop/id.ts";
import type { Launch, Turn } from "../driver.ts";

export interface RehearsalOptions {
  /** Path of the script. */
  readonly script: string;
  /** The command that starts the player. */
  readonly player: readonly [string, ...string[]];
}

/** Ignores model, permissions, budget and extra arguments; the script stands in for a real agent. */
export function launchOf({ script, player }: RehearsalOptions, turn: Turn): Launch {
  // Each question has a script of its own, and begins at its beginning.
  const of = turn.question === undefined ? "" : `-${turn.question.id}`;
  const position = `${turn.folder}/rehearsal${of}.json`;
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        ...player,
        "--script",
        script,
        "--position",
        position,
        ...(conversation === null ? [] : ["--conversation", conversation]),
      ],
    },
    stdin: turn.prompt,
    env: {},
  };
}
