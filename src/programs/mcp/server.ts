import type { Readable, Writable } from "node:stream";
import { actingFor } from "../../agents/hosts/caller.ts";
import { parseSessionId, type SessionId } from "../../core/loop/id.ts";
import { createLineSplitter } from "../../system/files/lines.ts";
import {
  createPeer,
  invalidParams,
  methodNotFound,
  NO_ANSWER,
  type RpcRequest,
} from "../../system/json-rpc/peer.ts";
import { discoverChecks } from "../../verify/checks/discovery.ts";
import { runLoop, type LoopAnswer } from "./run-loop.ts";
import { inputOf, schemaOf } from "./tool-input.ts";
import { START, TOOLS, type Tool, type ToolInput } from "./tools.ts";

declare const LOOPWRIGHT_VERSION: string;

export interface McpServer {
  readonly cli: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Readable;
  readonly output: Writable;
  /** For clients that don't say which session is calling. */
  readonly session: SessionId | null;
}

/** The newest first. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const LONGEST_MESSAGE_BYTES = 1024 * 1024;
const MOST_AT_ONCE = 8;

const INSTRUCTIONS =
  "The commands of Loopwright, for an agent whose shell cannot run `loop`. A loop holds you until its checks pass. When the work is done, call done, and say so; when you need a person, call blocked.";

/** Serves the agent's own commands until the client closes its end. */
export async function serve(server: McpServer): Promise<void> {
  const running = new Map<unknown, AbortController>();
  let client = "";
  const peer = createPeer({
    send: (line) => void server.output.write(`${line}\n`),
    answer: async (request) => answer(request),
    hear(method, params) {
      if (method === "notifications/cancelled") running.get(fieldOf(params, "requestId"))?.abort();
    },
  });

  async function answer({ id, method, params }: RpcRequest): Promise<unknown> {
    switch (method) {
      case "initialize":
        client = nameIn(params);
        return greeting(params);
      case "ping":
        return {};
      case "tools/list":
        return { tools: TOOLS.map(described) };
      case "tools/call":
        return call(id, params);
      default:
        throw methodNotFound(method);
    }
  }

  async function call(id: unknown, params: unknown): Promise<unknown> {
    const tool = TOOLS.find(({ name }) => name === fieldOf(params, "name"));
    if (tool === undefined)
      throw invalidParams(`There is no such tool; there are ${TOOLS.map(({ name }) => name).join(", ")}.`);
    const input = inputOf(tool, fieldOf(params, "arguments"));
    if (typeof input === "string") return failure(input);
    if (running.size >= MOST_AT_ONCE || running.has(id))
      return failure("Too many calls at once; wait for the others.");
    const aborted = new AbortController();
    running.set(id, aborted);
    try {
      const words = await wordsFor(tool, input, server);
      if (typeof words === "string") return failure(words);
      const env = environmentOf(server, client, params);
      const answered = await runLoop({ ...server, env, words, signal: aborted.signal });
      return answered === null ? NO_ANSWER : resultOf(answered);
    } finally {
      running.delete(id);
    }
  }

  const lines = createLineSplitter(LONGEST_MESSAGE_BYTES, (line) => peer.receive(line));
  server.output.on("error", () => {}); // The client is gone, and closes its other end, too.
  for await (const chunk of server.input) lines.push(chunk as Buffer);
  for (const each of running.values()) each.abort();
}

/** A tool call of a model may name a check, but not make one up. */
async function wordsFor(
  tool: Tool,
  input: ToolInput,
  { cwd, env }: Pick<McpServer, "cwd" | "env">,
): Promise<readonly string[] | string> {
  if (tool.name !== START) return tool.words(input);
  const { checks } = await discoverChecks(cwd, env);
  const named = input.texts("checks");
  const found = named.map((name) => checks.find((check) => check.name === name || check.command === name));
  if (found.includes(undefined)) {
    const choices = checks.map(({ name }) => `"${name}"`).join(", ") || "none";
    return `Only the project's own checks can be named here: ${choices}. Any other command is the user's to add, with: loop criteria add NAME --check COMMAND`;
  }
  const lines = found.flatMap((check) => (check === undefined ? [] : [`${check.name}=${check.command}`]));
  return tool.words({ ...input, texts: () => lines });
}

/** Clients by a word in the name that they give themselves. */
const CLIENTS: readonly (readonly [word: string, host: string])[] = [
  ["claude", "claude-code"],
  ["codex", "codex"],
  ["gemini", "gemini-cli"],
  ["qwen", "qwen-code"],
  ["copilot", "copilot"],
  ["opencode", "opencode"],
  ["droid", "droid"],
  ["factory", "droid"],
  ["kimi", "kimi"],
];

/** Whose session it is: the call says so (Codex), the client's environment (Qwen Code, Copilot, Claude Code), or the user who set us up. */
function environmentOf(
  { env, session }: Pick<McpServer, "env" | "session">,
  client: string,
  params: unknown,
): NodeJS.ProcessEnv {
  const meta = fieldOf(params, "_meta");
  const called =
    parseSessionId(fieldOf(meta, "sessionId")) ?? parseSessionId(fieldOf(meta, "threadId")) ?? session;
  if (called === null) return env;
  const host = CLIENTS.find(([word]) => client.toLowerCase().includes(word))?.[1] ?? "claude-code";
  return actingFor(env, host, called);
}

function greeting(params: unknown): object {
  const asked = fieldOf(params, "protocolVersion");
  return {
    protocolVersion: VERSIONS.find((version) => version === asked) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: "loop", title: "Loopwright", version: LOOPWRIGHT_VERSION },
    instructions: INSTRUCTIONS,
  };
}

function described(tool: Tool): object {
  const { name, description, isReading = false } = tool;
  const annotations = { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false };
  return { name, description, inputSchema: schemaOf(tool), annotations };
}

function resultOf({ text, isError }: LoopAnswer): object {
  return { content: [{ type: "text", text }], isError };
}

function failure(text: string): object {
  return resultOf({ text, isError: true });
}

function nameIn(params: unknown): string {
  const name = fieldOf(fieldOf(params, "clientInfo"), "name");
  return typeof name === "string" ? name : "";
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [key: string]: unknown })[name];
}
