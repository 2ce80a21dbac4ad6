import type { AskedPermissions } from "../driver.ts";
import { parseJsonLine } from "../json-line.ts";
import { LOOP_WORDS } from "../loop-words.ts";
import { withoutOptions } from "../user-arguments.ts";

/** How `loop run` grants permissions in opencode: by answering its questions with yes, or by changing its rules. */
export interface Permissions {
  /** Allows everything that no rule denies; otherwise whatever would be asked is refused. */
  readonly auto: boolean;
  /** On top of the rules in the user's configuration; null: not a mode of opencode. */
  readonly rules: Rules | null;
}

type Action = "allow" | "ask" | "deny";
interface Rules {
  readonly [permission: string]: unknown;
}

const ACTIONS = new Set(["allow", "ask", "deny"]);
const ALLOW: Action = "allow";
const DENY: Action = "deny";

/** opencode doesn't report what subagents spend, so a budget wouldn't see it: they are switched off. */
const NO_SUBAGENTS: Rules = { task: DENY };

/** `rm` and the like apply only to files here: opencode asks before it leaves the project. */
const COMMANDS = [...LOOP_WORDS.map((word) => `loop ${word}`), "rm", "mkdir", "mv"];

/** Edits and our own commands. Denying instead of asking lets the turn continue. */
const PRESET: Rules = {
  ...NO_SUBAGENTS,
  edit: ALLOW,
  bash: {
    "*": DENY,
    ...Object.fromEntries(COMMANDS.flatMap((line) => [line, `${line} *`]).map((line) => [line, ALLOW])),
  },
  webfetch: DENY,
  websearch: DENY,
};

/**
 * Without a mode: the preset. `default`: the user's own rules. `auto`: everything those don't deny. Otherwise one action for
 * everything, or rules in opencode's own syntax, which override the rest and may bring subagents back.
 */
export function permissionsOf({ permissionMode, allow }: AskedPermissions): Permissions {
  const rules = rulesOf(permissionMode);
  return { auto: permissionMode === "auto", rules: rules === null ? null : allow.reduce(withRule, rules) };
}

function rulesOf(mode: string | null): Rules | null {
  if (mode === null) return PRESET;
  if (mode === "auto" || mode === "default") return NO_SUBAGENTS;
  if (ACTIONS.has(mode)) return { "*": mode, ...NO_SUBAGENTS };
  const rules = parseJsonLine(mode);
  return rules === null ? null : { ...NO_SUBAGENTS, ...rules };
}

const RULE = /^([\w-]+)\((.*)\)$/s;

/** `webfetch`, or `bash(npm test *)` for one pattern of it. */
function withRule(rules: Rules, rule: string): Rules {
  const [, permission = rule, pattern] = RULE.exec(rule) ?? [];
  if (pattern === undefined) return { ...rules, [permission]: ALLOW };
  const before = rules[permission];
  const patterns = typeof before === "string" ? { "*": before } : { ...(before as object | undefined) };
  return { ...rules, [permission]: { ...patterns, [pattern]: ALLOW } };
}

/** For a question. */
export const READING: Permissions = {
  auto: false,
  rules: { "*": DENY, read: ALLOW, list: ALLOW, glob: ALLOW, grep: ALLOW },
};

export function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, { flags: ["--auto"], valued: ["--agent"] });
}

const IN_WORDS: { readonly [mode: string]: string } = {
  default: "do what its own settings allow",
  auto: "do everything its own settings do not deny",
};

export function permits({ permissionMode }: AskedPermissions): string {
  if (permissionMode === null) return "edit files here and run loop commands";
  return IN_WORDS[permissionMode] ?? `do what permission mode ${permissionMode} allows`;
}
