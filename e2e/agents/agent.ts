import type { DriverId } from "../../src/agents/drivers/driver.ts";

/** What one answer of a scripted model used. */
export interface MoveUsage {
  readonly input: number;
  readonly output: number;
  /** Part of the prompt that came from a cache, on top of `input`. */
  readonly cached?: number;
}

/** One answer of a scripted model, in words that the server of every client understands. */
export type Move = (
  | { readonly say: string }
  /** Answers a question, in the way that the client takes such answers. */
  | { readonly answer: { readonly [name: string]: unknown } }
  /** The client writes a file of the project (with its own writing tool) and asks again. */
  | { readonly write: string; readonly text: string }
  /** The client runs a command in its shell tool and asks again. */
  | { readonly run: string }
  /** The client calls a tool, by its own name for it, and asks again. */
  | { readonly call: string; readonly input: { readonly [name: string]: unknown } }
  /** A 429 with the header `retry-after` is a limit that is over in so many seconds, in the way of that client's service. */
  | {
      readonly fail: number;
      readonly message?: string;
      readonly headers?: { readonly [name: string]: string };
    }
  /** The request is never answered. */
  | { readonly hang: true }
) & { readonly usage?: MoveUsage; readonly delayMs?: number };

/** Of a client that takes an answer as words. */
export type SpokenMove = Exclude<Move, { readonly answer: unknown }>;

export function spoken(move: Move): SpokenMove {
  if (!("answer" in move)) return move;
  const { answer, ...rest } = move;
  return { ...rest, say: JSON.stringify(answer) };
}

/** One of several conversations that go on at the same time, as far as an answer depends on it. */
export interface Conversation {
  /** All that the client has told the model. */
  readonly heard: string;
  /** What the model has said, or the client in its place; empty where it called a tool. */
  readonly answers: readonly string[];
}

/** A model that chooses each answer by the conversation, and not by the order in which it is asked. */
export type Talk = (conversation: Conversation) => Move | Promise<Move>;

/** A scripted model on loopback. When its moves are used up it says "Script over.". */
export interface ScriptedModel {
  readonly url: string;
  /** Text of each request of the conversation since the model's last answer, in order. */
  readonly heard: readonly string[];
  /** How many moves were asked for. */
  readonly played: number;
  /** What the client wanted from elsewhere through this server as its proxy; none of it was reached. */
  readonly outside: readonly string[];
  /** Goes on with other moves. */
  play(moves: readonly Move[]): void;
  close(): Promise<void>;
}

/** A real client and how it is brought to talk to a scripted model and to nobody else. */
export interface ScriptedAgent<Model extends ScriptedModel = ScriptedModel> {
  /** What `--agent` is given. */
  readonly id: Exclude<DriverId, "command" | "rehearsal" | "acp"> | `acp:${string}`;
  /** It takes seconds to start: what quicker clients show, too, is left to full effort. */
  readonly isSlow?: true;
  /** Folder to put on PATH, so that the client's program is found under its usual name. */
  readonly bin: string;
  /** The usage that a move without one has. */
  readonly usage: MoveUsage;
  /** Dollars that one use costs by the price table, or by the client's own. */
  dollars(usage: MoveUsage): number;
  startModel(moves: readonly Move[]): Promise<Model>;
  startTalk?(talk: Talk): Promise<Model>;
  /** Variables of an environment built from nothing, beside PATH and HOME; may write configuration into `home`. */
  environment(home: string, model: ScriptedModel): { readonly [name: string]: string };
  /** Arguments for `loop run` without which the client does not work here, whatever it may do. */
  readonly stock: readonly string[];
  /** Arguments for `loop run` so that everything is allowed, and so that nothing is. */
  readonly permissive: readonly string[];
  readonly restrictive: readonly string[];
}
