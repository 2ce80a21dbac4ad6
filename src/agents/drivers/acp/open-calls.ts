import { textAt, type JsonObject } from "../json-line.ts";

/** More open calls than any agent has; the oldest are forgotten. */
const MOST_CALLS = 1_000;

/** An agent's tool calls that are not over. It tells of a call in pieces, and asks about it with only some of them. */
export class OpenCalls {
  readonly #calls = new Map<string, JsonObject>();

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** A piece with what is known of its call. */
  merged(piece: JsonObject): JsonObject {
    const told = Object.entries(piece).filter(([, value]) => value !== null && !isEmpty(value));
    return { ...this.#calls.get(textAt(piece, "toolCallId") ?? ""), ...Object.fromEntries(told) };
  }

  /** The same, remembered. */
  see(id: string, piece: JsonObject): JsonObject {
    const call = this.merged(piece);
    this.#calls.set(id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }

  forget(id: string): void {
    this.#calls.delete(id);
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
