import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  HOUR,
  MINUTE,
  SESSION,
  START,
  checked,
  commandFor,
  evidenceFor,
  goal,
  opening,
  sessionId,
  shellCheck,
  task,
  unchecked,
} from "../../test/support/loop-builders.ts";
import type { Criterion, Evidence } from "./criterion.ts";
import { VERIFICATION_TYPES, strengthOf } from "./criterion.ts";
import type { LoopEvent, OpenedGoal } from "./event.ts";
import { evolve } from "./evolve.ts";
import type { Loop } from "./loop.ts";
import { CLOSED_BREAKERS, EXIT_RULES, MODES, SHAPES, TASK_STATUSES, isEnded, topFrame } from "./loop.ts";
import { decide } from "./stop/decide.ts";
import type { Claim, Findings, Need, Said, StopFacts } from "./stop/facts.ts";
import type { Decision, Verdict } from "./stop/verdict.ts";

/** Few names and few trees, so that random commands often speak of the same thing. */
const NAMES = ["a", "b", "c"] as const;
const TREES = ["tree-0", "tree-1", null] as const;
const SESSIONS = [SESSION, SESSION, SESSION, sessionId("session-2")] as const;

type Command =
  | { readonly do: "say"; readonly event: LoopEvent }
  | { readonly do: "pass time"; readonly ms: number }
  | { readonly do: "change tree"; readonly tree: string | null }
  | { readonly do: "change protected files"; readonly digest: string }
  | { readonly do: "break or mend"; readonly name: string; readonly passes: boolean }
  | { readonly do: "stop"; readonly facts: Omit<StopFacts, "now" | "findings">; readonly given: Given };

/** What a caller has found before it is asked; it may be about criteria that are not, or no longer, there. */
interface Given {
  readonly checks: readonly (readonly [string, Evidence])[];
  readonly outlasting: readonly string[];
  readonly violation: string | null;
  readonly alters: boolean;
}

const name = fc.constantFrom(...NAMES);
const tree = fc.constantFrom(...TREES);
const source = fc.constantFrom("command", "status-block", "state-file");
const by = fc.constantFrom(...VERIFICATION_TYPES);
const criterion = name.chain((each) => fc.constantFrom(checked(each), unchecked(each)));

const evidence = fc
  .record({
    name,
    passed: fc.boolean(),
    treeDigest: tree,
    protectedDigest: fc.constantFrom(null, "locked", "altered"),
    alteredTree: fc.boolean(),
    outputTail: fc.constantFrom("Error: x", "Error: y", "", "\ud83d"),
  })
  .map(({ name: about, ...part }) => [about, evidenceFor(about, part)] as const);

const claim: fc.Arbitrary<Claim> = fc.oneof(
  fc.record({ type: fc.constant("met"), name, by, source }),
  fc.record({ type: fc.constant("unmet"), name, source }),
  fc.record({ type: fc.constant("step-done"), name, source }),
  fc.record({ type: fc.constant("exit"), source }),
);
const blocked: fc.Arbitrary<Claim> = fc.constant({ type: "blocked", reason: "needs a password" });

const said: fc.Arbitrary<Said> = fc.record({
  claims: fc
    .tuple(fc.array(claim, { maxLength: 3 }), fc.option(blocked, { freq: 20 }))
    .map(([claims, obstacle]) => (obstacle === null ? claims : [...claims, obstacle])),
  marker: fc.boolean(),
  signals: fc.array(
    fc.constantFrom(
      { tag: "loop-done", signal: "COMPLETE" },
      { tag: "loop-done", signal: "STUCK" },
      { tag: "loop-done", signal: "MAX_ITERATIONS" },
      { tag: "issue-complete", signal: "DONE" },
      { tag: "grind-done", signal: "NO_MORE_ISSUES" },
    ),
    { maxLength: 2 },
  ),
});

