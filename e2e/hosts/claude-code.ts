import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeAgent } from "../agents/claude-code.ts";
import type { HostedClient } from "./hosted-client.ts";

/** With the hooks of `loop install`. Its plugin, its prompts, its cap and its terminal have tests of their own, in the folder above. */
export const claudeCodeClient: HostedClient = {
  id: "claude-code",
  bin: claudeCodeAgent.bin,
  folder: ".claude",
  startModel: (moves) => claudeCodeAgent.startModel(moves),
  environment(home, model) {
    mkdirSync(join(home, ".claude"));
    return claudeCodeAgent.environment(home, model);
  },
  command: (prompt, conversation) => [
    "claude",
    "--permission-mode=bypassPermissions",
    ...(conversation === null ? [] : ["--resume", conversation]),
    "-p",
    prompt,
  ],
  takesPrompts: false,
  isOwnRecord: (path) => /projects\/|\.claude\.json/.test(path),
  mostHolds: null,
  hookLimit: { file: ".claude/settings.json", written: (seconds) => `"timeout": ${seconds}` },
};
