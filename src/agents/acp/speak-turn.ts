import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../drivers/acp/lines.ts";
import { OpenCalls } from "../drivers/acp/open-calls.ts";
import { isAllowed } from "../drivers/acp/permission.ts";
import type { Turn } from "../drivers/driver.ts";
import { asObject, objectAt, objectsAt, textAt, type JsonObject } from "../drivers/json-line.ts";
import { createLineSplitter } from "../../system/files/lines.ts";
import {
  createPeer,
  methodNotFound,
  RpcError,
  type Peer,
  type RpcRequest,
} from "../../system/json-rpc/peer.ts";
import { linePrinter } from "./print-lines.ts";
import { openSession } from "./session.ts";

/** One turn to have with an agent. */
export interface SpokenTurn extends Pick<
  Turn,
  "prompt" | "conversation" | "model" | "permissionMode" | "allow" | "checks"
> {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly output: Writable;
  /** Whether a path lies in the project. */
  readonly isInside: (path: string) => boolean;
  /** The turn is to end now. */
  readonly signal: AbortSignal;
}

const ENDED = 0;
const TROUBLED = 1;
const LONGEST_MESSAGE_BYTES = 32 * 1024 * 1024;
/** An agent may be downloaded first (`npx …`). */
const START_LIMIT_MS = 120_000;
/** Time to store the conversation, once it knows that nobody asks any more. */
const LEAVE_MS = 3_000;
const CANCEL_MS = 400;

/** Starts the agent, has one turn with it and prints what was said; returns the exit code. */
export async function speakTurn(turn: SpokenTurn): Promise<number> {
  const printer = linePrinter(turn.output);
  let step: Step = "start";
  let isAsked = false;
  let heardAt = 0;
  const calls = new OpenCalls();
  // In our own group, so that whatever ends us ends it.
  const child = spawn(turn.argv[0], turn.argv.slice(1), {
    cwd: turn.cwd,
    env: turn.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const peer = createPeer({
    send: (line) => void child.stdin.write(`${line}\n`),
    answer: async (request) => answerAgent(request),
    hear(method, params) {
      heardAt = performance.now();
      const update = objectAt(params, "update");
      // A loaded conversation is told again before the turn.
      if (!isAsked || method !== "session/update" || update === null) return;
      const id = textAt(update, "toolCallId");
      if (id !== null) calls.see(id, update);
      printer.tell({ type: "update", update });
    },
  });

  function answerAgent({ method, params }: RpcRequest): object {
    if (method !== "session/request_permission") throw methodNotFound(method);
    const call = asObject(asObject(params)?.["toolCall"]) ?? {};
    if (turn.signal.aborted) return { outcome: { outcome: "cancelled" } };
    // Some agents say what kind of call it is only when they tell of it.
    const allowed = isAllowed(calls.merged(call), turn, turn.isInside);
    printer.tell({ type: "answered", call, allowed });
    return { outcome: outcomeOf(params, allowed) };
  }

  const gone = followEnd(child, peer);
  child.stdin.on("error", () => {}); // Its end says more.
  const lines = createLineSplitter(LONGEST_MESSAGE_BYTES, (line) => peer.receive(line));
  child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));

  try {
    const session = await within(
      START_LIMIT_MS,
      openSession(peer, turn, (next) => (step = next)),
    );
    printer.tell({ type: "opened", session: session.id, agent: session.agent, model: session.model });
    if (turn.conversation !== null) await quietSince(() => heardAt);
    step = "prompt";
    isAsked = true;
    const prompt = [{ type: "text", text: turn.prompt }];
    const answered = peer.call("session/prompt", { sessionId: session.id, prompt });
    const cancelled = cancelledBy(turn.signal, () =>
      peer.notify("session/cancel", { sessionId: session.id }),
    );
    printer.tell({ type: "ended", result: await Promise.race([answered, cancelled]) });
    return ENDED;
  } catch (error) {
    const ending = await Promise.race([gone, sleep(0, null)]);
    if (ending !== null) printer.tell({ type: "gone", step, ...ending });
    else printer.tell({ type: "failed", step, error: errorOf(error) });
    return TROUBLED;
  } finally {
    await printer.end();
    child.stdin.end();
    await Promise.race([gone, sleep(turn.signal.aborted ? 0 : LEAVE_MS)]);
  }
}

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

const NOT_FOUND = 127;
const GONE = "the agent is gone";
const LAST_WORDS_MS = 500;

/** Resolves when the agent is gone, after its last line was read. Its open calls fail then. */
function followEnd(child: ChildProcess, peer: Peer): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const end = (ending: ProcessEnd, why: string): void => {
      resolve(ending);
      peer.close(new RpcError(0, why));
    };
    child.on("error", ({ message }) => {
      process.stderr.write(`${message}\n`);
      end({ code: NOT_FOUND, signal: null }, message);
    });
    child.on("close", (code, signal) => end({ code, signal }, GONE));
    // Something it started may keep its output open.
    child.on("exit", (code, signal) => void setTimeout(() => end({ code, signal }, GONE), LAST_WORDS_MS));
  });
}

const QUIET_MS = 300;
const LONGEST_REPLAY_MS = 10_000;

/** Some agents still tell the loaded conversation again when they have said that it is loaded. */
async function quietSince(heardAt: () => number): Promise<void> {
  const began = performance.now();
  for (let now = began; now - began < LONGEST_REPLAY_MS; now = performance.now()) {
    const quietMs = now - Math.max(heardAt(), began);
    if (quietMs >= QUIET_MS) return;
    await sleep(QUIET_MS - quietMs);
  }
}

async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  const over = new AbortController();
  const late = sleep(limitMs, null, { signal: over.signal }).then(() => {
    throw new RpcError(0, `no answer within ${limitMs / 1000} seconds`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/** Rejects when the agent had time to end its turn after it was told to. */
function cancelledBy(signal: AbortSignal, cancel: () => void): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => {
      cancel();
      setTimeout(() => reject(new RpcError(0, "the turn was cancelled")), CANCEL_MS);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** The agent's own word for yes or no this time; never one that holds beyond the question, unless there is no other. */
function outcomeOf(params: unknown, allowed: boolean): object {
  const options = objectsAt(params, "options");
  const kinds = allowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const found = kinds
    .map((kind) => options.find((each: JsonObject) => textAt(each, "kind") === kind))
    .find((each) => each !== undefined);
  const optionId = textAt(found, "optionId");
  return optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId };
}

function errorOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (!(error instanceof RpcError)) return { code: 0, message: String(error) };
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}
