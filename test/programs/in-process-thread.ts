import { fork } from "node:child_process";
import { resolve } from "node:path";
import { parentPort } from "node:worker_threads";
import type { Asked, Outcome } from "../support/in-process.ts";

/** Hands calls of a test, which waits, to the process that stays, one after the other. */
const process = fork(resolve("dist/test-programs/in-process.mjs"), {
  // Little garbage is kept, so that it stays small: what it starts begins as a copy of it.
  execArgv: ["--max-semi-space-size=2"],
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});

let current: Asked | null = null;

parentPort?.on("message", (asked: Asked) => {
  current = asked;
  process.send(asked.call);
});
process.on("message", (outcome) => answer(outcome as Outcome));
process.on("exit", (code, signal) =>
  answer({ code: null, out: "", err: `the process that stays ended with ${code ?? signal}` }),
);

function answer(outcome: Outcome): void {
  if (current === null) return;
  const { port, answered } = current;
  current = null;
  port.postMessage(outcome);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}
