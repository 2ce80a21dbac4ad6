import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePrices, costOf, priceOf } from "../../src/agents/cost/price.ts";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import type { ScriptedAgent } from "./agent.ts";
import { startResponses } from "./responses-server.ts";
import type { ResponsesOptions } from "./responses-server.ts";

/** The client offers other tools to other models: this one has `apply_patch` and `exec_command`. */
const MODEL = "gpt-5.5";
const USAGE = { input: 1000, output: 100 };
const LONGEST_RUN_MS = 30_000;

const RESPONSES: ResponsesOptions = {
  usage: USAGE,
  tools: {
    write: (path, text) => ({ type: "custom_tool_call", name: "apply_patch", input: patch(path, text) }),
    run: (command) => ({
      type: "function_call",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: command, yield_time_ms: LONGEST_RUN_MS }),
    }),
  },
};

export const codexAgent: ScriptedAgent = {
  id: "codex",
  bin: join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".bin"),
  usage: USAGE,
  dollars({ input, output, cached = 0 }) {
    const { price } = priceOf(MODEL, parsePrices(null).table);
    return costOf({ ...NO_USAGE, input, output, cacheRead: cached }, price);
  },
  startModel: (moves) => startResponses(moves, RESPONSES),
  startTalk: (talk) => startResponses(talk, RESPONSES),
  environment(home, model) {
    const folder = join(home, ".codex");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), configuration(model.url));
    return {
      CODEX_HOME: folder,
      SCRIPTED_MODEL_KEY: "fake-for-the-scripted-model",
      // Whatever is meant for elsewhere comes to the server too, which refuses it and remembers.
      HTTP_PROXY: model.url,
      HTTPS_PROXY: model.url,
      NO_PROXY: "127.0.0.1",
      TMPDIR: home,
    };
  },
  stock: ["--model", MODEL],
  // The client's sandbox does not work on every machine that runs tests; without it nothing depends on one.
  permissive: ["--model", MODEL, "--permission-mode", "danger-full-access"],
  restrictive: ["--model", MODEL, "--permission-mode", "read-only"],
};

/** Writes the whole file, also over one that is there. A patch has whole lines, so the file ends with a line's end. */
function patch(path: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return [
    "*** Begin Patch",
    `*** Add File: ${path}`,
    ...lines.map((line) => `+${line}`),
    "*** End Patch",
    "",
  ].join("\n");
}

/** The client believes the first failure, so that one move is one request, and asks nobody for plugins. */
function configuration(url: string): string {
  return `model = "${MODEL}"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_MODEL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}
