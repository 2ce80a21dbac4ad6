import { detailOf } from "../bounded-text.ts";
import { startDenials } from "../denial-list.ts";
import type { Denial } from "../driver.ts";

/** A tool that was refused, with the command that it was to run. */
export interface RefusedTool {
  readonly tool: string;
  readonly command: string | null;
  /** Nobody was there to be asked; else a rule denied it. */
  readonly asked: boolean;
}

const WRITING_TOOLS = new Set(["write", "edit", "apply_patch"]);

/** Tools that were refused, and the permissions that opencode asked for, both in the order in which they were told. */
export function denialsOf(tools: readonly RefusedTool[], asked: readonly string[]): readonly Denial[] {
  const denied = startDenials();
  const askers = tools.filter((each) => each.asked);
  for (const each of tools) {
    const permission = askers.length === asked.length ? asked[askers.indexOf(each)] : undefined;
    denied.add({ tool: detailOf(each.tool), rule: ruleFor(each, permission) });
  }
  return denied.denials;
}

/** A command without anything in it that would start a second one. */
const PLAIN_COMMAND = /^([\w.+-]+)(?: [\w@%+=:,./ -]*)?$/;

/** What would allow it. Of what the model wanted to run, no more than the program's name stands in there. */
function ruleFor({ tool, command }: RefusedTool, permission: string | undefined): string {
  const needed = permission ?? (WRITING_TOOLS.has(tool) ? "edit" : tool);
  const program = needed === "bash" ? PLAIN_COMMAND.exec(command ?? "")?.[1] : undefined;
  if (program !== undefined) return `bash(${detailOf(program)} *)`;
  return /^[\w-]{1,64}$/.test(needed) ? needed : "--permission-mode auto";
}
