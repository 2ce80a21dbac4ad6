import { isObject } from "../../core/plain-object.ts";
import { MODES, type Breakers, type ExitRule, type Mode, type Origin } from "../../core/loop/loop.ts";
import { readClaimedStatus, type VerificationType } from "../../core/loop/criterion.ts";

/** One level of a loop that another hook keeps. */
export interface ForeignFrame {
  /** Tells a frame from one that replaced it; null if the store has none. */
  readonly id: string | null;
  readonly mode: Mode;
  readonly iteration: number;
  readonly iterationLimit: number | null;
}

/** A loop that another hook keeps in its own store. */
export interface ForeignLoop {
  readonly origin: Exclude<Origin, "native">;
  readonly spec: string;
  readonly exitRule: ExitRule;
  /** Outermost first. */
  readonly frames: readonly [ForeignFrame, ...ForeignFrame[]];
  readonly criteria: readonly string[];
  readonly steps: readonly string[];
  /** What its own breaker counted; left out where it has none. */
  readonly stuck?: Breakers["stuck"];
}

/** What a store says. It only counts in the direction of letting go. */
export type ForeignState =
  | { readonly type: "none" }
  | { readonly type: "running"; readonly loop: ForeignLoop; readonly writtenAt: number | null }
  /** Done, cancelled, paused, aborted, or its own breaker is open. */
  | { readonly type: "over"; readonly why: string }
  | { readonly type: "corrupt"; readonly why: string };

export function isCounter(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

const STUCK_LIMIT = 5;

/** The parts of the file that aren't claims: what its author wants to happen to the loop. */
export interface StateEdits {
  /** `in_progress`, or how it is over. */
  readonly status: string;
  readonly isStuck: boolean;
  readonly spec: string;
  readonly criteria: readonly string[];
  /** The verification type of those it says are met. */
  readonly met: ReadonlyMap<string, VerificationType>;
}

/** A `.loop/state.json` that an agent wrote by hand: criteria, steps, an exit signal, a breaker. */
export function readStateJson(text: string): ForeignState {
  const value = parse(text);
  if (value === undefined) return { type: "corrupt", why: ".loop/state.json is not valid JSON" };
  if (!isObject(value)) return { type: "corrupt", why: ".loop/state.json is not a JSON object" };
  // With a loop id it is a view of our own loop, not a store.
  if (value["loopId"] !== undefined) return { type: "none" };
  const iteration = value["iteration"] === undefined ? 0 : value["iteration"];
  const stuckCount = stuckCountOf(value);
  if (!isCounter(iteration) || !isCounter(stuckCount)) {
    return { type: "corrupt", why: "a counter in .loop/state.json is not a number" };
  }
  if (value["criteriaStatus"] !== undefined && !isObject(value["criteriaStatus"])) {
    return { type: "corrupt", why: "criteriaStatus in .loop/state.json is not an object" };
  }
  if (value["status"] !== undefined && value["status"] !== "in_progress") {
    return { type: "over", why: JSON.stringify(value["status"]).slice(0, 40) };
  }
  if (stuckCount >= STUCK_LIMIT) return { type: "over", why: "its circuit breaker is open" };
  return {
    type: "running",
    writtenAt: null,
    loop: {
      origin: "state-file",
      spec: typeof value["spec"] === "string" ? value["spec"] : "",
      exitRule: "criteria",
      frames: [{ id: null, mode: "loop", iteration, iterationLimit: null }],
      criteria: criteriaOf(value),
      steps: unique(value["steps"]),
      stuck: { lastUnmet: lastUnmetOf(value), count: stuckCount },
    },
  };
}

/** For a file that was edited while our loop is active; null if it cannot be read. */
export function readStateEdits(text: string): StateEdits | null {
  const value = parse(text);
  if (!isObject(value)) return null;
  const { status = "in_progress", spec, criteriaStatus } = value;
  const stuckCount = stuckCountOf(value);
  return {
    status: typeof status === "string" ? status : "unknown",
    isStuck: isCounter(stuckCount) && stuckCount >= STUCK_LIMIT,
    spec: typeof spec === "string" ? spec : "",
    criteria: criteriaOf(value),
    met: isObject(criteriaStatus) ? metIn(criteriaStatus) : new Map(),
  };
}

function metIn(status: Fields): ReadonlyMap<string, VerificationType> {
  const met = new Map<string, VerificationType>();
  for (const name of Object.keys(status)) {
    const said = readClaimedStatus(status[name]);
    if (said?.met === true) met.set(name, said.by);
  }
  return met;
}

function stuckCountOf(value: Fields): unknown {
  const breaker = value["circuitBreaker"];
  if (!isObject(breaker)) return 0;
  return breaker["stuckCount"] === undefined ? 0 : breaker["stuckCount"];
}

function lastUnmetOf({ circuitBreaker }: Fields): string | null {
  const { lastUnmet } = isObject(circuitBreaker) ? circuitBreaker : {};
  return typeof lastUnmet === "string" && lastUnmet !== "" ? lastUnmet : null;
}

/** undefined isn't a JSON value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}

function criteriaOf(value: Fields): readonly string[] {
  const status = value["criteriaStatus"];
  const listed = unique(value["criteria"]);
  return unique([...listed, ...(isObject(status) ? Object.keys(status) : [])]);
}

export type Fields = { readonly [key: string]: unknown };

function unique(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((each): each is string => typeof each === "string" && each.trim() !== ""))];
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)([\s\S]*)$/;

/** `.claude/idle-loop.local.md`: front matter with `active, mode, iteration, max_iterations`, then the prompt. */
export function readIdleLoopFile(text: string): ForeignState {
  const match = FRONT_MATTER.exec(text.replace(/^\uFEFF/, ""));
  if (match === null) return { type: "corrupt", why: ".claude/idle-loop.local.md has no front matter" };
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(.*?)[ \\t\\r]*$`, "m")
      .exec(match[1] ?? "")?.[1]
      ?.replace(/^["']|["']$/g, "");
  if (field("active") !== "true") return { type: "over", why: "it is not active" };
  const iteration = field("iteration") ?? "";
  const limit = field("max_iterations") ?? "";
  if (!/^\d{1,9}$/.test(iteration) || !/^\d{1,9}$/.test(limit)) {
    return { type: "corrupt", why: "a counter in .claude/idle-loop.local.md is not a number" };
  }
  const mode = MODES.find((each) => each === field("mode")) ?? ("loop" satisfies Mode);
  return {
    type: "running",
    writtenAt: null,
    loop: {
      origin: "idle-loop",
      spec: (match[2] ?? "").trim(),
      exitRule: "signal",
      frames: [{ id: null, mode, iteration: Number(iteration), iterationLimit: Number(limit) }],
      criteria: [],
      steps: [],
    },
  };
}

/** The file with a new counter or its end; everything else stays unchanged. */
export function writeIdleLoopFile(
  text: string,
  state: { readonly active: boolean; readonly iteration: number },
): string {
  const replaceField = (source: string, name: string, value: string): string =>
    source.replace(new RegExp(`^(${name}:[ \\t]*).*?(\\r?)$`, "m"), `$1${value}$2`);
  return replaceField(
    replaceField(text, "iteration", String(state.iteration)),
    "active",
    String(state.active),
  );
}
