import { parseSessionId } from "../../../core/loop/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { PERMISSION_SETTINGS, READING, withoutPermissions } from "./permissions.ts";

/**
 * Settings that the user's own arguments, which follow, override. Codex doesn't report what subagents use, so a budget
 * wouldn't see it: they are switched off.
 */
const SETTINGS = [...PERMISSION_SETTINGS, "-c", "agents.enabled=false"];

/**
 * All options come before `resume`, which accepts fewer of them. One of ours follows the user's own, so that a user's option
 * with any number of values doesn't swallow the prompt.
 */
export function launchOf(turn: Turn): Launch {
  const conversation = parseSessionId(turn.conversation);
  return {
    command: {
      kind: "argv",
      argv: [
        "codex",
        "exec",
        ...SETTINGS,
        ...(turn.model === null ? [] : [`--model=${turn.model}`]),
        ...(turn.question === undefined
          ? [...(turn.permissionMode === null ? [] : [`--sandbox=${turn.permissionMode}`]), ...turn.args]
          : [...withoutPermissions(turn.args), ...READING, `--output-schema=${turn.question.schemaFile}`]),
        "--skip-git-repo-check",
        "--json",
        ...(conversation === null ? [] : ["resume", conversation]),
        "-",
      ],
    },
    stdin: turn.prompt,
    env: {},
  };
}
