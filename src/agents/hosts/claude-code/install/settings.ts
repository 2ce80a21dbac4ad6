import {
  entriesIn,
  parseJson,
  readHookSettings,
  withEntries,
  withoutEntries,
} from "../../install/hook-groups.ts";
import type { Program, Started } from "../../install/installer.ts";

/** The settings with our hooks, as text; unchanged when the hooks are already there. null: there is no file. */
export function withHooks(text: string | null, program: Program): string {
  return withEntries(text, hookEntries(program), isOurs);
}

/** The settings without our hooks, and without what was made for them; null: no file. */
export function withoutHooks(text: string): string | null {
  return withoutEntries(text, isOurs);
}

export function hasOurHooks(text: string): boolean {
  return entriesIn(text).some(isOurs);
}

export function hasHooksByHand(text: string): boolean {
  return entriesIn(text).some(isOursByHand);
}

/** The name of our plugin if it is enabled, such as `loop@loopwright`. */
export function enabledPlugin(text: string): string | null {
  const { enabledPlugins } = readHookSettings(text);
  if (typeof enabledPlugins !== "object" || enabledPlugins === null) return null;
  const found = Object.entries(enabledPlugins).find(([name, on]) => isOurPlugin(name) && on !== false);
  return found?.[0] ?? null;
}

/** The name of our plugin in the client's list of installed plugins. Its format may change, so unknown forms count as absent. */
export function installedPlugin(text: string): string | null {
  try {
    const { plugins } = parseJson(text) as { plugins?: unknown };
    return Object.keys(plugins ?? {}).find(isOurPlugin) ?? null;
  } catch {
    return null;
  }
}

/** Where the client keeps its copy of the plugin; null: unknown. */
export function pluginFolder(text: string): string | null {
  try {
    const { plugins } = parseJson(text) as { plugins?: { [name: string]: unknown } };
    const [, copies] = Object.entries(plugins ?? {}).find(([name]) => isOurPlugin(name)) ?? [];
    const [{ installPath }] = copies as readonly [{ installPath?: unknown }];
    return typeof installPath === "string" ? installPath : null;
  } catch {
    return null;
  }
}

/** What these settings start at a stop: nothing that is known where there is none, or one written by hand. */
export function startedIn(text: string): Started {
  const stop = readHookSettings(text)
    .hooks["Stop"]?.flatMap(({ hooks }) => hooks)
    .find(isOurs) as HookEntry | undefined;
  return { hook: stop?.args[0] ?? null, node: stop?.command ?? null };
}

export function isPluginDisabled(text: string): boolean {
  const { enabledPlugins } = readHookSettings(text);
  return (
    typeof enabledPlugins === "object" &&
    enabledPlugins !== null &&
    Object.entries(enabledPlugins).some(([name, on]) => isOurPlugin(name) && on === false)
  );
}

export function areHooksDisabled(text: string): boolean {
  return readHookSettings(text)["disableAllHooks"] === true;
}

function isOurPlugin(name: string): boolean {
  return name.startsWith("loop@");
}

/** How a settings file calls us: without a shell, so that no shell profile can print before us. */
interface HookEntry {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  /** The same as a shell line, for Copilot CLI alone: it reads these settings and plugins, and ignores `args`. */
  readonly bash: string;
  readonly powershell: string;
  /** In seconds. */
  readonly timeout: number;
  readonly statusMessage?: string;
  /** Only for such a tool call is the hook started. */
  readonly if?: string;
}

/** The events for which Claude Code calls us; the plugin's hooks.json has the same. */
const EVENTS = [
  "Stop",
  "SubagentStop",
  "StopFailure",
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "PostCompact",
  "ConfigChange",
] as const;

const OWN_COMMANDS = "Bash(*loop *)";

const HOST = ["--host", "claude-code"] as const;

/**
 * Events that concern only a session with a loop, and come often in every other: a shell script looks at them first, which takes a
 * tenth of the time. It is the command itself, and not an argument of `sh`: a client that ignores arguments would have `sh` read
 * the payload as a program.
 */
const LOOKED_AT: ReadonlySet<string> = new Set([
  "SubagentStop",
  "SessionEnd",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "PostCompact",
  "ConfigChange",
]);

/** A stop waits for checks; a shell line is looked at only if it calls us; every other event only takes a note. */
export function hookEntries(
  program: Program,
  platform: NodeJS.Platform = process.platform,
): ReadonlyMap<string, HookEntry> {
  return new Map(
    EVENTS.map((event): readonly [string, HookEntry] => {
      const words = [argumentOf(event), ...HOST];
      const wordsForCopilot = [argumentOf(event), "--host", "copilot"];
      const isLookedAt = LOOKED_AT.has(event) && platform !== "win32";
      const script = program.hook.replace(/hook\.js$/, "hook.sh");
      const entry = {
        type: "command",
        ...(isLookedAt
          ? { command: script, args: [program.node, ...words] }
          : { command: program.node, args: [program.hook, ...words] }),
        bash: LOOKED_AT.has(event)
          ? ["/bin/sh", quoted(script, "'"), quoted(program.node, "'"), ...wordsForCopilot].join(" ")
          : [quoted(program.node, "'"), quoted(program.hook, "'"), ...wordsForCopilot].join(" "),
        powershell: ["&", quoted(program.node, '"'), quoted(program.hook, '"'), ...wordsForCopilot].join(" "),
      } as const;
      if (event === "Stop") return [event, { ...entry, timeout: 600, statusMessage: "checking the spec …" }];
      return [event, { ...entry, ...(event === "PreToolUse" ? { if: OWN_COMMANDS } : {}), timeout: 10 }];
    }),
  );
}

/** The plugin's own folder is a variable, which only double quotes leave to the shell. */
function quoted(path: string, quote: "'" | '"'): string {
  if (quote === '"' || path.startsWith("${")) return `"${path}"`;
  return `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** `SubagentStop` is `subagent-stop`. */
function argumentOf(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

/** Written by any version of Loopwright, for any copy of the program. */
function isOurs(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { type, command, args } = entry as { type?: unknown; command?: unknown; args?: unknown };
  if (type !== "command" || !Array.isArray(args) || args.length !== 4) return false;
  const [first, event, ...host] = args as readonly unknown[];
  const isHook = [command, first].some(
    (each) => typeof each === "string" && /(?:^|[\\/])hook\.(?:js|sh)$/.test(each),
  );
  return (
    isHook &&
    typeof event === "string" &&
    /^[a-z]+(?:-[a-z]+)*$/.test(event) &&
    host.join(" ") === HOST.join(" ")
  );
}

/** Written by a person: a shell line that calls a copy of our hook. */
function isOursByHand(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { command } = entry as { command?: unknown };
  return typeof command === "string" && /loop[^\s"']*[\\/]dist[\\/]hook\.js["']?\s+stop\b/.test(command);
}
