import type { Check, Evidence } from "../../src/core/loop/criterion.ts";
import { isRepeatable } from "../../src/core/loop/criterion.ts";
import { DEFAULT_LIMITS } from "../../src/core/loop/limits.ts";
import type { EventOf, LoopEvent, OpenedGoal } from "../../src/core/events/event.ts";
import { evolve, evolveAll } from "../../src/core/events/evolve.ts";
import type { SessionId } from "../../src/core/loop/id.ts";
import { createLoopId, parseSessionId } from "../../src/core/loop/id.ts";
import type { Loop, Task } from "../../src/core/loop/loop.ts";
import { topFrame } from "../../src/core/loop/loop.ts";
import type {
  CheckChanges,
  DefinitionChanged,
  Proof,
  Proven,
  ShownProof,
} from "../../src/core/loop/proof.ts";
import type { SpecScore } from "../../src/core/spec/score.ts";
import { decide } from "../../src/core/stop/decide.ts";
import type {
  Observations,
  MustNotObservation,
  Need,
  StopFacts,
  Subject,
} from "../../src/core/stop/facts.ts";
import { SAID_NOTHING, mergeObservations } from "../../src/core/stop/facts.ts";
import type { Verdict } from "../../src/core/stop/verdict.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** When every loop of the tests is opened. */
export const START = Date.UTC(2026, 0, 5, 9);

export const SESSION: SessionId = sessionId("session-1");

export function sessionId(text: string): SessionId {
  const session = parseSessionId(text);
  if (session === null) throw new Error(`not a session id: ${text}`);
  return session;
}

const SCORE: SpecScore = {
  outcome: 2,
  scope: 2,
  constraints: 1,
  success: 1,
  done: 2,
  total: 8,
  evidence: { outcome: [], scope: [], constraints: [], success: [], done: [] },
  questions: [],
};

export function shellCheck(line: string): Check {
  return { command: { kind: "shell", line }, timeoutMs: 30_000, passEnv: [] };
}

/** `run tests` is the check of the criterion `tests`: what a criterion's evidence has to name. */
export function commandFor(name: string): string {
  return `run ${name}`;
}

/** A criterion that a check decides. */
export function checked(name: string): OpenedGoal["criteria"][number] {
  return { name, check: shellCheck(commandFor(name)) };
}

/** A criterion that somebody has to vouch for. */
export function unchecked(name: string): OpenedGoal["criteria"][number] {
  return { name, check: null };
}

export function goal(part: Partial<OpenedGoal> = {}): OpenedGoal {
  return {
    spec: "Fix the failing tests",
    exitRule: "criteria",
    mode: "loop",
    iterationLimit: 10,
    criteria: [],
    steps: [],
    ...part,
  };
}

export function opening(
  part: Partial<Omit<EventOf<"loop.opened">, "goal">> & { readonly goal?: Partial<OpenedGoal> } = {},
): EventOf<"loop.opened"> {
  return {
    type: "loop.opened",
    id: createLoopId("fix the failing tests", "a1b2"),
    by: "agent",
    origin: "native",
    folder: "",
    score: SCORE,
    shape: "tool",
    limits: DEFAULT_LIMITS,
    mustNots: [],
    protects: [],
    protectedDigest: null,
    redFirst: false,
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    start: { tree: "tree-0", head: "head-0" },
    binding: { session: SESSION, host: "claude-code" },
    attemptOf: null,
    ...part,
    goal: goal(part.goal),
  };
}

/** A loop that was opened at the start and to which, at once, these things happened. */
export function loopWith(part: Parameters<typeof opening>[0], ...events: readonly LoopEvent[]): Loop {
  return evolveAll(null, [opening(part), ...events], START);
}

/** A loop to which things happened at their own times, in milliseconds since the opening. */
export function loopOver(
  part: Parameters<typeof opening>[0],
  ...history: readonly (readonly [after: number, event: LoopEvent])[]
): Loop {
  let loop = loopWith(part);
  for (const [after, event] of history) loop = evolve(loop, event, START + after);
  return loop;
}

/** What a check of the criterion showed; it passes on the tree of the opening unless the part says otherwise. */
export function evidenceFor(name: string, part: Partial<Evidence> = {}): Evidence {
  const passed = part.passed ?? true;
  const outputTail = part.outputTail ?? (passed ? `${name}: ok` : `Error: ${name} is broken`);
  return {
    passed,
    command: commandFor(name),
    exitCode: passed ? 0 : 1,
    ending: passed ? "passed" : "failed with exit code 1",
    outputTail,
    outputDigest: `digest of ${outputTail}`,
    outputFile: null,
    treeDigest: "tree-0",
    protectedDigest: null,
    durationMs: 10,
    alteredTree: false,
    withheld: [],
    at: START,
    ...part,
  };
}

export function ran(name: string, part: Partial<Evidence> = {}): EventOf<"check.ran"> {
  return { type: "check.ran", name, evidence: evidenceFor(name, part), atStart: false };
}

export function task(id: string, status: Task["status"]): EventOf<"task.recorded"> {
  return {
    type: "task.recorded",
    task: { id, subject: `subject of ${id}`, status, blockedBy: [], wave: null, attempts: 0 },
  };
}

