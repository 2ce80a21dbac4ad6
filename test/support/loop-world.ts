import assert from "node:assert/strict";
import type { Criterion, Evidence } from "../../src/core/criterion.ts";
import { strengthOf } from "../../src/core/criterion.ts";
import type { LoopEvent } from "../../src/core/event.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { Loop } from "../../src/core/loop.ts";
import { CLOSED_BREAKERS, isEnded, topFrame } from "../../src/core/loop.ts";
import { decide } from "../../src/core/stop/decide.ts";
import type { Findings, Need, StopFacts } from "../../src/core/stop/facts.ts";
import type { Decision, Verdict } from "../../src/core/stop/verdict.ts";
import { START, commandFor, evidenceFor } from "./loop-builders.ts";
import type { Command, Given, ToldFacts } from "./random-commands.ts";

/** A project with a loop in it. Every step of the loop goes through `append`, which watches over the invariants. */
export class World {
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

  judged(before: Loop, said: ToldFacts, verdict: Verdict): void {
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

