import { detailOf } from "../bounded-text.ts";
import type { Denial } from "../driver.ts";
import { textAt, type JsonObject } from "../json-line.ts";

/** A model's call of one of the client's tools. */
export interface ToolCall {
  readonly tool: string;
  readonly parameters: JsonObject | null;
}

/** Tools that the client doesn't offer if nobody can be asked and the mode doesn't allow them. */
const WITHHELD = new Set(["write_file", "replace", "web_fetch", "run_shell_command", "activate_skill"]);
const ALLOWED_BY_AUTO_EDIT = new Set(["write_file", "replace", "web_fetch"]);
/** A command that cannot start a second one. */
const PLAIN_COMMAND = /^([\w.+-]+)(?: [\w@%+=:,./ -]*)?$/;

/** null if the call failed for a reason other than missing permission. */
export function denialOf(call: ToolCall, error: JsonObject | null): Denial | null {
  const type = textAt(error, "type");
  const message = textAt(error, "message") ?? "";
  const denied =
    type === "policy_violation" ||
    (type === "tool_not_registered" && WITHHELD.has(call.tool)) ||
    message.includes("requires user confirmation, which is not supported in non-interactive mode");
  return denied ? { tool: detailOf(call.tool), rule: ruleFor(call) } : null;
}

/** What would allow the call. */
function ruleFor({ tool, parameters }: ToolCall): string {
  if (ALLOWED_BY_AUTO_EDIT.has(tool)) return "--permission-mode auto_edit";
  const program = PLAIN_COMMAND.exec(textAt(parameters, "command") ?? "")?.[1];
  if (tool !== "run_shell_command" || program === undefined) return "--permission-mode yolo";
  return `run_shell_command(${detailOf(program)})`;
}