const facts: fc.Arbitrary<Omit<StopFacts, "now" | "findings">> = fc.record({
  disabled: rarely(true, false),
  session: rarely(null, ...SESSIONS),
  trusted: rarely(false, true),
  stop: fc.oneof(
    { weight: 6, arbitrary: fc.constant("end-of-turn" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("subagent", "background-work", "interrupt", "awaiting-user", "api-error"),
    },
  ),
  continuesHold: fc.boolean(),
  personPresent: fc.boolean(),
  said,
  toolUses: fc.constantFrom(null, 0, 1, 7),
  edits: fc.array(
    fc.record({ path: name, contentDigest: name, failure: fc.option(fc.constant("Error: x")) }),
    { maxLength: 8 },
  ),
});

const given: fc.Arbitrary<Given> = fc.record({
  checks: fc.oneof(fc.constant([]), fc.array(evidence, { maxLength: 3 })),
  outlasting: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(name) }),
  violation: rarely("db/schema.sql changed", null),
  alters: fc.boolean(),
});

const openedGoal: fc.Arbitrary<OpenedGoal> = fc
  .record({
    exitRule: fc.constantFrom("criteria", ...EXIT_RULES),
    mode: fc.constantFrom(...MODES),
    iterationLimit: fc.option(fc.integer({ min: 0, max: 6 })),
    criteria: fc.uniqueArray(criterion, { selector: (each) => each.name, maxLength: 3 }),
    steps: fc.uniqueArray(name, { maxLength: 2 }),
  })
  .map(goal);

const limits = fc.record({
  budgetUsd: fc.option(fc.constant(25)),
  tokens: fc.option(fc.constant(1_000), { freq: 4 }),
  minutes: fc.option(fc.constant(600), { freq: 4 }),
  stuck: fc.constantFrom(0, 2, 5),
  sameError: fc.constantFrom(0, 1, 3),
  sameFile: fc.constantFrom(0, 5),
  noProgress: fc.constantFrom(0, 1, 3),
  ttlMs: fc.constant(2 * HOUR),
});

const start = fc
  .record({
    goal: openedGoal,
    limits,
    shape: fc.constantFrom(...SHAPES),
    origin: fc.constantFrom("native", "native", "seed-004"),
    start: fc.record({ tree, head: fc.constant("head-0") }),
    binding: rarely(null, { session: SESSION, host: "claude-code" }),
    mustNots: fc.constantFrom([], [{ kind: "path" as const, glob: "db/**" }]),
    protectedDigest: fc.constantFrom(null, "locked"),
  })
  .map((part) => opening({ ...part, protects: part.protectedDigest === null ? [] : ["test/**"] }));