/** A plain end of a turn by the loop's own session, a minute in, with tools used and nothing said. */
export function stopFacts(part: Partial<StopFacts> = {}): StopFacts {
  return {
    now: START + MINUTE,
    disabled: false,
    session: SESSION,
    trusted: true,
    stop: "end-of-turn",
    continuesHold: true,
    personPresent: false,
    said: SAID_NOTHING,
    toolUses: 1,
    edits: [],
    holdCap: null,
    spent: null,
    findings: {},
    ...part,
  };
}

/** What a look at the project would show. A check that is not named here passes on the present tree. */
export interface World {
  readonly tree?: string | null;
  readonly head?: string | null;
  readonly mustNots?: readonly MustNotObservation[];
  readonly checks?: { readonly [name: string]: Partial<Evidence> };
  readonly outlasting?: readonly string[];
  readonly settlement?: Observations["settlement"];
  /** What the proofs show; left out: each check failed before the work, and nothing else was looked for. */
  readonly proven?: Partial<Proven>;
}

/** Every check of the frame failed before the work, and its tests are as they were; no more than that. */
export function provenFor(loop: Loop, part: Partial<Proven> = {}): Proven {
  const { criteria } = topFrame(loop);
  const red: CheckChanges = {
    before: "red",
    definitions: [],
    shortfalls: [],
    altersFiles: false,
    judgesSource: false,
  };
  const checks = criteria.filter(isRepeatable);
  return {
    changes: {
      missing: null,
      checks: new Map(checks.map(({ name }) => [name, red])),
      files: { source: ["src/cart.js"], tests: [], definitions: [], deleted: [] },
      isWorkThere: true,
    },
    shown: [...checks.map(({ name }) => shownProof("repeat", name)), ...NOTHING_TRIED],
    holdouts: [],
    ...part,
  };
}

/** Samples that had nothing to try, so that the other proofs decide. */
export const NOTHING_TRIED: readonly ShownProof[] = [
  { kind: "faults", name: null, result: "open", detail: null, files: [], output: null },
  { kind: "causes", name: null, result: "open", detail: null, files: [], output: null },
];

/** A proof that stands, unless the part says otherwise. */
export function shownProof(
  kind: ShownProof["kind"],
  name: string | null,
  part: Partial<ShownProof> = {},
): ShownProof {
  return { kind, name, result: "stands", detail: null, files: [], output: null, ...part };
}

export function proofShown(
  name: string | null,
  proof: Pick<Proof, "kind"> & Partial<Proof>,
): EventOf<"proof.shown"> {
  return { type: "proof.shown", name, proof: { result: "stands", detail: null, files: [], ...proof } };
}

/** A test file that was changed without anybody's leave, unless the part says otherwise. */
export function changedTest(path: string, part: Partial<DefinitionChanged> = {}): DefinitionChanged {
  return { name: path, path, isTest: true, change: "changed", isExempt: false, ...part };
}

export interface Settled {
  readonly verdict: Verdict;
  readonly events: readonly LoopEvent[];
  readonly types: readonly LoopEvent["type"][];
  readonly asked: readonly Need[];
  /** The loop after the decision. */
  readonly loop: Loop;
}

/** Decides as the app does: looks at what is asked for until there is a verdict. */
export function settle(loop: Loop, facts: StopFacts, world: World = {}): Settled {
  const subject: Subject = { type: "loop", loop };
  const asked: Need[] = [];
  let { findings } = facts;
  for (let round = 0; round < 8; round += 1) {
    const decision = decide(subject, { ...facts, findings });
    if (decision.type === "verdict") {
      const { verdict, events } = decision;
      const after = events.length === 0 ? loop : evolveAll(loop, events, facts.now);
      return { verdict, events, types: events.map((event) => event.type), asked, loop: after };
    }
    for (const need of decision.needs) {
      asked.push(need);
      findings = mergeObservations(findings, lookAt(loop, world, need));
    }
  }
  throw new Error("the stop decision keeps asking");
}

function lookAt(loop: Loop, world: World, need: Need): Observations {
  const { tree = "tree-0", head = "head-0" } = world;
  switch (need.type) {
    case "tree":
      return { tree, head };
    case "must-nots":
      return { mustNots: world.mustNots ?? [] };
    case "checks": {
      const names = need.names.filter((name) => !world.outlasting?.includes(name));
      const shown = names.map((name) => [
        name,
        evidenceFor(name, { treeDigest: tree, ...world.checks?.[name] }),
      ]);
      return {
        tree,
        checks: new Map(shown as [string, Evidence][]),
        outlasting: world.outlasting ?? [],
      };
    }
    case "proofs":
      return { proven: provenFor(loop, world.proven) };
    case "settlement":
      return { settlement: world.settlement ?? { rejected: [] } };
  }
}

/** A turn of the run `run-1` begins. */
export function launched(
  turn: string,
  iteration: number,
  step: string | null = null,
): EventOf<"turn.launched"> {
  const of = { run: sessionId("run-1"), driver: "codex", model: null };
  return { type: "turn.launched", turn, ...of, iteration, conversation: null, step, checkpoint: null };
}
