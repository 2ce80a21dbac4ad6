import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parsePrices, costOf, priceOf } from "../../src/agents/cost/price.ts";
import { NO_USAGE } from "../../src/agents/cost/transcript.ts";
import { claudeEnvironment, claudeProgram } from "../claude.ts";
import { textOf } from "../messages-api.ts";
import type { Message, Usage } from "../messages-api.ts";
import { ModelServer } from "../model-server.ts";
import type { RecordedRequest, Scenario, ScriptedTurn, Turn } from "../model-server.ts";
import type { Conversation, Move, MoveUsage, ScriptedAgent, ScriptedModel } from "./agent.ts";

const MODEL = "claude-opus-4-8";
const USAGE: MoveUsage = { input: 1000, output: 100 };

const ERROR_TYPES: { readonly [status: number]: string } = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export const claudeCodeAgent: ScriptedAgent = {
  id: "claude-code",
  get bin() {
    return dirname(claudeProgram());
  },
  usage: USAGE,
  dollars({ input, output, cached = 0 }) {
    const { price } = priceOf(MODEL, parsePrices(null).table);
    return costOf({ ...NO_USAGE, input, output, cacheRead: cached }, price);
  },
  startModel: (moves) => startServer({ main: moves.map(turnOf) }),
  startTalk: (talk) =>
    startServer({
      rest: async (request) => {
        const turn = turnOf(await talk(conversationOf(request)));
        return typeof turn === "function" ? turn(request) : turn;
      },
    }),
  environment(home, model) {
    const { ANTHROPIC_API_KEY: _, ...environment } = claudeEnvironment(home, model);
    return {
      ...environment,
      // Only for a subscription does the client tell when a limit is over.
      CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-fake-for-the-scripted-model",
      ANTHROPIC_MODEL: MODEL,
      // It believes the first failure, so that one move is one request.
      CLAUDE_CODE_MAX_RETRIES: "0",
    };
  },
  stock: [],
  permissive: ["--permission-mode", "bypassPermissions"],
  restrictive: ["--permission-mode", "default"],
};

async function startServer(scenario: Scenario): Promise<ScriptedModel> {
  const server = await ModelServer.start(scenario);
  return {
    url: server.url,
    get heard() {
      return server.of("main").map(({ newText }) => newText);
    },
    get played() {
      return server.of("main").length;
    },
    outside: server.outside,
    play: (others) => server.play({ main: others.map(turnOf) }),
    close: () => server.close(),
  };
}

function conversationOf({ body: { messages } }: RecordedRequest): Conversation {
  const of = (role: string) => messages.filter((message) => message.role === role);
  const answers = of("assistant").filter((message) => !isOnlyReading(message));
  return { heard: of("user").map(textOf).join("\n"), answers: answers.map(textOf) };
}

/** What is left of reading and writing when the client was killed between the two: the file was not written. */
function isOnlyReading({ content }: Message): boolean {
  return (
    typeof content !== "string" &&
    content.length > 0 &&
    content.every((block) => block.type === "tool_use" && block.name === "Read")
  );
}

function turnOf(move: Move): ScriptedTurn {
  if ("hang" in move) return () => new Promise<Turn>(() => {});
  const shared = {
    usage: usageOf(move.usage ?? USAGE),
    ...(move.delayMs === undefined ? {} : { delayMs: move.delayMs }),
  };
  if ("say" in move) return { ...shared, text: move.say };
  if ("answer" in move) return { ...shared, tools: [{ name: "StructuredOutput", input: move.answer }] };
  if ("run" in move) {
    return {
      ...shared,
      tools: [{ name: "Bash", input: { command: move.run, description: "Scripted command" } }],
    };
  }
  if ("call" in move) return { ...shared, tools: [{ name: move.call, input: move.input }] };
  if ("write" in move) return (request) => ({ ...shared, tools: writing(move.write, move.text, request) });
  return () => ({
    ...shared,
    error: {
      status: move.fail,
      type: ERROR_TYPES[move.fail] ?? "api_error",
      message: move.message ?? `Scripted ${move.fail}`,
      headers: { ...limitHeaders(move.fail, move.headers?.["retry-after"]), ...move.headers },
    },
  });
}

/** The client writes over no file that it has not read. */
function writing(path: string, content: string, request: RecordedRequest): NonNullable<Turn["tools"]> {
  // Newer clients say it in the first message.
  const folder = /Primary working directory: (.+?)(?:\\n|\n)/.exec(JSON.stringify(request.body))?.[1];
  const file_path = resolve(folder ?? "/", path);
  const write = { name: "Write", input: { file_path, content } };
  return existsSync(file_path) ? [{ name: "Read", input: { file_path } }, write] : [write];
}

/** A limit of the account that is over in so many seconds, as the service tells of one. */
function limitHeaders(status: number, seconds: string | undefined): { readonly [name: string]: string } {
  if (status !== 429 || seconds === undefined) return {};
  return {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(Math.ceil(Date.now() / 1_000) + Number(seconds)),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
  };
}

function usageOf({ input, output, cached = 0 }: MoveUsage): Usage {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached };
}
