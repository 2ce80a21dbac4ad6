import { parseSessionId } from "../../core/id.ts";
import type { Launch, Turn } from "../driver.ts";
import { PERMISSION_SETTINGS } from "./permissions.ts";

/**
 * Settings that the user's own arguments, behind them, override. What subagents use is in none of the figures that Codex
 * prints, so a budget would not see it: there are none.
 */
const SETTINGS = [...PERMISSION_SETTINGS, "-c", "agents.enabled=false"];

/**
 * All options stand before `resume`, which takes fewer of them. The user's own are followed by one of ours, so that
 * an option of theirs with any number of values does not take the prompt for one.
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
        ...(turn.permissionMode === null ? [] : [`--sandbox=${turn.permissionMode}`]),
        ...turn.args,
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
