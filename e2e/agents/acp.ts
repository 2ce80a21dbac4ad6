import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { costOf, parsePrices, priceOf } from "../../src/agents/cost/price.ts";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import type { MoveUsage, ScriptedAgent, ScriptedModel } from "./agent.ts";
import { startChatCompletions, type ClientTools } from "./chat-completions-server.ts";
import { claudeCodeAgent } from "./claude-code.ts";
import { codexAgent } from "./codex.ts";
import { NODE_22 } from "../hosts/chat-clients.ts";
import { droidClient } from "../hosts/droid.ts";
import type { HostedClient } from "../hosts/hosted-client.ts";
import { kimiClient } from "../hosts/kimi.ts";
import { geminiCliAgent } from "./gemini-cli.ts";
import { opencodeAgent } from "./opencode.ts";

const BIN = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".bin");
const USAGE = { input: 1000, output: 100 };
const MODEL = "gpt-5";
/** Goose asks newer ones by another API. */
const MODEL_WITH_CHAT = "gpt-4o";

/** What every agent is told to do through the Agent Client Protocol, whatever it is. */
const SPOKEN = {
  isSlow: true,
  stock: [],
  permissive: ["--permission-mode", "allow"],
  restrictive: ["--permission-mode", "deny"],
} as const;

/** Whatever is meant for elsewhere comes to the server too, which refuses it and remembers. */
function throughProxy({ url }: ScriptedModel): { readonly [name: string]: string } {
  return { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: "127.0.0.1" };
}

function dollars({ input, output, cached = 0 }: MoveUsage): number {
  const { price } = priceOf(MODEL, parsePrices(null).table);
  return costOf({ ...NO_USAGE, input, output, cacheRead: cached }, price);
}

const QWEN_TOOLS: ClientTools = {
  write: (path, text, folder) => ({
    name: "write_file",
    input: { file_path: join(folder, path), content: text },
  }),
  run: (command) => ({
    name: "run_shell_command",
    input: { command, description: "Scripted command", is_background: false },
  }),
};

export const QWEN_SETTINGS = {
  security: { auth: { selectedType: "openai" } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // They would ask the model, too.
  memory: { enableManagedAutoMemory: false },
  ui: { enableFollowupSuggestions: false },
};

export const qwenCodeAgent: ScriptedAgent = {
  ...SPOKEN,
  id: "qwen-code",
  bin: BIN,
  usage: USAGE,
  dollars,
  startModel: (moves) => startChatCompletions(moves, { usage: USAGE, tools: QWEN_TOOLS, failureHeaders: {} }),
  environment(home, model) {
    mkdirSync(join(home, ".qwen"), { recursive: true });
    writeFileSync(join(home, ".qwen", "settings.json"), JSON.stringify(QWEN_SETTINGS));
    return {
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "fake-for-the-scripted-model",
      OPENAI_MODEL: MODEL,
      ...throughProxy(model),
      TMPDIR: home,
    };
  },
};

const COPILOT_TOOLS: ClientTools = {
  write: (path, text, folder) => ({ name: "create", input: { path: join(folder, path), file_text: text } }),
  run: (command) => ({
    name: "bash",
    input: { command, description: "Scripted command", sessionId: "shell", mode: "sync" },
  }),
};

export const copilotAgent: ScriptedAgent = {
  ...SPOKEN,
  id: "copilot",
  bin: BIN,
  usage: USAGE,
  dollars,
  startModel: (moves) =>
    startChatCompletions(moves, { usage: USAGE, tools: COPILOT_TOOLS, failureHeaders: {} }),
  environment: (home, model) => ({
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "fake-for-the-scripted-model",
    COPILOT_MODEL: MODEL,
    COPILOT_OFFLINE: "true",
    ...throughProxy(model),
    TMPDIR: home,
  }),
};

/** Where agents are that are too large to be installed with the others; null: nowhere. */
export const MORE_AGENTS = process.env["E2E_MORE_AGENTS"] ?? null;

const GOOSE_TOOLS: ClientTools = {
  write: (path, text, folder) => ({ name: "write", input: { path: join(folder, path), content: text } }),
  run: (command) => ({ name: "shell", input: { command } }),
};

export const gooseAgent: ScriptedAgent = {
  ...SPOKEN,
  id: "goose",
  bin: join(MORE_AGENTS ?? "", "@aaif", "goose-binary-linux-x64", "bin"),
  usage: USAGE,
  // By its own prices.
  dollars: ({ input, output }) => (2.5 * input + 10 * output) / 1_000_000,
  startModel: (moves) =>
    startChatCompletions(moves, { usage: USAGE, tools: GOOSE_TOOLS, failureHeaders: {} }),
  environment: (home, model) => ({
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: MODEL_WITH_CHAT,
    OPENAI_HOST: model.url,
    OPENAI_API_KEY: "fake-for-the-scripted-model",
    GOOSE_DISABLE_KEYRING: "1",
    GOOSE_TELEMETRY_ENABLED: "false",
    ...throughProxy(model),
    TMPDIR: home,
  }),
};

/** Claude Code as its maker's protocol adapter starts it. It wants a newer Node than the tests. */
export const claudeAcpAgent: ScriptedAgent = {
  ...claudeCodeAgent,
  ...SPOKEN,
  id: "acp:claude-agent-acp",
  bin: `${NODE_22}:${join(MORE_AGENTS ?? "", ".bin")}`,
};

/** A client that is held from inside elsewhere, with the same settings; its model has to have a price. */
function fromHost(client: HostedClient, id: ScriptedAgent["id"]): ScriptedAgent {
  return {
    ...SPOKEN,
    id,
    bin: client.bin,
    usage: USAGE,
    dollars,
    startModel: (moves) => client.startModel(moves),
    environment: (home, model) => client.environment(home, model),
  };
}

export const kimiAgent = fromHost(kimiClient, "kimi");
export const droidAgent = fromHost(droidClient, "droid");

/** The agents that `loop` also drives in ways of their own, through the protocol. */
export const geminiAcpAgent: ScriptedAgent = { ...geminiCliAgent, ...SPOKEN, id: "acp:gemini --acp" };
export const opencodeAcpAgent: ScriptedAgent = { ...opencodeAgent, ...SPOKEN, id: "acp:opencode acp" };
export const codexAcpAgent: ScriptedAgent = { ...codexAgent, ...SPOKEN, id: "acp:codex-acp" };
