import * as fc from "fast-check";
import type { Evidence } from "../../src/core/loop/criterion.ts";
import { VERIFICATION_TYPES } from "../../src/core/loop/criterion.ts";
import type { LoopEvent, OpenedGoal } from "../../src/core/events/event.ts";
import { EXIT_RULES, MODES, SHAPES, TASK_STATUSES } from "../../src/core/loop/loop.ts";
import type { Claim, Said, StopFacts } from "../../src/core/stop/facts.ts";
import {
  HOUR,
  MINUTE,
  SESSION,
  checked,
  evidenceFor,
  goal,
  opening,
  sessionId,
  shellCheck,
  task,
  unchecked,
} from "./loop-builders.ts";

/** Few names and few trees, so that random commands often speak of the same thing. */
const NAMES = ["a", "b", "c"] as const;
const TREES = ["tree-0", "tree-1", null] as const;
const OTHER_SESSION = sessionId("session-2");

/** Something that happens to a loop, or to the project around it. */
export type Command =
  | { readonly do: "say"; readonly event: LoopEvent }
  | { readonly do: "pass time"; readonly ms: number }
  | { readonly do: "change tree"; readonly tree: string | null }
  | { readonly do: "change protected files"; readonly digest: string }
  | { readonly do: "break or mend"; readonly name: string; readonly passes: boolean }
  | { readonly do: "stop"; readonly facts: ToldFacts; readonly given: Given };

/** What the host says of a stop. */
export type ToldFacts = Omit<StopFacts, "now" | "findings">;

/** What a caller has found before it is asked; it may be about criteria that are not, or no longer, there. */
export interface Given {
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

const said: fc.Arbitrary<Said> = fc.record({
  claims: fc
    .tuple(
      fc.array(claim, { maxLength: 3 }),
      rarely<readonly Claim[]>([{ type: "blocked", reason: "needs a password" }], []),
    )
    .map(([claims, obstacles]) => [...claims, ...obstacles]),
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

const facts: fc.Arbitrary<ToldFacts> = fc.record({
  disabled: rarely(true, false),
  session: fc.oneof(
    { weight: 20, arbitrary: fc.constant(SESSION) },
    { weight: 1, arbitrary: fc.constantFrom(OTHER_SESSION, null) },
  ),
  trusted: rarely(false, true),
  stop: fc.oneof(
    { weight: 6, arbitrary: fc.constant("end-of-turn" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("subagent", "background-work", "interrupt", "awaiting-user", "api-error"),
    },
  ),
  continuesHold: rarely(false, true),
  personPresent: fc.boolean(),
  said,
  toolUses: fc.constantFrom(null, 0, 1, 7),
  edits: fc.array(
    fc.record({ path: name, contentDigest: name, failure: fc.option(fc.constant("Error: x")) }),
    { maxLength: 8 },
  ),
  holdCap: fc.constantFrom(null, 1, 8),
  spent: fc.option(
    fc.record({ usd: fc.constantFrom(0, 1, 30), tokens: fc.nat(1000), priced: fc.boolean(), cursor: name }),
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
  tokens: rarely<number | null>(1_000, null),
  minutes: rarely<number | null>(600, null),
  stuck: fc.constantFrom(0, 2, 5),
  sameError: fc.constantFrom(0, 1, 3),
  sameFile: fc.constantFrom(0, 5),
  noProgress: fc.constantFrom(0, 1, 3),
  ttlMs: fc.constant(2 * HOUR),
});

export const randomOpening = fc
  .record({
    goal: openedGoal,
    limits,
    shape: fc.constantFrom(...SHAPES),
    origin: fc.constantFrom("native", "native", "idle-loop"),
    start: fc.record({ tree, head: fc.constant("head-0") }),
    binding: rarely(null, { session: SESSION, host: "claude-code" }),
    mustNots: fc.constantFrom([], [{ kind: "path" as const, glob: "db/**" }]),
    protectedDigest: fc.constantFrom(null, "locked"),
  })
  .map((part) =>
    structuredClone(opening({ ...part, protects: part.protectedDigest === null ? [] : ["test/**"] })),
  );

const actor = fc.constant("person");
const event: fc.Arbitrary<LoopEvent> = fc.oneof(
  fc.constant<LoopEvent>({ type: "turn.started" }),
  rarely(OTHER_SESSION, SESSION).map((session): LoopEvent => ({
    type: "session.bound",
    binding: { session, host: "claude-code" },
  })),
  openedGoal.map((inner): LoopEvent => ({ type: "frame.pushed", goal: inner, by: "agent" })),
  rarely<LoopEvent>(
    { type: "loop.paused", reason: "user", detail: null, by: "person" },
    {
      type: "loop.continued",
      addedUsd: 10,
      addedIterations: 5,
      addedTokens: null,
      addedMinutes: null,
      by: "person",
    },
  ),
  fc.record({
    type: fc.constant("loop.continued"),
    addedUsd: fc.option(fc.integer({ min: 0, max: 50 })),
    addedIterations: fc.option(fc.integer({ min: 0, max: 5 })),
    addedTokens: fc.constant(null),
    addedMinutes: fc.constant(null),
    by: actor,
  }),
  rarely<LoopEvent>({ type: "loop.cancelled", by: "person" }, { type: "turn.started" }),
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
  fc.record({ type: fc.constant("criterion.attested"), name, by, actor, note: fc.constant(null), source }),
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

export const randomCommand: fc.Arbitrary<Command> = fc
  .oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("stop"), facts, given }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant("say"), event }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("pass time"), ms: rarely(3 * HOUR, MINUTE, HOUR) }),
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
  )
  // The records of fast-check have no prototype; what is read from a journal has one.
  .map((each) => structuredClone(each));

function rarely<Value>(rare: Value, ...usual: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(rare) },
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
  );
}
