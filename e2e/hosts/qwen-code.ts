import { join } from "node:path";
import { BIN, KEY, MODEL, proxied, startChat, writeJson } from "./chat-clients.ts";
import type { HostedClient } from "./hosted-client.ts";

export const qwenCodeClient: HostedClient = {
  id: "qwen-code",
  bin: BIN,
  folder: ".qwen",
  startModel: (moves) =>
    startChat(moves, {
      write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
      run: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
    }),
  environment(home, model) {
    writeJson(join(home, ".qwen", "settings.json"), {
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
    return {
      ...proxied(home, model),
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: MODEL,
    };
  },
  command: (prompt, conversation) => [
    "qwen",
    "--yolo",
    ...(conversation === null ? [] : ["--resume", conversation]),
    "-p",
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: (path) => /projects\/|tmp\//.test(path),
  mostHolds: 7,
  hookLimit: { file: ".qwen/settings.json", written: (seconds) => `"timeout": ${seconds * 1000}` },
};
