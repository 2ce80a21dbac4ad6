import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  streamedAnswer,
  textOf,
  textOfContent,
  toolResultsOf,
  wholeAnswer,
  type Answer,
  type JsonObject,
  type MessagesRequest,
  type Usage,
} from "./messages-api.ts";

export interface ScriptedError {
  readonly status: number;
  /** Such as `rate_limit_error`, `overloaded_error`, `invalid_request_error`. */
  readonly type: string;
  readonly message: string;
  readonly headers?: { readonly [name: string]: string };
}

/** One answer of the model. With `tools` the client runs them and asks again; without, the turn is at its end. */
export interface Turn {
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly usage?: Usage;
  readonly stopReason?: "end_turn" | "tool_use" | "max_tokens" | "refusal";
  readonly error?: ScriptedError;
  /** Waits before it answers. */
  readonly delayMs?: number;
  /** Breaks the connection off after the first event, or at once when there is no stream. */
  readonly cut?: boolean;
}

export type ScriptedTurn = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

export interface Scenario {
  /** Answers the main loop's requests, in order. */
  readonly main?: readonly ScriptedTurn[];
  /** Answers those that come after them. */
  readonly rest?: ScriptedTurn;
  /** Answers the requests of subagents, in the order in which they come, whichever subagent asks. */
  readonly subagents?: readonly ScriptedTurn[];
  /** Answers requests for a summary of the conversation. */
  readonly compactions?: readonly ScriptedTurn[];
  /** Answers the client's own small calls, such as for a title; they never consume one of the others' turns. */
  readonly helper?: ScriptedTurn;
}

/** Who asks: the conversation itself, a subagent, a compaction, or the client for a purpose of its own. */
export type Asker = "main" | "subagent" | "compaction" | "helper";

export interface RecordedRequest {
  readonly asker: Asker;
  /** Counted from 0 among the requests of the same asker. */
  readonly index: number;
  readonly at: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: MessagesRequest;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  /** All text since the model's last answer: what a person, a tool, a hook or the client has said. */
  readonly newText: string;
  /** Results of the tools that the last answer called. */
  readonly toolResults: readonly { readonly text: string; readonly isError: boolean }[];
}

/** Anything that came in and was no request to the model. */
export interface RecordedProbe {
  readonly method: string;
  readonly path: string;
}

