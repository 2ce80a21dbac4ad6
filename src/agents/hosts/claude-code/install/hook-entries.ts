import type { Program } from "../../install/installer.ts";

/** How a settings file calls us: without a shell, so that no shell profile can print before us. */
export interface HookEntry {
  readonly type: "command";
  readonly command: string;
  readonly args: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  readonly statusMessage?: string;
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
  "PostToolUse",
  "PostToolUseFailure",
  "PreCompact",
  "PostCompact",
] as const;

const HOST = ["--host", "claude-code"] as const;

/** A stop waits for checks; every other event only takes a note. */
export function hookEntries(program: Program): ReadonlyMap<string, HookEntry> {
  return new Map(
    EVENTS.map((event) => {
      const args = [program.hook, argumentOf(event), ...HOST];
      const entry = { type: "command", command: program.node, args } as const;
      return event === "Stop"
        ? [event, { ...entry, timeout: 600, statusMessage: "checking the spec …" }]
        : [event, { ...entry, timeout: 10 }];
    }),
  );
}

/** `SubagentStop` is `subagent-stop`. */
function argumentOf(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

/** Written by any version of Loopwright, for any copy of the program. */
export function isOurs(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { type, args } = entry as { type?: unknown; args?: unknown };
  if (type !== "command" || !Array.isArray(args) || args.length !== 4) return false;
  const [hook, event, ...host] = args as readonly unknown[];
  return (
    typeof hook === "string" &&
    /(?:^|[\\/])hook\.js$/.test(hook) &&
    typeof event === "string" &&
    /^[a-z]+(?:-[a-z]+)*$/.test(event) &&
    host.join(" ") === HOST.join(" ")
  );
}

/** Written by a person: a shell line that calls a copy of our hook. */
export function isOursByHand(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { command } = entry as { command?: unknown };
  return typeof command === "string" && /loop[^\s"']*[\\/]dist[\\/]hook\.js["']?\s+stop\b/.test(command);
}
