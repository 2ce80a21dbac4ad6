import { parseSessionId } from "../../core/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionsOf } from "./permissions.ts";

/**
 * Without words among its arguments, opencode takes the prompt from standard input, as it is. Rules that it does not
 * understand it would skip, and so allow more than was asked for: a mode that it does not have is passed on as an
 * option, which it refuses.
 */
export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  const { auto, rules } = permissionsOf(turn);
  const isAsked = turn.permissionMode !== null || turn.allow.length > 0;
  const asked = rules === null ? {} : { OPENCODE_PERMISSION: JSON.stringify(rules) };
  return {
    command: {
      kind: "argv",
      argv: [
        "opencode",
        "run",
        "--format=json",
        ...(conversation === null ? titled(turn.args) : [`--session=${conversation}`]),
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(auto ? ["--auto"] : []),
        ...(rules === null ? [`--permission-mode=${turn.permissionMode}`] : []),
        ...turn.args,
      ],
    },
    stdin: turn.prompt,
    // Rules that the user has exported are their own preset; what was asked for here is the last word.
    ...(isAsked ? {} : { envDefaults: asked }),
    env: {
      ...(isAsked ? asked : {}),
      // Some of its errors are told nowhere else.
      OPENCODE_PRINT_LOGS: "1",
      OPENCODE_LOG_LEVEL: "ERROR",
    },
  };
}

/** An empty title is the beginning of the prompt. Without one a model is asked, at a cost that is not told. */
function titled(args: readonly string[]): readonly string[] {
  return args.some((arg) => /^--title(?:=|$)/.test(arg)) ? [] : ["--title="];
}
