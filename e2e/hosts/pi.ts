import { join } from "node:path";
import { BIN, KEY, MODEL, NODE_22, proxied, startChat, writeJson } from "./chat-clients.ts";
import type { HostedClient } from "./hosted-client.ts";

export const piClient: HostedClient = {
  id: "pi",
  bin: `${NODE_22}:${BIN}`,
  folder: ".pi/agent",
  startModel: (moves) =>
    startChat(moves, {
      write: (path, text) => ({ name: "write", input: { path, content: text } }),
      run: (command) => ({ name: "bash", input: { command } }),
    }),
  environment(home, model) {
    writeJson(join(home, ".pi", "agent", "models.json"), {
      providers: {
        scripted: {
          baseUrl: `${model.url}/v1`,
          apiKey: KEY,
          api: "openai-completions",
          models: [{ id: MODEL }],
        },
      },
    });
    return { ...proxied(home, model), PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" };
  },
  command: (prompt, conversation) => [
    "pi",
    "--provider",
    "scripted",
    "--model",
    MODEL,
    ...(conversation === null ? [] : ["--session", conversation]),
    "-p",
    prompt,
  ],
  takesPrompts: true,
  isOwnRecord: (path) => path.includes("/sessions/"),
  mostHolds: null,
  hookLimit: { file: ".pi/agent/extensions/loop.js", written: (seconds) => `stop: ${seconds},` },
  inTerminal: {
    command: ["pi", "--provider", "scripted", "--model", MODEL],
    ready: /scripted-model$/m,
    asks: [],
    shows: ["hold", "end"],
  },
};

export const ohMyPiClient: HostedClient = {
  ...piClient,
  id: "oh-my-pi",
  bin: BIN,
  folder: ".omp/agent",
  environment(home, model) {
    // JSON is YAML. With this, it doesn't ask a new user five things.
    writeJson(join(home, ".omp", "agent", "config.yml"), { setupVersion: 2 });
    writeJson(join(home, ".omp", "agent", "models.yml"), {
      providers: {
        scripted: {
          baseUrl: `${model.url}/v1`,
          apiKey: KEY,
          api: "openai-completions",
          models: [{ id: MODEL, name: "Scripted", contextWindow: 100_000, maxTokens: 4000 }],
        },
      },
    });
    return proxied(home, model);
  },
  command: (prompt, conversation) => [
    "omp",
    "--model",
    `scripted/${MODEL}`,
    ...(conversation === null ? [] : ["--resume", conversation]),
    "-p",
    prompt,
  ],
  hookLimit: { file: ".omp/agent/extensions/loop.js", written: (seconds) => `stop: ${seconds},` },
  inTerminal: {
    command: ["omp", "--model", `scripted/${MODEL}`],
    ready: /^╰─$/m,
    asks: [],
    shows: ["end"],
  },
};