const actor = fc.constant("person");
const event: fc.Arbitrary<LoopEvent> = fc.oneof(
  fc.constant<LoopEvent>({ type: "turn.started" }),
  fc.constantFrom(...SESSIONS).map((session): LoopEvent => ({
    type: "session.bound",
    binding: { session, host: "claude-code" },
  })),
  openedGoal.map((inner): LoopEvent => ({ type: "frame.pushed", goal: inner, by: "agent" })),
  fc.record({
    type: fc.constant("loop.paused"),
    reason: fc.constant("user"),
    detail: fc.constant(null),
    by: actor,
  }),
  fc.record({
    type: fc.constant("loop.continued"),
    addedUsd: fc.option(fc.integer({ min: 0, max: 50 })),
    addedIterations: fc.option(fc.integer({ min: 0, max: 5 })),
    by: actor,
  }),
  fc.record({ type: rarely("loop.cancelled", "turn.started"), by: actor }) as fc.Arbitrary<LoopEvent>,
  fc.record({
    type: fc.constant("cost.charged"),
    usd: fc.double({ min: 0, max: 9, noNaN: true }),
    tokens: fc.integer({ min: 0, max: 300 }),
    priced: fc.boolean(),
  }),
  criterion.map((each): LoopEvent => ({ type: "criterion.added", ...each, by: "agent" })),
  fc.tuple(name, fc.constantFrom(null, "run", "run all")).map(([about, line]): LoopEvent => ({
    type: "criterion.amended",
    name: about,
    check: line === null ? null : shellCheck(`${line} ${about}`),
    by: "person",
  })),
  fc.record({ type: fc.constant("criterion.removed"), name, by: actor }),
  fc.record({ type: fc.constant("criterion.attested"), name, by, note: fc.constant(null), source }),
  fc.record({ type: fc.constant("criterion.disclaimed"), name, source }),
  evidence.map(([about, shown]): LoopEvent => ({
    type: "check.ran",
    name: about,
    evidence: shown,
    atStart: false,
  })),
  fc.record({ type: fc.constant("step.added"), name }),
  fc.record({ type: fc.constant("step.finished"), name, source }),
  fc.record({ type: fc.constant("step.reopened"), name }),
  fc.record({ type: fc.constant("step.removed"), name }),
  fc.tuple(name, fc.constantFrom(...TASK_STATUSES)).map(([id, status]): LoopEvent => task(id, status)),
  fc.record({ type: fc.constant("task.dropped"), id: name }),
  fc.record({ type: fc.constant("exit.signalled"), source }),
  fc.record({ type: fc.constant("protection.approved"), digest: fc.constantFrom("locked", "altered") }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("stop"), facts, given }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("say"), event }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pass time"), ms: fc.constantFrom(MINUTE, HOUR, 3 * HOUR) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change tree"), tree }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("change protected files"),
      digest: fc.constantFrom("locked", "altered"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("break or mend"), name, passes: fc.boolean() }) },
);

function rarely<Value>(rare: Value, ...usual: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(rare) },
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
  );
}

/** A project with a loop in it. Every step of the loop goes through `append`, which watches over the invariants. */
class World {
  loop: Loop;
  now = START;
  readonly journal: { readonly at: number; readonly event: LoopEvent }[] = [];
  readonly verdicts: Verdict[] = [];
  #tree: string | null = "tree-0";
  #protected = "locked";
  readonly #failing = new Set<string>();

  constructor(opened: LoopEvent) {
    this.loop = evolve(null, opened, this.now);
    this.journal.push({ at: this.now, event: opened });
  }

  perform(step: Command): void {
    switch (step.do) {
      case "pass time":
        this.now += step.ms;
        return;
      case "change tree":
        this.#tree = step.tree;
        return;
      case "change protected files":
        this.#protected = step.digest;
        return;
      case "break or mend":
        if (step.passes) this.#failing.delete(step.name);
        else this.#failing.add(step.name);
        return;
      case "say":
        if (isPossible(this.loop, step.event)) this.append([step.event]);
        return;
      case "stop":
        this.stop(step);
    }
  }

