import { MODES, type Mode } from "../../core/loop/loop.ts";
import { isObject } from "../../core/plain-object.ts";
import { isCounter, type Fields, type ForeignFrame, type ForeignState } from "./foreign-formats.ts";
import { execFile } from "node:child_process";
import { findOnPath } from "../../system/files/find-on-path.ts";

export type JwzMessage = Fields;

/** A message of the `jwz` topic `loop:current`: the last line is the state, with a stack of frames. */
export function readJwzMessage(output: string): {
  readonly state: ForeignState;
  readonly message: JwzMessage;
  readonly writtenAt: number | null;
} {
  const line = output.trim().split("\n").at(-1) ?? "";
  const message = parseObject(line);
  if (message === null && line.startsWith("{")) {
    const state: ForeignState = {
      type: "corrupt",
      why: "the last message of loop:current is not valid JSON",
    };
    return { state, message: {}, writtenAt: null };
  }
  if (message === null || message["schema"] === undefined) {
    return { state: { type: "none" }, message: {}, writtenAt: null };
  }
  const writtenAt = timeOf(message);
  return { state: stateOf(message, writtenAt), message, writtenAt };
}

function timeOf(message: JwzMessage): number | null {
  const updatedAt =
    typeof message["updated_at"] === "string" ? Date.parse(message["updated_at"]) : Number.NaN;
  return Number.isNaN(updatedAt) ? null : updatedAt;
}

function stateOf(message: JwzMessage, writtenAt: number | null): ForeignState {
  const event = message["event"] ?? "STATE";
  if (event !== "STATE") return { type: "over", why: JSON.stringify(event).slice(0, 40) };
  const stack = message["stack"];
  if (!Array.isArray(stack) || stack.length === 0) return { type: "none" };
  const frames = stack.map(frameOf);
  const [first, ...rest] = frames;
  if (first == null || rest.includes(null))
    return { type: "corrupt", why: "a counter in loop:current is not a number" };
  // Nobody can tell whether it is stale.
  if (writtenAt === null) return { type: "corrupt", why: "the time in loop:current can't be read" };
  return {
    type: "running",
    writtenAt,
    loop: {
      origin: "jwz",
      spec: typeof message["run_id"] === "string" ? message["run_id"].slice(0, 200) : "loop",
      exitRule: "signal",
      frames: [first, ...rest.flatMap((frame) => (frame === null ? [] : [frame]))],
      criteria: [],
      steps: [],
    },
  };
}

function frameOf(value: unknown): ForeignFrame | null {
  const { id, iter, max, mode } = isObject(value) ? value : {};
  if (!isCounter(iter) || !isCounter(max)) return null;
  return {
    id: typeof id === "string" ? id : null,
    mode: MODES.find((each) => each === mode) ?? ("loop" satisfies Mode),
    iteration: iter,
    iterationLimit: max,
  };
}

/** The state after a hold or an inner frame's end. Foreign fields stay in their frames. */
export function continuedMessage(message: JwzMessage, iterations: readonly number[], now: number): string {
  const stack = Array.isArray(message["stack"]) ? (message["stack"] as readonly JwzMessage[]) : [];
  const kept = stack
    .slice(0, iterations.length)
    .map((frame, index) => ({ ...frame, iter: iterations[index] }));
  return JSON.stringify({ ...message, event: "STATE", updated_at: timeText(now), stack: kept });
}

export function endedMessage(
  message: JwzMessage,
  event: "DONE" | "ABORT",
  reason: string,
  now: number,
): string {
  return JSON.stringify({
    schema: message["schema"] ?? 1,
    event,
    reason,
    run_id: message["run_id"] ?? null,
    updated_at: timeText(now),
    stack: [],
  });
}

function timeText(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}

function parseObject(line: string): JwzMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const TOPIC = "loop:current";
/** A hook has seconds, and reading a topic takes milliseconds. */
const TIME_LIMIT_MS = 3_000;
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

export interface Jwz {
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export function findJwz(env: NodeJS.ProcessEnv): string | null {
  return findOnPath("jwz", env);
}

/** The content of the topic; null if there is none. Throws if jwz doesn't answer. */
export async function readTopic(jwz: Jwz): Promise<string | null> {
  const { ended, stdout } = await run(jwz, ["read", TOPIC]);
  return ended === "well" ? stdout : null;
}

export async function postToTopic(jwz: Jwz, message: string): Promise<void> {
  const { ended } = await run(jwz, ["post", TOPIC, "-m", message]);
  if (ended !== "well") throw new Error("jwz did not accept the message");
}

async function run(
  jwz: Jwz,
  args: readonly string[],
): Promise<{ readonly ended: "well" | "badly"; readonly stdout: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: jwz.cwd,
      env: jwz.env,
      timeout: TIME_LIMIT_MS,
      killSignal: "SIGKILL",
      maxBuffer: OUTPUT_LIMIT_BYTES,
      windowsHide: true,
    } as const;
    execFile(jwz.program, args, options, (error, stdout) => {
      if (error === null) resolve({ ended: "well", stdout });
      else if (typeof error.code === "number") resolve({ ended: "badly", stdout });
      else
        reject(
          new Error(`jwz did not answer (${error.killed === true ? "too slow" : (error.code ?? "ended")})`),
        );
    });
  });
}