const SCRIPT_OVER: Turn = { text: "Script over." };
const CANNED_HELP: Turn = { text: "Scripted session" };
const CANNED_SUMMARY: Turn = { text: "<summary>\nScripted summary of the conversation.\n</summary>" };
const USAGE: Required<Usage> = {
  input_tokens: 1000,
  output_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

/**
 * A model that says what a script tells it to, behind the Anthropic Messages API on loopback.
 * It is no model and shows nothing about one: it shows what a client does with given answers.
 */
export class ModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly probes: RecordedProbe[] = [];
  /** Hosts that the client tried to reach through this server as its proxy; none was reached. */
  readonly outside: string[] = [];
  /** Faults of the script itself; `runClaude` throws on them, so that they do not look like the client's. */
  readonly faults: unknown[] = [];
  readonly #server: Server;
  #scenario: Scenario;
  #counts: { [asker in Asker]: number } = { main: 0, subagent: 0, compaction: 0, helper: 0 };
  #skipped: { [asker in Asker]: number } = { main: 0, subagent: 0, compaction: 0, helper: 0 };

  private constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.faults.push(error);
        response.destroy();
      });
    });
    this.#server.on("connect", (request, socket) => {
      this.outside.push(request.url ?? "");
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  }

  static async start(scenario: Scenario = {}): Promise<ModelServer> {
    const server = new ModelServer(scenario);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Goes on with another script; what was recorded stays. */
  play(scenario: Scenario): void {
    this.#scenario = scenario;
    this.#skipped = { ...this.#counts };
  }

  /** Requests of one asker, in order. */
  of(asker: Asker): readonly RecordedRequest[] {
    return this.requests.filter((request) => request.asker === asker);
  }

  /** Scripted turns of the main loop that were not asked for. */
  get unplayed(): number {
    return Math.max(0, (this.#scenario.main?.length ?? 0) - (this.#counts.main - this.#skipped.main));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? "/").replace(/\?.*$/, "");
    const text = await readAll(incoming);
    if (incoming.method === "POST" && path === "/v1/messages") {
      return this.#answer(incoming, JSON.parse(text) as MessagesRequest, response);
    }
    if (!path.startsWith("/")) {
      this.outside.push(path);
      return sendJson(response, 403, errorBody("permission_error", "Nothing outside is reached from here"));
    }
    this.probes.push({ method: incoming.method ?? "", path });
    if (incoming.method === "POST" && path === "/v1/messages/count_tokens") {
      return sendJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
    }
    if (path === "/") return sendJson(response, 200, {});
    return sendJson(response, 404, errorBody("not_found_error", `No ${path} in this scripted server`));
  }

  async #answer(incoming: IncomingMessage, body: MessagesRequest, response: ServerResponse): Promise<void> {
    const request = this.#record(incoming, body);
    const scripted = this.#turnFor(request);
    const turn = typeof scripted === "function" ? await scripted(request) : scripted;
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (turn.error) {
      const { status, type, message, headers } = turn.error;
      return sendJson(response, status, errorBody(type, message), headers);
    }
    const answer = asAnswer(turn, body.model, this.requests.length);
    if (body.stream !== true) {
      if (turn.cut) response.destroy();
      else sendJson(response, 200, wholeAnswer(answer));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${answer.id}` });
    for (const event of streamedAnswer(answer)) {
      response.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
      if (turn.cut) {
        await sleep(20);
        response.destroy();
        return;
      }
    }
    response.end();
  }

  #record(incoming: IncomingMessage, body: MessagesRequest): RecordedRequest {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    );
    const asker = askerOf(headers, body);
    const fresh = body.messages.slice(body.messages.findLastIndex(({ role }) => role === "assistant") + 1);
    const request: RecordedRequest = {
      asker,
      index: this.#counts[asker]++,
      at: Date.now(),
      headers,
      body,
      sessionId: headers["x-claude-code-session-id"] ?? null,
      agentId: headers["x-claude-code-agent-id"] ?? null,
      newText: fresh.map(textOf).join("\n"),
      toolResults: toolResultsOf(fresh).map((result) => ({
        text: textOfContent(result.content),
        isError: result.is_error === true,
      })),
    };
    this.requests.push(request);
    return request;
  }

  #turnFor({ asker, index }: RecordedRequest): ScriptedTurn {
    const at = index - this.#skipped[asker];
    switch (asker) {
      case "main":
        return this.#scenario.main?.[at] ?? this.#scenario.rest ?? SCRIPT_OVER;
      case "subagent":
        return this.#scenario.subagents?.[at] ?? SCRIPT_OVER;
      case "compaction":
        return this.#scenario.compactions?.[at] ?? CANNED_SUMMARY;
      case "helper":
        return this.#scenario.helper ?? CANNED_HELP;
    }
  }
}

function askerOf(headers: { readonly [name: string]: string }, body: MessagesRequest): Asker {
  if (headers["x-claude-code-agent-id"] !== undefined) return "subagent";
  const last = body.messages.at(-1);
  if (last !== undefined && /create a detailed summary of (the|this) conversation/i.test(textOf(last))) {
    return "compaction";
  }
  return (body.tools?.length ?? 0) > 0 ? "main" : "helper";
}

function asAnswer(turn: Turn, model: string, serial: number): Answer {
  const tools = (turn.tools ?? []).map(({ name, input }, index) => ({
    type: "tool_use" as const,
    id: `toolu_scripted_${serial}_${index}`,
    name,
    input,
  }));
  const text = turn.text === undefined ? [] : [{ type: "text" as const, text: turn.text }];
  return {
    id: `msg_scripted_${serial}`,
    model,
    content: [...text, ...tools],
    stopReason: turn.stopReason ?? (tools.length > 0 ? "tool_use" : "end_turn"),
    usage: { ...USAGE, ...turn.usage },
  };
}

function errorBody(type: string, message: string): JsonObject {
  return { type: "error", error: { type, message } };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
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
