import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScriptedAgent } from "./agent.ts";
import { startChatCompletions, type ChatCompletionsOptions } from "./chat-completions-server.ts";

const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules");
const USAGE = { input: 1000, output: 100 };
/** Dollars for a million tokens. */
const PRICES = { input: 3, output: 15, cache_read: 0.3 };

const OPTIONS: ChatCompletionsOptions = {
  usage: USAGE,
  tools: {
    write: (path, text) => ({ name: "write", input: { filePath: path, content: text } }),
    run: (command) => ({ name: "bash", input: { command, description: "Scripted command" } }),
  },
  // The client tries five times more before it believes a failure, and waits for as long as this says.
  failureHeaders: { "retry-after-ms": "1" },
};

export const opencodeAgent: ScriptedAgent = {
  id: "opencode",
  isSlow: true,
  bin: programFolder(),
  usage: USAGE,
  dollars({ input, output, cached = 0 }) {
    return (input * PRICES.input + output * PRICES.output + cached * PRICES.cache_read) / 1_000_000;
  },
  startModel: (moves) => startChatCompletions(moves, OPTIONS),
  environment(home, model) {
    pretendInstalled(join(home, ".config", "opencode"));
    return {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(model.url)),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      // Whatever is meant for elsewhere comes to the server too, which refuses it and remembers.
      HTTP_PROXY: model.url,
      HTTPS_PROXY: model.url,
      NO_PROXY: "127.0.0.1",
      // Else it unpacks a library into /tmp.
      TMPDIR: home,
    };
  },
  stock: [],
  permissive: ["--permission-mode", "auto"],
  restrictive: ["--permission-mode", "ask"],
};

/** The client's program lies in a package of its own for each platform, so no install script is needed. */
function programFolder(): string {
  const base = `opencode-${process.platform}-${process.arch}`;
  // The first one runs on any processor.
  const names = [`${base}-baseline`, base, `${base}-baseline-musl`, `${base}-musl`];
  const folders = names.map((name) => join(PACKAGES, name, "bin"));
  return folders.find((folder) => existsSync(folder)) ?? join(PACKAGES, ".bin");
}

/** Into its folder the client installs a package for plugins, from outside, unless this says that it has. */
function pretendInstalled(folder: string): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

function configuration(url: string): object {
  return {
    model: "scripted/model",
    share: "disabled",
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "fake-for-the-scripted-model" },
        models: {
          model: { tool_call: true, cost: PRICES, limit: { context: 200_000, output: 8_000 } },
        },
      },
    },
  };
}
