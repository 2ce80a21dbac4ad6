import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import type {
  AttemptEnvelope,
  AttemptResult,
  AttemptSignals,
  Executor,
} from "../../src/engine/plan/executor.ts";
import type { Tells, Told } from "../programs/attempt-worker.ts";
import type { PlayedPlace } from "./played-executor.ts";

const WORKER = resolve("dist/test-programs/attempt-worker.mjs");
const LOOK_MS = 50;

/** Runs each attempt in a process of its own that only lines of JSON lead to and from: a small model of another machine. */
export function childExecutor(place: PlayedPlace): Executor {
  const atWork = new Map<string, Promise<AttemptResult>>();
  return {
    runAttempt: async (envelope, signals) => {
      const { key } = envelope;
      const result = atWork.get(key) ?? inChild(place, envelope, signals).finally(() => atWork.delete(key));
      atWork.set(key, result);
      return result;
    },
  };
}

async function inChild(
  place: PlayedPlace,
  envelope: AttemptEnvelope,
  { signal, soon, tell, waitsUntil }: AttemptSignals,
): Promise<AttemptResult> {
  const child = spawn(process.execPath, [WORKER], { env: place.env, stdio: ["pipe", "pipe", "inherit"] });
  const send = (told: Told): void => void child.stdin.write(`${JSON.stringify(told)}\n`);
  child.stdin.on("error", () => undefined);
  let until: number | null = null;
  const look = (): void => {
    if (waitsUntil() !== until) send({ type: "wait", until: (until = waitsUntil()) });
  };
  const passOn = (from: AbortSignal, told: Told): void => {
    if (from.aborted) send(told);
    else from.addEventListener("abort", () => send(told));
  };
  look();
  passOn(signal, { type: "abort" });
  passOn(soon, { type: "soon" });
  send({ type: "run", place, envelope });
  const timer = setInterval(look, LOOK_MS);
  let result: AttemptResult | null = null;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const tells = JSON.parse(line) as Tells;
    if (tells.type === "news") tell(tells.news);
    else result = tells.result;
  });
  await new Promise((done) => child.on("close", done));
  clearInterval(timer);
  if (result === null) throw new Error("the worker ended without a result");
  return result;
}
