import { detailOf } from "../bounded-text.ts";
import { startDenials } from "../denial-list.ts";
import type { Denial } from "../driver.ts";
import { parseJsonLine } from "../json-line.ts";

/** What a permission mode of `loop run` is for opencode: what it is asked is answered yes, or its own rules are changed. */
export interface Permissions {
  /** Everything is allowed that no rule denies; else what would be asked is refused. */
  readonly auto: boolean;
  /** On top of the rules in the user's configuration; null: this is no mode of opencode's. */
  readonly rules: object | null;
}

/** What subagents spend is in none of the figures that opencode prints, so a budget would not see it: there are none. */
const NO_SUBAGENTS = { task: "deny" };
const ACTIONS = new Set(["allow", "ask", "deny"]);

/**
 * Without a mode the user's own rules hold, as they do in opencode itself: by default it edits and runs commands in the
 * project, and asks before it leaves it. `auto`, one action for everything, or rules in opencode's own terms, which are
 * the last word and may bring subagents back.
 */
export function permissionsOf(mode: string | null): Permissions {
  if (mode === null || mode === "auto") return { auto: mode !== null, rules: NO_SUBAGENTS };
  if (ACTIONS.has(mode)) return { auto: false, rules: { "*": mode, ...NO_SUBAGENTS } };
  const rules = parseJsonLine(mode);
  return { auto: false, rules: rules === null ? null : { ...NO_SUBAGENTS, ...rules } };
}

const WRITING_TOOLS = new Set(["write", "edit", "apply_patch"]);

/** Tools that were refused, and the permissions that opencode asked for, both in the order in which they were told. */
export function denialsOf(tools: readonly string[], asked: readonly string[]): readonly Denial[] {
  const denied = startDenials();
  for (const [index, tool] of tools.entries()) {
    const permission = tools.length === asked.length ? asked[index] : undefined;
    const rule = ruleFor(permission ?? (WRITING_TOOLS.has(tool) ? "edit" : tool));
    denied.add({ tool: detailOf(tool), rule });
  }
  return denied.denials;
}

/** What `loop run` has to be given so that it is allowed. What the model wanted to do with it never stands in there. */
function ruleFor(permission: string): string {
  const isPlain = /^[\w-]{1,64}$/.test(permission);
  return isPlain ? `--permission-mode '{"${permission}":"allow"}'` : "--permission-mode auto";
}
