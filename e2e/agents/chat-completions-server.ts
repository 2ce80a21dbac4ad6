import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Move, MoveUsage, ScriptedModel, SpokenMove } from "./agent.ts";
import { spoken } from "./agent.ts";

/** What a client calls its tools, and how it wants their arguments. */
export interface ClientTools {
  /** `folder`: the project, as the client told the model; empty if it didn't. */
  write(path: string, text: string, folder: string): ToolCall;
  run(command: string): ToolCall;
}

export interface ToolCall {
  readonly name: string;
  readonly input: { readonly [name: string]: unknown };
}

export interface ChatCompletionsOptions {
  readonly tools: ClientTools;
  /** The usage of a move that has none. */
  readonly usage: MoveUsage;
  /** Headers of every failure, under those of the move. */
  readonly failureHeaders: { readonly [name: string]: string };
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[];
}

interface Answer {
  readonly text: string | null;
  readonly call: ToolCall | null;
  readonly usage: MoveUsage;
}

const CANNED_HELP = "Scripted session";
const NO_USAGE: MoveUsage = { input: 0, output: 0 };

/** A scripted model behind the chat completions API on loopback, streaming. It shows what a client does with given answers. */
export async function startChatCompletions(
  moves: readonly Move[],
  options: ChatCompletionsOptions,
): Promise<ScriptedModel> {
  const heard: string[] = [];
  const outside: string[] = [];
  let waiting = [...moves];
  let played = 0;
  /** A failure lasts as long as the same is asked, since a client does not believe the first one. */
  let failed: { readonly move: SpokenMove; readonly asked: string } | null = null;

  const nextMove = (request: ChatRequest, asked: string): SpokenMove => {
    if (failed?.asked === asked) return failed.move;
    played++;
    heard.push(newTextOf(request.messages));
    const move = spoken(waiting.shift() ?? { say: "Script over." });
    failed = "fail" in move ? { move, asked } : null;
    return move;
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(incoming);
    const path = incoming.url ?? "";
    if (!path.startsWith("/")) {
      outside.push(path);
      return sendError(response, 403, "Nothing outside is reached from here", {});
    }
    if (incoming.method !== "POST" || path !== "/v1/chat/completions") {
      return sendError(response, 404, `There is no ${path} here`, {});
    }
    const request = JSON.parse(body) as ChatRequest;
    // A client's own small calls, such as for a title, come without tools and are no part of the conversation.
    if ((request.tools?.length ?? 0) === 0) {
      return stream(response, request.model, { text: CANNED_HELP, call: null, usage: NO_USAGE }, "help");
    }
    const move = nextMove(request, `${String(incoming.headers["x-session-id"])} ${body}`);
    if (move.delayMs !== undefined) await sleep(move.delayMs);
    if ("hang" in move) return;
    if ("fail" in move) {
      const headers = { ...options.failureHeaders, ...move.headers };
      return sendError(response, move.fail, move.message ?? `Scripted failure ${move.fail}`, headers);
    }
    stream(response, request.model, answerOf(move, options, projectIn(body)), String(played));
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.on("connect", (request, socket) => {
    outside.push(request.url ?? "");
    // It is refused whether or not the client still listens.
    socket.on("error", () => {}).end("HTTP/1.1 403 Forbidden\r\n\r\n");
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
      failed = null;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function answerOf(
  move: Exclude<SpokenMove, { readonly fail: number } | { readonly hang: true }>,
  { tools, usage }: ChatCompletionsOptions,
  folder: string,
): Answer {
  const used = move.usage ?? usage;
  if ("say" in move) return { text: move.say, call: null, usage: used };
  if ("call" in move) return { text: null, call: { name: move.call, input: move.input }, usage: used };
  const call = "write" in move ? tools.write(move.write, move.text, folder) : tools.run(move.run);
  return { text: null, call, usage: used };
}

/** Every project of these tests has such a name. */
function projectIn(body: string): string {
  return /\/[^\s"\\`'<>]*\/loopwright-[^\s"\\`'<>/]+\/project(?![\w-])/.exec(body)?.[0] ?? "";
}

/** Text in two pieces, so that a client has to join them. */
function stream(
  response: ServerResponse,
  model: string,
  { text, call, usage }: Answer,
  serial: string,
): void {
  const chunk = (delta: object, finish: string | null): object => ({
    id: `chatcmpl-scripted-${serial}`,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const middle = Math.ceil((text?.length ?? 0) / 2);
  const pieces = text === null ? [] : [text.slice(0, middle), text.slice(middle)];
  const calls =
    call === null
      ? []
      : [
          {
            index: 0,
            id: `call_scripted_${serial}`,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.input) },
          },
        ];
  const cached = usage.cached ?? 0;
  const events = [
    chunk({ role: "assistant", content: "" }, null),
    ...pieces.map((content) => chunk({ content }, null)),
    ...calls.map((each) => chunk({ tool_calls: [each] }, null)),
    {
      ...chunk({}, call === null ? "stop" : "tool_calls"),
      usage: {
        prompt_tokens: usage.input + cached,
        completion_tokens: usage.output,
        total_tokens: usage.input + cached + usage.output,
        prompt_tokens_details: { cached_tokens: cached },
      },
    },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
}

function newTextOf(messages: readonly ChatMessage[]): string {
  return messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .map(({ content }) => {
      if (typeof content === "string") return content;
      return (content ?? []).map(({ text }) => text ?? "").join("\n");
    })
    .filter((text) => text !== "")
    .join("\n");
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  headers: { readonly [name: string]: string },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { message, type: "scripted_error" } }));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
