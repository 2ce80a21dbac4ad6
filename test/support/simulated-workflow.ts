import assert from "node:assert/strict";
import { NOTHING_MORE } from "../../src/core/events/event.ts";
import type { LoopEvent } from "../../src/core/events/event.ts";
import { evolve } from "../../src/core/events/evolve.ts";
import type { Loop } from "../../src/core/loop/loop.ts";
import { schedule } from "../../src/core/plan/schedule.ts";
import type { Facts, QuestionStep, Step } from "../../src/core/plan/step.ts";
import { keyOf } from "../../src/core/plan/step.ts";
import type { Attempt, Workflow } from "../../src/core/plan/workflow.ts";
import { lastAttempt, running } from "../../src/core/plan/workflow.ts";
import { freeAgent } from "../../src/core/plan/startable-tasks.ts";
import { DEFAULT_LIMITS } from "../../src/core/loop/limits.ts";
import { createLoopId } from "../../src/core/loop/id.ts";
import { START, opening } from "./loop-builders.ts";
import type { MergeOutcome, Result } from "./simulated-branch.ts";
import { SimulatedBranch } from "./simulated-branch.ts";
import { SimulatedJudges } from "./simulated-judges.ts";
import { billOf } from "./played-bill.ts";
import type { PlayedBill } from "./played-bill.ts";
import { adopted } from "./workflow-builders.ts";
import type { PlayedAttempt, Scenario } from "./workflow-scenario.ts";

/** The driver is gone, and with it all that it knew. Journal, branch, results and what agents did stay. */
class Killed extends Error {}

/** How long it takes until somebody starts the driver again. */
const AWAY_MS = 1_000;

interface Agent {
  readonly attempt: Attempt;
  readonly played: PlayedAttempt;
  readonly bill: PlayedBill;
  agent: string;
  endsAt: number;
  isOver: boolean;
}

