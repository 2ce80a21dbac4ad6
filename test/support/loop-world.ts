import assert from "node:assert/strict";
import type { Criterion, Evidence } from "../../src/core/loop/criterion.ts";
import { strengthOf } from "../../src/core/loop/criterion.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import { evolve } from "../../src/core/events/evolve.ts";
import type { Confidence, Loop } from "../../src/core/loop/loop.ts";
import { CLOSED_BREAKERS, isEnded, topFrame } from "../../src/core/loop/loop.ts";
import { decide } from "../../src/core/stop/decide.ts";
import type { Observations, Need, StopFacts } from "../../src/core/stop/facts.ts";
import type { Decision, Verdict } from "../../src/core/stop/verdict.ts";
import { START, commandFor, evidenceFor, provenFor } from "./loop-builders.ts";
import type { Command, Given, ToldFacts } from "./random-commands.ts";

/** The app gives up after as many questions in one decision. */
const ROUNDS = 8;

/** A project with a loop in it, which watches over the loop's invariants at each step. */
export class World {
  loop: Loop;
  readonly journal: { readonly at: number; readonly event: LoopEvent }[] = [];
  readonly verdicts: Verdict[] = [];
  #now = START;
  #tree: string | null = "tree-0";
  #protected = "locked";
  readonly #failing = new Set<string>();

