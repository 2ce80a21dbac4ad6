import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "./messages-api.ts";

/**
 * All events of Claude Code 2.1.197 but WorktreeCreate and WorktreeRemove: a hook for these takes the client's
 * own work over instead of watching it.
 */
export const EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "MessageDisplay",
] as const;

export type EventName = (typeof EVENTS)[number];

/** What a hook was called with. */
export interface HookCall {
  readonly event: EventName;
  readonly payload: JsonObject;
  readonly cwd: string;
  /** Names of its variables; the values are nobody's business. */
  readonly env: readonly string[];
  /** The session that its variables name. */
  readonly named?: string;
}

export interface Answers {
  /** What the hook prints at the first call of this event, the second, and so on; then nothing. */
  readonly [event: string]: readonly JsonObject[];
}

const HOOK_SOURCE = `
const { mkdirSync, readFileSync, writeFileSync, renameSync } = require("node:fs");
const [folder, event] = process.argv.slice(2);
const payload = JSON.parse(readFileSync(0, "utf8"));
const serial = (prefix) => {
  for (let n = 0; ; n++) {
    try {
      mkdirSync(folder + "/numbers/" + prefix + n);
      return n;
    } catch {}
  }
};
const call = { event, payload, cwd: process.cwd(), env: Object.keys(process.env).sort(), named: process.env.CLAUDE_CODE_SESSION_ID };
const name = folder + "/calls/" + String(serial("all-")).padStart(4, "0") + ".json";
writeFileSync(name + ".draft", JSON.stringify(call));
renameSync(name + ".draft", name);
const answer = JSON.parse(readFileSync(folder + "/answers.json", "utf8"))[event]?.[serial(event + "-")];
if (answer) process.stdout.write(JSON.stringify(answer));
`;

/** A plugin that writes down every call of a hook, and answers as told. */
export class Recorder {
  readonly pluginDir: string;

  constructor(parent: string, answers: Answers = {}, files: { readonly [path: string]: string } = {}) {
    this.pluginDir = mkdtempSync(join(parent, "recorder-"));
    for (const folder of [".claude-plugin", "hooks", "calls", "numbers"]) {
      mkdirSync(join(this.pluginDir, folder));
    }
    const hooks = Object.fromEntries(
      EVENTS.map((event) => {
        const args = ["${CLAUDE_PLUGIN_ROOT}/hook.cjs", "${CLAUDE_PLUGIN_ROOT}", event];
        return [event, [{ hooks: [{ type: "command", command: process.execPath, args, timeout: 20 }] }]];
      }),
    );
    const contents = {
      "hook.cjs": HOOK_SOURCE,
      "answers.json": JSON.stringify(answers),
      "hooks/hooks.json": JSON.stringify({ hooks }),
      ".claude-plugin/plugin.json": JSON.stringify({ name: "recorder", version: "0.0.0" }),
      ...files,
    };
    for (const [path, text] of Object.entries(contents)) {
      mkdirSync(join(this.pluginDir, path, ".."), { recursive: true });
      writeFileSync(join(this.pluginDir, path), text);
    }
  }

  /** All calls so far, in the order in which the hooks started. */
  calls(): readonly HookCall[] {
    const folder = join(this.pluginDir, "calls");
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as HookCall);
  }
}
