import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePrices, costOf, priceOf } from "../../src/agents/cost/price.ts";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import type { ScriptedAgent } from "./agent.ts";
import { startGenerateContentServer } from "./generate-content-server.ts";
import type { GenerateContentServer } from "./generate-content-server.ts";

const MODEL = "gemini-2.5-flash";
const USAGE = { input: 1000, output: 100 };

/** The model is fixed, so no call is spent on choosing one; and the client believes the first failure. */
const SETTINGS = {
  general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
  model: { name: MODEL, skipNextSpeakerCheck: true, disableLoopDetection: true },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "gemini-api-key" } },
  telemetry: { enabled: false },
};

export const geminiCliAgent: ScriptedAgent<GenerateContentServer> = {
  id: "gemini-cli",
  isSlow: true,
  bin: join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".bin"),
  usage: USAGE,
  dollars({ input, output, cached = 0 }) {
    const { price } = priceOf(MODEL, parsePrices(null).table);
    return costOf({ ...NO_USAGE, input, output, cacheRead: cached }, price);
  },
  startModel: (moves) =>
    startGenerateContentServer({
      moves,
      usage: USAGE,
      tools: {
        write: (path, text) => ({ name: "write_file", args: { file_path: path, content: text } }),
        run: (command) => ({
          name: "run_shell_command",
          args: { command, description: "Scripted command" },
        }),
      },
    }),
  environment(home, model) {
    mkdirSync(join(home, ".gemini"), { recursive: true });
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(SETTINGS));
    return {
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: "fake-for-the-scripted-model",
      GOOGLE_GEMINI_BASE_URL: model.url,
      // Whatever is meant for elsewhere comes to the server too, which refuses it and remembers.
      HTTP_PROXY: model.url,
      HTTPS_PROXY: model.url,
      NO_PROXY: "127.0.0.1",
      // Else it leaves its reports of errors in /tmp.
      TMPDIR: home,
    };
  },
  stock: [],
  permissive: ["--permission-mode", "yolo"],
  restrictive: ["--permission-mode", "default"],
};
