import { join } from "node:path";
import { QWEN_SETTINGS } from "../agents/acp.ts";
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
    writeJson(join(home, ".qwen", "settings.json"), QWEN_SETTINGS);
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
  inTerminal: {
    command: ["qwen", "--yolo"],
    ready: /Type your message/,
    asks: [],
    shows: ["hold", "end"],
  },
  hookLimit: { file: ".qwen/settings.json", written: (seconds) => `"timeout": ${seconds * 1000}` },
};
