/** JSON-RPC 2.0 over lines, as the Agent Client Protocol and the Model Context Protocol speak it on standard input and output. */
export interface Peer {
  /** One line from the other side. What isn't a message is answered or skipped as JSON-RPC says; this never throws. */
  receive(line: string): void;
  /** Resolves with the result, or rejects with an `RpcError`. */
  call(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): void;
  /** The other side is gone: every open call fails with this. */
  close(error: RpcError): void;
}

export interface PeerOptions {
  readonly send: (line: string) => void;
  /** Resolves with the result. An `RpcError` becomes the answer; anything else an internal error without details. */
  readonly answer: (request: RpcRequest) => Promise<unknown>;
  readonly hear: (method: string, params: unknown) => void;
}

export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

type RpcId = string | number;

/** An error as JSON-RPC has it. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** What `answer` resolves with when the other side no longer wants a response. */
export const NO_ANSWER = Symbol("no answer");

export function invalidParams(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `There is no method ${method.slice(0, 100)}.`);
}

interface OpenCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export function createPeer({ send, answer, hear }: PeerOptions): Peer {
  const open = new Map<RpcId, OpenCall>();
  let calls = 0;

  const tell = (message: object): void => send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const refuse = (id: RpcId | null, { code, message }: RpcError): void =>
    tell({ id, error: { code, message } });

  async function answerRequest(request: RpcRequest): Promise<void> {
    try {
      const result = await answer(request);
      if (result !== NO_ANSWER) tell({ id: request.id, result: result ?? null });
    } catch (error) {
      refuse(request.id, error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, "Internal error"));
    }
  }

  function settle(id: RpcId, message: { readonly [key: string]: unknown }): void {
    const call = open.get(id);
    open.delete(id);
    if (!("error" in message) || message["error"] === null) return call?.resolve(message["result"]);
    call?.reject(errorFrom(message["error"]));
  }

  function receiveMessage(message: { readonly [key: string]: unknown }): void {
    const { id, method, params } = message;
    if (typeof method === "string") {
      if (id === undefined) return hear(method, params);
      if (isId(id)) return void answerRequest({ id, method, params });
    } else if (isId(id) && ("result" in message || "error" in message)) return settle(id, message);
    refuse(isId(id) ? id : null, new RpcError(INVALID_REQUEST, "This is not a JSON-RPC message."));
  }

  return {
    receive(line) {
      if (line.trim() === "") return;
      const message = parsed(line);
      if (message === undefined) return refuse(null, new RpcError(PARSE_ERROR, "This line is not JSON."));
      if (typeof message === "object" && message !== null && !Array.isArray(message))
        return receiveMessage(message as { readonly [key: string]: unknown });
      refuse(null, new RpcError(INVALID_REQUEST, "Send one message a line, not a list."));
    },
    call(method, params) {
      const id = calls;
      calls += 1;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        tell({ id, method, params });
      });
    },
    notify: (method, params) => tell({ method, params }),
    close(error) {
      for (const call of open.values()) call.reject(error);
      open.clear();
    },
  };
}

/** undefined if it isn't JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function isId(id: unknown): id is RpcId {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
}

/** An error of the other side, whatever form it has. */
function errorFrom(error: unknown): RpcError {
  const { code, message, data } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  };
  return new RpcError(
    typeof code === "number" ? code : INTERNAL_ERROR,
    typeof message === "string" ? message : "no reason was given",
    data,
  );
}
