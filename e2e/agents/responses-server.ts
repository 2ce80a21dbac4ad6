import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Conversation, Move, MoveUsage, ScriptedModel, SpokenMove, Talk } from "./agent.ts";
import { spoken } from "./agent.ts";

export interface ResponsesOptions {
  /** The usage of a move that has none. */
  readonly usage: MoveUsage;
  /** How the client writes a file and runs a command, as output items of the model. */
  readonly tools: {
    write(path: string, text: string): OutputItem;
    run(command: string): OutputItem;
  };
}

/** An item of an answer, or an event of its stream. */
export interface OutputItem {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface ResponsesRequest {
  readonly input: readonly InputItem[];
}

interface InputItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly output?: string | readonly { readonly text?: string }[];
}

const ASKS_FOR_TITLE = "Generate a concise, single-line task title";
const TITLE = [
  {
    type: "response.output_item.done",
    output_index: 0,
    item: {
      type: "message",
      id: "msg_title",
      role: "assistant",
      content: [{ type: "output_text", text: "Scripted" }],
    },
  },
  { type: "response.completed", response: completed({ input: 0, output: 0 }, 0) },
];

/** A scripted model behind OpenAI's Responses API on loopback, streaming. It shows what a client does with given answers. */
export async function startResponses(
  script: readonly Move[] | Talk,
  options: ResponsesOptions,
): Promise<ScriptedModel> {
  const heard: string[] = [];
  const outside: string[] = [];
  let waiting = typeof script === "function" ? [] : [...script];
  let played = 0;

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(incoming);
    const path = incoming.url ?? "";
    if (!path.startsWith("/")) {
      outside.push(path);
      return sendError(response, 403, "Nothing outside is reached from here", {});
    }
    if (incoming.method !== "POST" || path !== "/v1/responses") {
      return sendError(response, 404, `There is no ${path} here`, {});
    }
    const { input } = JSON.parse(body) as ResponsesRequest;
    // In a terminal, the client asks for a title meanwhile, which is no part of the conversation.
    if (newTextOf(input).includes(ASKS_FOR_TITLE)) return stream(response, TITLE);
    heard.push(newTextOf(input));
    const serial = ++played;
    const move = spoken(
      typeof script === "function"
        ? await script(conversationOf(input))
        : (waiting.shift() ?? { say: "Script over." }),
    );
    if (move.delayMs !== undefined) await sleep(move.delayMs);
    if ("hang" in move) return;
    if ("fail" in move) return sendFailure(response, move, serial);
    stream(response, [
      { type: "response.output_item.done", output_index: 0, item: itemOf(move, serial, options) },
      { type: "response.completed", response: completed(move.usage ?? options.usage, serial) },
    ]);
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
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
    outside,
    get played() {
      return played;
    },
    play(others) {
      waiting = [...others];
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

type Answer = Exclude<SpokenMove, { readonly fail: number } | { readonly hang: true }>;
type Failure = Extract<SpokenMove, { readonly fail: number }>;

function itemOf(move: Answer, serial: number, { tools }: ResponsesOptions): OutputItem {
  if ("say" in move) {
    const content = [{ type: "output_text", text: move.say }];
    return { type: "message", id: `msg_scripted_${serial}`, role: "assistant", content };
  }
  if ("call" in move) {
    // Tools of a server are called by its name and theirs: `mcp__loop/status`.
    const [, namespace, name = move.call] = /^(.+)\/(.+)$/.exec(move.call) ?? [];
    const named = {
      type: "function_call",
      ...(namespace === undefined ? {} : { namespace }),
      name,
      arguments: JSON.stringify(move.input),
    };
    return { id: `fc_scripted_${serial}`, call_id: `call_scripted_${serial}`, ...named };
  }
  const call = "write" in move ? tools.write(move.write, move.text) : tools.run(move.run);
  return { id: `fc_scripted_${serial}`, call_id: `call_scripted_${serial}`, ...call };
}

/** The service counts what came from the cache as part of the input. */
function completed({ input, output, cached = 0 }: MoveUsage, serial: number): object {
  return {
    id: `resp_scripted_${serial}`,
    usage: {
      input_tokens: input + cached,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cached + output,
    },
  };
}

/**
 * A limit with a time to wait comes the way in which it gets through to a caller of the client: within the answer.
 * The header of a refused request is for the client's own retries alone.
 */
function sendFailure(
  response: ServerResponse,
  { fail, message, headers = {} }: Failure,
  serial: number,
): void {
  const text = message ?? `Scripted failure ${fail}`;
  const wait = headers["retry-after"];
  if (fail !== 429 || wait === undefined) return sendError(response, fail, text, headers);
  const error = { code: "rate_limit_exceeded", message: `${text}. Please try again in ${wait}s.` };
  stream(response, [{ type: "response.failed", response: { id: `resp_scripted_${serial}`, error } }]);
}

function stream(response: ServerResponse, events: readonly OutputItem[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of [{ type: "response.created", response: {} }, ...events]) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: { readonly [name: string]: string },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { type: "scripted_error", message } }));
}

/** What a person or a tool has said since the model's last answer. */
function newTextOf(input: readonly InputItem[]): string {
  return textOf(input.slice(input.findLastIndex(isAnswer) + 1).filter(isTold));
}

function conversationOf(input: readonly InputItem[]): Conversation {
  return {
    heard: textOf(input.filter(isTold)),
    answers: input.filter(isAnswer).map((each) => textOf([each])),
  };
}

function isTold({ type, role }: InputItem): boolean {
  return role === "user" || type.endsWith("_output");
}

function isAnswer({ type, role }: InputItem): boolean {
  return role === "assistant" || type.endsWith("_call");
}

function textOf(input: readonly InputItem[]): string {
  return input
    .flatMap(({ content, output }) => {
      if (typeof output === "string") return [output];
      return (content ?? output ?? []).map(({ text }) => text ?? "");
    })
    .join("\n");
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
