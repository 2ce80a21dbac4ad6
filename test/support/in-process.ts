import { resolve } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from "node:worker_threads";

export interface Call {
  readonly program: "loop" | "hook" | "git";
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly input: string;
}

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What the thread is sent: a call, where its outcome goes, and what wakes who waits for it. */
export interface Asked {
  readonly call: Call;
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

const LONGEST_WAIT_MS = 120_000;

let thread: Worker | null = null;

/**
 * Runs `loop` or its hook as its process would, and waits for the end as one waits for a process, but in one that stays:
 * no start of Node for each of thousands of calls. Where a process is the point, start one.
 *
 * It is not this process, since whatever starts a git is copied for it, and a process full of tests is large. A thread
 * talks to it, because this one waits.
 */
export function inProcess(call: Call): Outcome {
  thread ??= startThread();
  const { port1, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const asked: Asked = { call, port: port2, answered };
  thread.postMessage(asked, [port2]);
  Atomics.wait(answered, 0, 0, LONGEST_WAIT_MS);
  const received = receiveMessageOnPort(port1);
  port1.close();
  if (received === undefined)
    throw new Error(`${call.program} ${call.words.join(" ")} did not end within ${LONGEST_WAIT_MS / 1000} s`);
  return received.message;
}

function startThread(): Worker {
  const started = new Worker(resolve("dist/test-programs/in-process-thread.mjs"));
  started.unref();
  return started;
}
