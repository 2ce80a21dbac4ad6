import { detailOf } from "../bounded-text.ts";
import { startDenials } from "../denial-list.ts";
import type { Denial } from "../driver.ts";

/** A refused tool, with the command it should have run. */
export interface RefusedTool {
  readonly tool: string;
  readonly command: string | null;
  /** Whether it was refused because nobody was there to ask; otherwise a rule denied it. */
  readonly asked: boolean;
}

const WRITING_TOOLS = new Set(["write", "edit", "apply_patch"]);

/** Refused tools and the permissions that opencode asked for, both in the order reported. */
export function denialsOf(tools: readonly RefusedTool[], asked: readonly string[]): readonly Denial[] {
  const denied = startDenials();
  const askers = tools.filter((each) => each.asked);
  for (const each of tools) {
    const permission = askers.length === asked.length ? asked[askers.indexOf(each)] : undefined;
    denied.add({ tool: detailOf(each.tool), rule: ruleFor(each, permission) });
  }
  return denied.denials;
}

/** A command that cannot start a second one. */
const PLAIN_COMMAND = /^([\w.+-]+)(?: [\w@%+=:,./ -]*)?$/;

/** What would allow it. It contains no more of the model's command than the program's name. */
function ruleFor({ tool, command }: RefusedTool, permission: string | undefined): string {
  const needed = permission ?? (WRITING_TOOLS.has(tool) ? "edit" : tool);
  const program = needed === "bash" ? PLAIN_COMMAND.exec(command ?? "")?.[1] : undefined;
  if (program !== undefined) return `bash(${detailOf(program)} *)`;
  return /^[\w-]{1,64}$/.test(needed) ? needed : "--permission-mode auto";
}
