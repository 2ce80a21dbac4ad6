import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Move, MoveUsage, ScriptedModel, SpokenMove } from "./agent.ts";
import { spoken } from "./agent.ts";

/** A call of one of the client's tools, as this API writes it. */
interface FunctionCall {
  readonly name: string;
  readonly args: { readonly [name: string]: unknown };
}

interface Part {
  readonly text?: string;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: { readonly name: string; readonly response: unknown };
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

interface GenerateRequest {
  readonly contents: readonly Content[];
  readonly tools?: readonly unknown[];
}

type Failure = Extract<SpokenMove, { readonly fail: number }>;
type Answer = Exclude<SpokenMove, { readonly fail: number } | { readonly hang: true }>;

export interface GenerateContentServer extends ScriptedModel {
  /** Requests of the client for purposes of its own; they consume no move. */
  readonly helped: readonly string[];
}

interface Options {
  readonly moves: readonly Move[];
  /** The usage of a move that has none. */
  readonly usage: MoveUsage;
  /** What the client calls its tools, and how it wants their arguments. */
  readonly tools: {
    write(path: string, text: string): FunctionCall;
    run(command: string): FunctionCall;
  };
}

const SCRIPT_OVER: Move = { say: "Script over." };
const NOTHING_USED: MoveUsage = { input: 0, output: 0 };
/** The fields that the client's small calls ask for: who speaks next, which model suits, whether it goes in circles. */
const CANNED_HELP = {
  reasoning: "Scripted.",
  next_speaker: "user",
  model_choice: "flash",
  complexity_reasoning: "Scripted.",
  complexity_score: 1,
  unproductive_state_analysis: "Scripted.",
  unproductive_state_confidence: 0,
};
const STATUS_NAMES: { readonly [code: number]: string } = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/**
 * A model that says what a script tells it to, behind the Gemini API on loopback.
 * It is no model and shows nothing about one: it shows what a client does with given answers.
 */
export async function startGenerateContentServer(options: Options): Promise<GenerateContentServer> {
  const heard: string[] = [];
  const helped: string[] = [];
  const outside: string[] = [];
  let { moves } = options;
  let skipped = 0;

  const partOf = (move: Answer): Part => {
    if ("say" in move) return { text: move.say };
    if ("call" in move) return { functionCall: { name: move.call, args: move.input } };
    const { tools } = options;
    return { functionCall: "write" in move ? tools.write(move.write, move.text) : tools.run(move.run) };
  };

  const answer = async (path: string, body: GenerateRequest, response: ServerResponse): Promise<void> => {
    const [model = "", method = ""] = path.replace(/^.*\/models\//, "").split(":");
    // The conversation is streamed and has tools; whatever else the client asks is for itself.
    if (method !== "streamGenerateContent" || (body.tools?.length ?? 0) === 0) {
      helped.push(path);
      if (method === "countTokens") return sendJson(response, 200, { totalTokens: 1 });
      const parts = [{ text: JSON.stringify(CANNED_HELP) }];
      return sendAnswer(response, method, model, parts, NOTHING_USED);
    }
    const move = spoken(moves[heard.length - skipped] ?? SCRIPT_OVER);
    heard.push(newTextOf(body.contents));
    if (move.delayMs !== undefined) await sleep(move.delayMs);
    if ("hang" in move) return;
    if ("fail" in move) return sendJson(response, move.fail, errorBody(move), move.headers);
    sendAnswer(response, method, model, [partOf(move)], move.usage ?? options.usage);
  };

  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? "/").replace(/\?.*$/, "");
    if (!path.startsWith("/")) {
      outside.push(path);
      return sendJson(response, 403, {});
    }
    if (incoming.method !== "POST" || !path.includes("/models/")) {
      helped.push(path);
      return sendJson(response, 404, {});
    }
    readAll(incoming)
      .then((text) => answer(path, JSON.parse(text) as GenerateRequest, response))
      .catch(() => response.destroy());
  });
  server.on("connect", (request, socket) => {
    outside.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    helped,
    outside,
    get played() {
      return heard.length;
    },
    play(others) {
      moves = others;
      skipped = heard.length;
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

/** All text since the model's last answer: what a person, a tool, a hook or the client has said. */
function newTextOf(contents: readonly Content[]): string {
  const fresh = contents.slice(contents.findLastIndex(({ role }) => role === "model") + 1);
  return fresh
    .flatMap(({ parts = [] }) => parts)
    .map(({ text, functionResponse }) => text ?? JSON.stringify(functionResponse?.response ?? ""))
    .join("\n");
}

/** Text comes in two pieces, so that a client has to join them; the usage comes with the last. */
function sendAnswer(
  response: ServerResponse,
  method: string,
  model: string,
  parts: readonly Part[],
  usage: MoveUsage,
): void {
  const pieces = parts.flatMap(halves);
  const last = {
    candidates: [{ index: 0, content: { role: "model", parts: pieces.slice(-1) }, finishReason: "STOP" }],
    usageMetadata: usageMetadata(usage),
    modelVersion: model,
  };
  if (method !== "streamGenerateContent") {
    return sendJson(response, 200, {
      ...last,
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    });
  }
  const earlier = pieces
    .slice(0, -1)
    .map((part) => ({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] }));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of [...earlier, last]) response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  response.end();
}

function halves(part: Part): readonly Part[] {
  const { text } = part;
  if (text === undefined || text.length < 2) return [part];
  const middle = Math.ceil(text.length / 2);
  return [{ text: text.slice(0, middle) }, { text: text.slice(middle) }];
}

/** In this API the prompt's count includes what came from the cache. */
function usageMetadata({ input, output, cached = 0 }: MoveUsage): object {
  const promptTokenCount = input + cached;
  return {
    promptTokenCount,
    candidatesTokenCount: output,
    totalTokenCount: promptTokenCount + output,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
  };
}

/** A `retry-after` is said in the body as well, where this API's clients look for it. */
function errorBody({ fail, message, headers = {} }: Failure): object {
  const seconds = headers["retry-after"];
  return {
    error: {
      code: fail,
      message: message ?? "Scripted failure",
      status: STATUS_NAMES[fail] ?? "UNKNOWN",
      ...(seconds === undefined
        ? {}
        : {
            details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }],
          }),
    },
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
