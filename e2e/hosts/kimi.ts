import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, KEY, MODEL, NODE_22, proxied, startChat } from "./chat-clients.ts";
import type { HostedClient } from "./hosted-client.ts";

export const kimiClient: HostedClient = {
  id: "kimi",
  bin: `${NODE_22}:${BIN}`,
  folder: ".kimi-code",
  startModel: (moves) =>
    startChat(moves, {
      write: (path, text) => ({ name: "Write", input: { path, content: text } }),
      run: (command) => ({ name: "Bash", input: { command, timeout: 60 } }),
    }),
  environment(home, model) {
    mkdirSync(join(home, ".kimi-code"));
    writeFileSync(
      join(home, ".kimi-code", "config.toml"),
      `default_model = "scripted"
telemetry = false

[providers.scripted]
type = "openai"
base_url = "${model.url}/v1"
api_key = "${KEY}"

[models.scripted]
provider = "scripted"
model = "${MODEL}"
max_context_size = 100000
`,
    );
    return proxied(home, model);
  },
  command: (prompt, conversation) => [
    "kimi",
    ...(conversation === null ? [] : ["--session", conversation]),
    "-p",
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: (path) => /sessions\/|logs?\//.test(path),
  mostHolds: 1,
  hookLimit: { file: ".kimi-code/config.toml", written: (seconds) => `timeout = ${seconds}` },
  inTerminal: {
    command: ["kimi", "--yolo"],
    ready: /│ >/,
    asks: [{ question: /Trust this folder\?/, keys: ["Enter"] }],
    shows: [],
  },
};
