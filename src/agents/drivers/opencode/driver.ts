import type { Driver, Launch, Turn, AskedPermissions } from "../driver.ts";
import { readEvents } from "./stream.ts";
import { parseSessionId } from "../../../core/loop/id.ts";
import { parseJsonLine } from "../json-line.ts";
import { LOOP_WORDS, withoutOptions } from "../permissions.ts";

/** opencode: `opencode run --format=json`. */
export const opencode: Driver = {
  id: "opencode",
  title: "opencode",
  program: "opencode",
  keepsConversations: true,
  capsItself: false,
  canBeAsked: true,
  command: launchOf,
  permits,
  exampleRule: "bash(npm test)",
  readStream: readEvents,
};

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

/** How `loop run` grants permissions in opencode: by answering its questions with yes, or by changing its rules. */
interface Permissions {
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
function permissionsOf({ permissionMode, allow }: AskedPermissions): Permissions {
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
const READING: Permissions = {
  auto: false,
  rules: { "*": DENY, read: ALLOW, list: ALLOW, glob: ALLOW, grep: ALLOW },
};

function withoutPermissions(args: readonly string[]): readonly string[] {
  return withoutOptions(args, { flags: ["--auto"], valued: ["--agent"] });
}

const IN_WORDS: { readonly [mode: string]: string } = {
  default: "do what its own settings allow",
  auto: "do everything its own settings do not deny",
};

function permits({ permissionMode }: AskedPermissions): string {
  if (permissionMode === null) return "edit files here and run loop commands";
  return IN_WORDS[permissionMode] ?? `do what permission mode ${permissionMode} allows`;
}