  stop({ facts: said, given: found }: Extract<Command, { do: "stop" }>): void {
    const before = this.loop;
    const checks = found.checks.length === 0 ? {} : { checks: new Map(found.checks), tree: this.#tree };
    let findings: Findings = checks;
    for (let round = 0; ; round += 1) {
      // The app gives up after eight.
      expect(round, "rounds of questions").toBeLessThan(8);
      const decision = this.decided({ ...said, now: this.now, findings });
      if (decision.type === "verdict") {
        this.append(decision.events);
        this.judged(before, said, decision.verdict);
        return;
      }
      for (const need of decision.needs) {
        const seen = this.look(need, found);
        // What was seen of one check stays seen when another one is asked for.
        const merged = new Map([...(findings.checks ?? []), ...(seen.checks ?? [])]);
        findings = { ...findings, ...seen, checks: merged };
      }
    }
  }

  /** The same question has the same answer, and asking alters nothing. */
  decided(asked: StopFacts): Decision {
    const subject = deepFreeze({ type: "loop" as const, loop: this.loop });
    deepFreeze(asked);
    const decision = decide(subject, asked);
    expect(decide(structuredClone(subject), structuredClone(asked))).toEqual(decision);
    return decision;
  }

  look(need: Need, found: Given): Findings {
    switch (need.type) {
      case "tree":
        return { tree: this.#tree, head: "head-0" };
      case "must-nots":
        return { mustNots: [{ mustNot: "path:db/**", violation: found.violation }] };
      case "checks": {
        const names = need.names.filter((each) => !found.outlasting.includes(each));
        const shown = names.map((each) => [each, this.run(each, found.alters)] as const);
        return { tree: this.#tree, checks: new Map(shown), outlasting: found.outlasting };
      }
    }
  }

  run(about: string, alteredTree: boolean): Evidence {
    const check = topFrame(this.loop).criteria.find((each) => each.name === about)?.check;
    const line = check?.command.kind === "shell" ? check.command.line : commandFor(about);
    return evidenceFor(about, {
      passed: !this.#failing.has(about),
      command: line,
      treeDigest: this.#tree,
      protectedDigest: this.loop.protects.length === 0 ? null : this.#protected,
      alteredTree,
    });
  }

  append(events: readonly LoopEvent[]): void {
    for (const each of events) {
      const stored = JSON.parse(JSON.stringify(each)) as LoopEvent;
      expect(stored).toEqual(each);
      const before = this.loop;
      this.loop = evolve(before, stored, this.now);
      this.journal.push({ at: this.now, event: stored });
      expectOrderlyStep(before, stored, this.loop);
      if (stored.type === "loop.completed") this.completed(before, stored.confidence);
    }
  }

  /** Whatever completes a loop stands on this tree, at this moment. */
  completed(loop: Loop, confidence: string): void {
    const { criteria } = topFrame(loop);
    for (const each of criteria) {
      if (each.check === null) expect(each.attestation?.by ?? "assumption").not.toBe("assumption");
      else expect(this.stands(each, loop), each.name).toBe(true);
    }
    if (confidence === "unverified") expect(criteria).toEqual([]);
    if (confidence === "verified") {
      expect(criteria.length).toBeGreaterThan(0);
      expect(criteria.every(isEnough)).toBe(true);
    }
  }

  stands({ check, evidence: shown }: Criterion, loop: Loop): boolean {
    return (
      check?.command.kind === "shell" &&
      shown !== null &&
      shown.passed &&
      shown.command === check.command.line &&
      shown.treeDigest !== null &&
      shown.treeDigest === this.#tree &&
      shown.protectedDigest === loop.protectedDigest
    );
  }

  judged(before: Loop, said: Omit<StopFacts, "now" | "findings">, verdict: Verdict): void {
    this.verdicts.push(verdict);
    const after = this.loop;
    if (verdict.type === "hold") {
      expect(before.phase).toBe("active");
      expect(after.phase).toBe("active");
      expect(said).toMatchObject({ disabled: false, trusted: true, stop: "end-of-turn" });
      expect(before.binding?.session).toBe(said.session);
    }
    switch (verdict.because) {
      case "unfinished":
        expect(verdict.reason.iteration).toBe(topFrame(after).iteration);
        expect(verdict.reason.iteration).toBeLessThanOrEqual(topFrame(after).iterationLimit ?? Infinity);
        expect(after.spend.usd).toBeLessThan(after.limits.budgetUsd ?? Infinity);
        expect(topFrame(after).exitSignal).toBe(false);
        return;
      case "checks-running":
        expect(after.frames.map((each) => each.iteration)).toEqual(
          before.frames.map((each) => each.iteration),
        );
        return;
      case "handed-back":
        expect(after.phase).toBe("active");
        expect(topFrame(after).iteration).toBe(verdict.iteration);
        return;
      case "frame-popped":
        expect(after.frames).toHaveLength(before.frames.length - 1);
        return;
      case "paused":
        expect(after).toMatchObject({ phase: "paused", reason: verdict.reason, detail: verdict.detail });
        return;
      case "completed":
        expect(after).toMatchObject({ phase: "completed", confidence: verdict.confidence });
        return;
      case "not-an-end":
        expect(after.frames).toEqual(before.frames);
        return;
      default:
        expect(after, verdict.because).toBe(before);
    }
  }
}

/** What holds from one event to the next, whoever brought it about. */
function expectOrderlyStep(before: Loop, event: LoopEvent, after: Loop): void {
  expect(isEnded(before) && before.phase !== after.phase).toBe(false);
  if (event.type !== "loop.continued") {
    expect(after.limits).toEqual(before.limits);
    for (const [index, frame] of sharedFrames(before, after)) {
      expect(frame.iterationLimit).toBe(before.frames[index]?.iterationLimit);
    }
  }
  const growth = event.type === "frame.pushed" ? 1 : event.type === "frame.popped" ? -1 : 0;
  expect(after.frames.length - before.frames.length).toBe(growth);
  for (const [index, frame] of sharedFrames(before, after)) {
    expect(frame.iteration).toBeGreaterThanOrEqual(before.frames[index]?.iteration ?? Infinity);
  }
  if (event.type === "loop.continued") {
    expect(after.frames.every((frame) => frame.breakers === CLOSED_BREAKERS)).toBe(true);
  }
  expect(after.spend.usd).toBeGreaterThanOrEqual(before.spend.usd);
}

function sharedFrames(before: Loop, after: Loop): readonly (readonly [number, Loop["frames"][number]])[] {
  return [...after.frames.entries()].slice(0, before.frames.length);
}

function isEnough({ check, evidence: shown, attestation }: Criterion): boolean {
  if (check !== null) return shown?.alteredTree === false;
  return attestation !== null && strengthOf(attestation.by) === "enough";
}

/** What the commands would refuse before it becomes an event. */
function isPossible(loop: Loop, event: LoopEvent): boolean {
  if (isEnded(loop)) return false;
  const frame = topFrame(loop);
  switch (event.type) {
    case "loop.paused":
      return loop.phase === "active";
    case "criterion.added":
      return !frame.criteria.some((each) => each.name === event.name);
    case "criterion.amended":
    case "criterion.removed":
    case "criterion.attested":
    case "criterion.disclaimed":
    case "check.ran":
      return frame.criteria.some((each) => each.name === event.name);
    case "step.added":
      return !frame.steps.some((each) => each.name === event.name);
    case "step.finished":
    case "step.reopened":
    case "step.removed":
      return frame.steps.some((each) => each.name === event.name);
    case "frame.pushed":
      return loop.frames.length < 4;
    default:
      return true;
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) deepFreeze(part);
  return value;
}

describe("a loop, whatever happens to it", () => {
  test("keeps its invariants, and its journal tells the whole of it", () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(
        start,
        fc.array(command, { minLength: 1, maxLength: 40, size: "max" }),
        (opened, commands) => {
          const world = new World(opened);
          for (const each of commands) world.perform(each);

          let folded: Loop | null = null;
          for (const { at, event: each } of world.journal) folded = evolve(folded, each, at);
          expect(folded).toEqual(world.loop);
          for (const verdict of world.verdicts)
            seen.set(verdict.because, (seen.get(verdict.because) ?? 0) + 1);
        },
      ),
      { numRuns: 2_500 },
    );
    // A property that never meets an ending says nothing about it.
    for (const because of [
      "other-session",
      "untrusted",
      "paused-before",
      "ended",
      "not-an-end",
      "paused",
      "completed",
      "frame-popped",
      "handed-back",
      "unfinished",
      "checks-running",
    ]) {
      expect(seen.get(because) ?? 0, because).toBeGreaterThan(20);
    }
  });
});