/** A driver, its agents, a repository and a clock: all of a workflow but the scheduler, which is the real one. */
export class SimulatedWorkflow {
  readonly journal: { readonly at: number; readonly event: LoopEvent }[] = [];
  readonly branch: SimulatedBranch;
  readonly results = new Map<string, Result>();
  now = START;
  lives = 1;
  readonly #scenario: Scenario;
  readonly #watch: (event: LoopEvent, before: Loop, world: SimulatedWorkflow) => void;
  readonly #agents = new Map<string, Agent>();
  #fresh: Agent[] = [];
  readonly #questions = new Map<string, { readonly step: QuestionStep; readonly endsAt: number }>();
  readonly #judges: SimulatedJudges | null;
  #merge: {
    readonly checks: Generator<void, MergeOutcome>;
    readonly idle: readonly string[];
    endsAt: number;
  } | null = null;
  #loop: Loop | null = null;
  #points = 0;

  constructor(scenario: Scenario, watch: (event: LoopEvent, before: Loop, world: SimulatedWorkflow) => void) {
    this.#scenario = scenario;
    this.#watch = watch;
    this.branch = new SimulatedBranch(scenario);
    this.#judges = scenario.judgement === null ? null : new SimulatedJudges(scenario.judgement);
    const { tasks, parallel, attemptLimit, attemptUsd, budgetUsd, isGit } = scenario;
    const { judgement } = scenario;
    this.#write([
      opening({
        binding: null,
        limits: { ...DEFAULT_LIMITS, budgetUsd },
        goal: { exitRule: "tasks", iterationLimit: null },
      }),
      ...(judgement === null ? [] : [{ type: "stages.begun", policy: judgement.policy } as const]),
      adopted(tasks, { parallel, attemptLimit, attemptUsd }),
    ]);
    const name = "loop/simulated";
    if (isGit) this.#write([{ type: "branch.begun", name, from: this.branch.tip, userBranch: "main" }]);
  }

  get loop(): Loop {
    assert(this.#loop !== null);
    return this.#loop;
  }

  get workflow(): Workflow {
    assert(this.loop.workflow !== null);
    return this.loop.workflow;
  }

  get facts(): Facts {
    const { limits, spend } = this.loop;
    const { agents, areCapped, overlap, isGit } = this.#scenario;
    return {
      now: this.now,
      budgetUsd: limits.budgetUsd,
      spentUsd: spend.usd,
      tokenLimit: limits.tokens,
      spentTokens: spend.tokens,
      turnUsd: this.loop.dearestTurnUsd,
      areCapped,
      agents,
      overlap,
      isGit,
      underWay: new Set(this.#questions.keys()),
    };
  }

  /** Work on a finding that changes nothing: its result is what it began with. */
  isIdle(task: string): boolean {
    return task.startsWith("R-") && this.#scenario.judgement?.changes(task) === false;
  }

  /** Until the loop pauses or completes, through as many lives of the driver as it takes. */
  run(): Loop {
    for (;;) {
      try {
        this.#live();
        return this.loop;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        this.#die();
      }
    }
  }

  /** A person gives a paused loop more. */
  continue(more: { readonly addedUsd?: number; readonly addedIterations?: number }): void {
    this.#write([{ type: "loop.continued", ...NOTHING_MORE, ...more, by: "person" }]);
  }

  #live(): void {
    this.#recover();
    this.#askForWork();
    // Each turn of this writes something or lets time pass; one that goes on and on has gone wrong.
    for (let turns = 0; this.loop.phase === "active"; turns += 1) {
      assert(
        turns < 1_000 + 200 * this.workflow.plan.tasks.length * this.workflow.attemptLimit,
        "it goes on for ever",
      );
      const steps = schedule(this.workflow, this.loop.stages, this.facts);
      for (const step of steps) this.#carryOut(step);
      this.#askForWork();
      const waits = steps.flatMap((step) => (step.type === "wait" ? [step.until] : []));
      if (steps.length === waits.length) this.#letTimePass(waits);
    }
  }

  #die(): void {
    this.lives += 1;
    this.#merge = null;
    this.#questions.clear();
    this.now += AWAY_MS;
    const stopped = [...this.#agents.values()].filter(({ isOver }) => !isOver);
    for (const agent of stopped) agent.endsAt += AWAY_MS;
    this.#fresh = stopped;
    this.#loop = null;
    for (const { at, event } of this.journal) this.#loop = evolve(this.#loop, event, at);
  }

  #recover(): void {
    const { merge } = this.workflow;
    if (merge !== null) {
      const accepted = this.branch.landed
        .slice(merge.onto === null ? 0 : this.branch.behind(merge.onto))
        .map(({ commit, result }) => ({ task: result.task, commit: this.#scenario.isGit ? commit : null }))
        .filter(({ task }) => merge.tasks.includes(task));
      this.#append([{ type: "merge.ended", merge: merge.id, accepted, setBack: [] }]);
    }
    for (const attempt of running(this.workflow)) {
      const agent = this.#agents.get(attempt.loop);
      if (agent === undefined) this.#begin(attempt);
      else if (agent.isOver) this.#settle(agent);
    }
  }

  #carryOut(step: Step): void {
    switch (step.type) {
      case "announce":
        return this.#append([{ type: "wave.begun", wave: step.wave }]);
      case "wave-done":
        return this.#append([{ type: "wave.ended", wave: step.wave }]);
      case "start":
        return this.#start(step);
      case "merge":
        return this.#beginMerge(step.tasks.slice(0, this.#scenario.mostTogether));
      case "give-up":
        return this.#append([{ type: "task.given-up", task: step.task, why: step.why }]);
      case "leave-out":
        return this.#append(
          step.tasks.map((each): LoopEvent => ({ type: "task.skipped", ...each, by: "machine" })),
        );
      case "wait":
        return;
      case "counsel":
      case "review-wave":
      case "review":
      case "resolve":
      case "gate": {
        assert(this.#scenario.judgement !== null, "nobody judges this work");
        const endsAt = this.now + this.#scenario.judgement.askMs;
        this.#questions.set(keyOf(step), { step, endsAt });
        return;
      }
      case "pause":
        return this.#append([
          { type: "loop.paused", reason: step.reason, detail: step.detail, by: "machine" },
        ]);
      case "finish":
        return this.#append([
          { type: "work.delivered", delivery: { how: "moved", why: null } },
          { type: "loop.completed", confidence: "verified", why: [], changed: null },
        ]);
    }
  }

  #start({ task, number, slot, agent, reservedUsd, reservedTokens }: Extract<Step, { type: "start" }>): void {
    // One that began just before it may have met the limit at once.
    if (this.workflow.waits.some((wait) => wait.agent === agent && wait.until > this.now)) return;
    const { isGit } = this.#scenario;
    const loop = createLoopId(`attempt at ${task}`, number.toString(36).padStart(4, "0"));
    const base = isGit ? this.branch.tip : null;
    const worktree = isGit ? `/state/${task}-${number}` : null;
    const reserved = { reservedUsd, reservedTokens };
    this.#append([{ type: "attempt.started", task, number, loop, base, worktree, slot, agent, ...reserved }]);
    const attempt = lastAttempt(this.workflow, task);
    assert(attempt !== null);
    this.#begin(attempt);
  }

  #begin(attempt: Attempt): void {
    const played = this.#scenario.attempt(attempt.task, attempt.number);
    const { areCapped } = this.#scenario;
    const bill = billOf(played, {
      areCapped,
      budgetUsd: attempt.reservedUsd,
      turnUsd: this.loop.dearestTurnUsd,
    });
    const agent = {
      attempt,
      played,
      bill,
      agent: attempt.agent,
      endsAt: this.now + played.ms,
      isOver: false,
    };
    this.#point();
    this.#agents.set(attempt.loop, agent);
    this.#fresh.push(agent);
  }

  /** An agent that has just begun finds out whether it may. */
  #askForWork(): void {
    for (let agent = this.#fresh.shift(); agent !== undefined; agent = this.#fresh.shift())
      this.#meetLimit(agent);
  }

  /** Another agent goes on with it, or it waits. */
  #meetLimit(agent: Agent): void {
    for (;;) {
      const limit = this.#limitOf(agent.agent);
      if (limit === undefined) return;
      if (!this.workflow.waits.some((wait) => wait.agent === agent.agent && wait.until >= limit.until))
        this.#append([{ type: "agent.limited", agent: agent.agent, until: limit.until }]);
      const other = freeAgent(this.workflow, this.facts);
      if (other === null) {
        agent.endsAt += limit.until - this.now;
        return;
      }
      agent.agent = other;
    }
  }

  #limitOf(name: string): Scenario["limits"][number] | undefined {
    const since = this.now - START;
    const found = this.#scenario.limits.find(
      ({ agent, from, until }) => agent === name && from <= since && since < until,
    );
    return found === undefined ? undefined : { ...found, until: START + found.until };
  }

  #settle(agent: Agent): void {
    const { attempt, played, bill } = agent;
    const { task, number } = attempt;
    const { usd, turnUsd } = bill;
    const costs: LoopEvent = { type: "cost.charged", usd, turnUsd, tokens: 1, priced: true };
    const setbackKind = bill.isCutOff ? "failed" : played.setback;
    const base = attempt.base === null ? this.branch.landed.length : this.branch.behind(attempt.base);
    this.#point();
    this.results.set(`${task}/${number}`, { task, number, base, isGood: setbackKind === null });
    if (setbackKind === null) {
      const commit = this.#scenario.isGit ? this.branch.newCommit() : null;
      this.#append([
        { type: "attempt.finished", task, number, commit, confidence: "verified", doubts: [] },
        costs,
      ]);
      return;
    }
    const setback = {
      kind: setbackKind,
      detail: `${task}: attempt ${number} failed`,
      carry: null,
      failing: [],
    };
    this.#append([{ type: "attempt.set-back", task, number, setback }, costs]);
  }

  #beginMerge(tasks: readonly string[]): void {
    const { isGit, checkMs } = this.#scenario;
    const onto = isGit ? this.branch.tip : null;
    this.#append([{ type: "merge.begun", merge: this.workflow.merges + 1, tasks, onto }]);
    const idle = tasks.filter((task) => this.isIdle(task));
    const results = tasks
      .filter((task) => !idle.includes(task))
      .map((task) => {
        const found = this.results.get(`${task}/${lastAttempt(this.workflow, task)?.number}`);
        assert(found !== undefined, `${task} has no result`);
        return found;
      });
    const checks = this.branch.merge(results, (move) => {
      this.#point();
      move();
      this.#point();
    });
    this.#merge = { checks, idle, endsAt: this.now + checkMs };
    this.#check();
  }

  /** Goes on to the next run of the checks, or ends the merge. */
  #check(): void {
    assert(this.#merge !== null);
    const next = this.#merge.checks.next();
    if (next.done !== true) {
      this.#merge.endsAt = this.now + this.#scenario.checkMs;
      return;
    }
    const { accepted, setBack } = next.value;
    const { merge } = this.workflow;
    assert(merge !== null);
    const unchanged = this.#merge.idle.map((task) => ({ task, commit: this.branch.tip }));
    const commits = [...accepted, ...unchanged].map(({ task, commit }) => ({
      task,
      commit: this.#scenario.isGit ? commit : null,
    }));
    this.#append([{ type: "merge.ended", merge: merge.id, accepted: commits, setBack }]);
    this.#merge = null;
  }

  #letTimePass(waits: readonly number[]): void {
    const atWork = [...this.#agents.values()].filter(({ isOver }) => !isOver);
    const limits = this.#scenario.limits.map(({ from }) => START + from).filter((from) => from > this.now);
    const ends = [
      ...atWork.map(({ endsAt }) => endsAt),
      ...(this.#merge === null ? [] : [this.#merge.endsAt]),
      ...[...this.#questions.values()].map(({ endsAt }) => endsAt),
    ];
    assert(ends.length + waits.length > 0, "nothing is under way, and there is nothing to do");
    this.now = Math.max(this.now, Math.min(...ends, ...waits, ...limits));
    for (const agent of atWork) {
      if (agent.endsAt > this.now) this.#meetLimitNow(agent);
      else this.#end(agent);
    }
    if (this.#merge !== null && this.#merge.endsAt <= this.now) this.#check();
    for (const [key, { step, endsAt }] of this.#questions) if (endsAt <= this.now) this.#answer(key, step);
  }

  #answer(key: string, step: QuestionStep): void {
    assert(this.#judges !== null);
    const events = this.#judges.answer(step, this.loop);
    this.#questions.delete(key);
    this.#append(events);
  }

  /** Only when it begins at this moment: one that was met before is being waited out. */
  #meetLimitNow(agent: Agent): void {
    const begins = this.#scenario.limits.some(
      (each) => each.agent === agent.agent && START + each.from === this.now,
    );
    if (begins) this.#meetLimit(agent);
  }

  #end(agent: Agent): void {
    agent.isOver = true;
    this.#point();
    this.#settle(agent);
  }

  #append(events: readonly LoopEvent[]): void {
    this.#point();
    this.#write(events);
    this.#point();
  }

  /** One record: all of it or nothing. */
  #write(events: readonly LoopEvent[]): void {
    for (const event of events) {
      const before = this.#loop;
      this.#loop = evolve(before, event, this.now);
      this.journal.push({ at: this.now, event });
      if (before !== null) this.#watch(event, before, this);
    }
  }

  #point(): void {
    this.#points += 1;
    if (this.#scenario.kills.has(this.#points)) throw new Killed();
  }
}
