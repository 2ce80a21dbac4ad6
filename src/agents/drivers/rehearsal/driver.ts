import type { Driver, Launch, Turn } from "../driver.ts";
import { readPlay } from "./stream.ts";
import { parseSessionId } from "../../../core/loop/id.ts";

/** Plays a script with real edits and real commands: for demos, tests, and trying a policy without paying. */
export function rehearsalDriver(options: RehearsalOptions): Driver {
  return {
    id: "rehearsal",
    title: "a rehearsal",
    program: null,
    keepsConversations: true,
    capsItself: false,
    canBeAsked: true,
    command: (turn) => launchOf(options, turn),
    permits: () => null,
    exampleRule: null,
    readStream: readPlay,
  };
}

interface RehearsalOptions {
  /** Path of the script. */
  readonly script: string;
  /** The command that starts the player. */
  readonly player: readonly [string, ...string[]];
}

/** Ignores model, permissions, budget and extra arguments; the script stands in for a real agent. */
function launchOf({ script, player }: RehearsalOptions, turn: Turn): Launch {
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
