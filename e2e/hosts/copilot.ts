import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BIN, KEY, MODEL, proxied, startChat } from "./chat-clients.ts";
import type { HostedClient } from "./hosted-client.ts";

export const copilotClient: HostedClient = {
  id: "copilot",
  bin: BIN,
  folder: ".copilot",
  startModel: (moves) =>
    startChat(moves, {
      write: (path, text) => ({ name: "create", input: { path, file_text: text } }),
      run: (command) => ({ name: "bash", input: { command, description: "Scripted command" } }),
    }),
  environment(home, model) {
    mkdirSync(join(home, ".copilot"));
    return {
      ...proxied(home, model),
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: MODEL,
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    };
  },
  command: (prompt, conversation) => [
    "copilot",
    "--allow-all-tools",
    "--allow-all-paths",
    ...(conversation === null ? [] : [`--resume=${conversation}`]),
    "-p",
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: (path) => /session-state\/|logs\/|session-store/.test(path),
  mostHolds: 8,
  inTerminal: {
    command: ["copilot", "--allow-all-tools", "--allow-all-paths"],
    ready: /^❯$/m,
    asks: [{ question: /Do you trust the files in this folder\?/, keys: ["Enter"] }],
    shows: ["hold"],
  },
  hookLimit: { file: ".copilot/hooks/loop.json", written: (seconds) => `"timeoutSec": ${seconds}` },
};