  constructor(opened: LoopEvent) {
    this.loop = evolve(null, opened, this.#now);
    this.journal.push({ at: this.#now, event: opened });
  }

  perform(command: Command): void {
    switch (command.do) {
      case "pass time":
        this.#now += command.ms;
        return;
      case "change tree":
        this.#tree = command.tree;
        return;
      case "change protected files":
        this.#protected = command.digest;
        return;
      case "break or mend":
        if (command.passes) this.#failing.delete(command.name);
        else this.#failing.add(command.name);
        return;
      case "say":
        if (isPossible(this.loop, command.event)) this.#append([command.event]);
        return;
      case "stop":
        this.#stop(command.facts, command.given);
    }
  }

  #stop(told: ToldFacts, given: Given): void {
    const before = this.loop;
    let findings: Observations =
      given.checks.length === 0 ? {} : { checks: new Map(given.checks), tree: this.#tree };
    for (let round = 0; round < ROUNDS; round += 1) {
      const decision = this.#decide({ ...told, now: this.#now, findings });
      if (decision.type === "verdict") {
        this.#append(decision.events);
        this.verdicts.push(decision.verdict);
        checkVerdict(decision.verdict, told, before, this.loop);
        return;
      }
      for (const need of decision.needs) {
        const seen = this.#look(need, given);
        // What was seen of one check stays seen when another one is asked for.
        const checks = new Map([...(findings.checks ?? []), ...(seen.checks ?? [])]);
        findings = { ...findings, ...seen, checks };
      }
    }
    assert.fail("the stop decision keeps asking");
  }

  /** The same question has the same answer, and asking alters nothing. */
  #decide(facts: StopFacts): Decision {
    const subject = deepFreeze({ type: "loop" as const, loop: this.loop });
    const decision = decide(subject, deepFreeze(facts));
    assert.deepEqual(decide(structuredClone(subject), structuredClone(facts)), decision);
    return decision;
  }

  #look(need: Need, given: Given): Observations {
    switch (need.type) {
      case "tree":
        return { tree: this.#tree, head: "head-0" };
      case "must-nots":
        return { mustNots: [{ mustNot: "path:db/**", violation: given.violation }] };
      case "checks": {
        const names = need.names.filter((name) => !given.outlasting.includes(name));
        const shown = names.map((name) => [name, this.#run(name, given.alters)] as const);
        return { tree: this.#tree, checks: new Map(shown), outlasting: given.outlasting };
      }
      case "proofs":
        return { proven: provenFor(this.loop) };
      case "settlement":
        return { settlement: { rejected: [] } };
    }
  }

  #run(name: string, alteredTree: boolean): Evidence {
    const check = topFrame(this.loop).criteria.find((each) => each.name === name)?.check;
    return evidenceFor(name, {
      passed: !this.#failing.has(name),
      command: check?.command.kind === "shell" ? check.command.line : commandFor(name),
      treeDigest: this.#tree,
      protectedDigest: this.loop.protects.length === 0 ? null : this.#protected,
      alteredTree,
    });
  }

  #append(events: readonly LoopEvent[]): void {
    for (const event of events) {
      const stored = JSON.parse(JSON.stringify(event)) as LoopEvent;
      assert.deepEqual(stored, event);
      const before = this.loop;
      this.loop = evolve(before, stored, this.#now);
      this.journal.push({ at: this.#now, event: stored });
      checkStep(before, stored, this.loop);
      if (stored.type === "loop.completed") this.#checkCompletion(before, stored.confidence);
    }
  }

  /** Whatever completes a loop stands on this tree, at this moment. */
  #checkCompletion(loop: Loop, confidence: Confidence): void {
    const { criteria } = topFrame(loop);
    for (const criterion of criteria) {
      const stands = criterion.check === null ? isVouchedFor(criterion) : this.#isShown(criterion, loop);
      assert.ok(stands, `completed without ${criterion.name}`);
    }
    assert.equal(confidence === "unverified", criteria.length === 0);
    const isNoticed = criteria.every(({ check }) => check === null) || criteria.some(isUsersCheck);
    assert.equal(confidence === "verified", criteria.length > 0 && criteria.every(isEnough) && isNoticed);
  }

  #isShown({ check, evidence }: Criterion, loop: Loop): boolean {
    return (
      check?.command.kind === "shell" &&
      evidence !== null &&
      evidence.passed &&
      evidence.command === check.command.line &&
      evidence.treeDigest !== null &&
      evidence.treeDigest === this.#tree &&
      evidence.protectedDigest === loop.protectedDigest
    );
  }
}

function isVouchedFor({ attestation }: Criterion): boolean {
  return attestation !== null && attestation.by !== "assumption";
}

function isUsersCheck({ check, isAgents }: Criterion): boolean {
  return check !== null && !isAgents;
}

function isEnough({ check, evidence, attestation, failedTree }: Criterion): boolean {
  if (check !== null) return evidence?.alteredTree === false && evidence.treeDigest !== failedTree;
  return attestation !== null && strengthOf(attestation) === "enough";
}

/** What holds from one event to the next, whoever brought it about. */
function checkStep(before: Loop, event: LoopEvent, after: Loop): void {
  if (isEnded(before)) assert.equal(after.phase, before.phase);
  const isContinued = event.type === "loop.continued";
  if (!isContinued) assert.deepEqual(after.limits, before.limits);

  const growth = event.type === "frame.pushed" ? 1 : event.type === "frame.popped" ? -1 : 0;
  assert.equal(after.frames.length - before.frames.length, growth);
  for (const [index, frame] of after.frames.entries()) {
    const old = before.frames[index];
    if (old === undefined) continue;
    assert.ok(frame.iteration >= old.iteration, "an iteration is taken back");
    if (!isContinued) assert.equal(frame.iterationLimit, old.iterationLimit);
    if (isContinued) assert.deepEqual(frame.breakers, CLOSED_BREAKERS);
  }
  assert.ok(after.spend.usd >= before.spend.usd);
}

/** What a verdict says is what its events made of the loop. */
function checkVerdict(verdict: Verdict, told: ToldFacts, before: Loop, after: Loop): void {
  if (verdict.type === "hold") {
    assert.equal(before.phase, "active");
    assert.equal(after.phase, "active");
    assert.equal(before.binding?.session, told.session);
    assert.deepEqual([told.disabled, told.trusted, told.stop], [false, true, "end-of-turn"]);
  }
  const frame = topFrame(after);
  switch (verdict.because) {
    case "unfinished":
      assert.equal(verdict.reason.iteration, frame.iteration);
      assert.ok(frame.iteration <= (frame.iterationLimit ?? Infinity));
      assert.ok(after.spend.usd < (after.limits.budgetUsd ?? Infinity));
      assert.equal(frame.exitSignal, false);
      return;
    case "checks-running":
      assertSameIterations(before, after);
      return;
    case "handed-back":
      assert.equal(after.phase, "active");
      assert.equal(frame.iteration, verdict.iteration);
      return;
    case "frame-popped":
      assert.equal(after.frames.length, before.frames.length - 1);
      return;
    case "paused":
      assert.ok(after.phase === "paused" && after.reason === verdict.reason);
      return;
    case "completed":
      assert.ok(after.phase === "completed" && after.confidence === verdict.confidence);
      return;
    case "not-an-end":
      if (verdict.stop === "awaiting-user") assertSameIterations(before, after);
      else assert.deepEqual(after.frames, before.frames);
      return;
    case "disabled":
    case "no-loop":
    case "other-session":
    case "untrusted":
    case "aborted":
    case "unusable":
    case "ended":
    case "deleted":
    case "paused-before":
      assert.equal(after, before);
  }
}

/** What a claim's checks showed is kept, also where no iteration is counted. */
function assertSameIterations(before: Loop, after: Loop): void {
  const iterations = ({ frames }: Loop) => frames.map(({ iteration, tried }) => ({ iteration, tried }));
  assert.deepEqual(iterations(after), iterations(before));
}

/** What the commands refuse before it becomes an event. */
function isPossible(loop: Loop, event: LoopEvent): boolean {
  if (isEnded(loop)) return false;
  const { criteria, steps } = topFrame(loop);
  if (event.type === "loop.paused") return loop.phase === "active";
  if (event.type === "frame.pushed") return loop.frames.length < 4;
  if (!("name" in event)) return true;
  const things = event.type.startsWith("step.") ? steps : criteria;
  const isNew = event.type === "step.added" || event.type === "criterion.added";
  return isNew !== things.some((each) => each.name === event.name);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) deepFreeze(part);
  return value;
}
