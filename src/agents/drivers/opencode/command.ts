import { parseSessionId } from "../../../core/loop/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { permissionsOf, READING, withoutPermissions } from "./permissions.ts";

/**
 * Without words among its arguments, opencode reads the prompt unchanged from standard input. It skips rules it doesn't
 * understand, and would then allow more than asked for. So an unknown mode is passed as an option, which opencode refuses.
 */
export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  const isQuestion = turn.question !== undefined;
  const { auto, rules } = isQuestion ? READING : permissionsOf(turn);
  const args = isQuestion ? withoutPermissions(turn.args) : turn.args;
  const isAsked = isQuestion || turn.permissionMode !== null || turn.allow.length > 0;
  const asked = rules === null ? {} : { OPENCODE_PERMISSION: JSON.stringify(rules) };
  return {
    command: {
      kind: "argv",
      argv: [
        "opencode",
        "run",
        "--format=json",
        ...(conversation === null ? titled(args) : [`--session=${conversation}`]),
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(auto ? ["--auto"] : []),
        ...(rules === null ? [`--permission-mode=${turn.permissionMode}`] : []),
        ...args,
      ],
    },
    stdin: turn.prompt,
    // Rules the user exported are their own preset; what was asked for here overrides them.
    ...(isAsked ? {} : { envDefaults: asked }),
    env: {
      ...(isAsked ? asked : {}),
      // Some of its errors are reported nowhere else.
      OPENCODE_PRINT_LOGS: "1",
      OPENCODE_LOG_LEVEL: "ERROR",
    },
  };
}

/** With an empty title, opencode uses the beginning of the prompt. Without one it asks a model, at an unreported cost. */
function titled(args: readonly string[]): readonly string[] {
  return args.some((arg) => /^--title(?:=|$)/.test(arg)) ? [] : ["--title="];
}
