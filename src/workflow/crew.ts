import { setTimeout as sleep } from "node:timers/promises";
import type { LoopEvent } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import { isActiveFor } from "../core/loop.ts";
import { freeAgent } from "../core/plan/starts.ts";
import type { Attempt, Merge, Setback, Workflow } from "../core/plan/workflow.ts";
import { awaited } from "../core/plan/workflow.ts";
import { envelopeOf } from "./envelope.ts";
import type { AttemptResult } from "./executor.ts";
import { integrate } from "./merge-queue.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { pauseBlocked, recordOurs, taskOf, workflowOf } from "./take-workflow.ts";

/** How often it looks whether the person at the terminal wants it to pause. */
const LOOK_MS = 500;

/** Attempts that meet one limit a moment after the other are told ends of it that differ by that much. */
const SAME_LIMIT_MS = 60_000;

/** How long an agent is left alone that doesn't say when its usage limit ends. */
const LONG_MS = 60 * 60_000;

/** The attempts and the merge that run now. */
export class Crew {
  readonly #context: WorkflowContext;
  readonly #work = new Set<Promise<void>>();
  readonly #now = new AbortController();
  readonly #soon = new AbortController();
  readonly #underWay = new Set<string>();
  #tidied = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(context: WorkflowContext) {
    this.#context = context;
  }

  start(attempt: Attempt): void {
    const watch = watchInterrupts(this.#context.interrupts, this.#soon);
    this.#take(
      this.#run(attempt, watch.soon)
        .then(async (result) => this.#settle(attempt, result))
        .finally(watch.stop),
    );
  }

  /** The questions that are being asked, by their keys. */
  get underWay(): ReadonlySet<string> {
    return new Set(this.#underWay);
  }

  /** Goes on beside the rest. What is stopped leaves no trace, and is begun again by the next run. */
  ask(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    const watch = watchInterrupts(this.#context.interrupts, this.#soon);
    const signal = AbortSignal.any([this.#stopped, watch.soon]);
    this.#underWay.add(key);
    this.#take(
      work(signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        })
        .finally(() => {
          watch.stop();
          this.#underWay.delete(key);
        }),
    );
  }

  /** With the agent that it was begun with; while that one waits for a usage limit, with another one that doesn't. */
  async #run(attempt: Attempt, soon: AbortSignal): Promise<AttemptResult> {
    const { executor, live, machine } = this.#context;
    for (let agent = attempt.agent; ;) {
      const handOver = new AbortController();
      const envelope = envelopeOf(live.loop, workflowOf(live.loop), attempt);
      const result = await executor.runAttempt(
        { ...envelope, agent },
        {
          signal: AbortSignal.any([this.#stopped, handOver.signal]),
          soon,
          waitsUntil: () => waitOf(workflowOf(live.loop), agent, machine.now()),
          tell: (news) => {
            this.#context.tell({ type: "attempt-news", task: attempt.task, news });
            if (news.type !== "waiting") return;
            const from = agent;
            this.#note(this.#limit(from, news.until).then((other) => other !== null && handOver.abort()));
          },
        },
      );
      const { outcome } = result;
      const isHandedOver =
        outcome.type === "stopped" && handOver.signal.aborted && !this.#stopped.aborted && !soon.aborted;
      const isLimited =
        outcome.type === "paused" && outcome.reason === "rate-limit" && this.#freeAgent(agent) !== null;
      if (!isHandedOver && !isLimited) return result;
      if (isLimited) await this.#limit(agent, machine.now() + LONG_MS);
      agent = this.#freeAgent() ?? agent;
    }
  }

  get #stopped(): AbortSignal {
    return AbortSignal.any([this.#context.interrupts.now, this.#now.signal]);
  }

  #freeAgent(except: string | null = null): string | null {
    const { live, machine } = this.#context;
    const agents = this.#context.agents.filter((each) => each !== except);
    return freeAgent(workflowOf(live.loop), { agents, now: machine.now() });
  }

  /** Something beside the work; if it fails, so does the run. */
  #note(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  merge(merge: Merge): void {
    this.#take(integrate(this.#context, merge, this.#stopped).then(() => this.#tidy()));
  }

  /** Beside the work, one after the other: worktrees of what was merged only take up room. */
  #tidy(): void {
    const { live, workshop } = this.#context;
    this.#tidied = this.#tidied.then(async () => workshop.tidy(workflowOf(live.loop), { isOver: false }));
    this.#take(this.#tidied);
  }

  get isIdle(): boolean {
    return this.#work.size === 0;
  }

  /** Until something ended, or it is time to look again. */
  async next(ms: number): Promise<void> {
    const rest = new AbortController();
    const { now } = this.#context.interrupts;
    const wait = sleep(ms, undefined, { signal: AbortSignal.any([rest.signal, now]) }).catch(() => undefined);
    await Promise.race([...this.#work, wait]);
    rest.abort();
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Lets each attempt end its iteration. */
  async settle(): Promise<void> {
    this.#soon.abort();
    await Promise.all(this.#work);
  }

  /** Ends everything now. What was begun can be resumed. */
  async stop(): Promise<void> {
    this.#now.abort();
    while (this.#work.size > 0) await Promise.all(this.#work);
    if (this.#failure !== null) throw this.#failure.error;
  }

  #take(work: Promise<void>): void {
    const watched: Promise<void> = work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#work.delete(watched));
    this.#work.add(watched);
  }

  /** All attempts of an agent have one wait. Answers which agent could go on meanwhile. */
  async #limit(agent: string, until: number): Promise<string | null> {
    const { live, run, machine, tell } = this.#context;
    let isNew = false;
    await live.record((loop) => {
      const known = waitOf(workflowOf(loop), agent, machine.now());
      isNew = isActiveFor(loop, run) && (known === null || until - known > SAME_LIMIT_MS);
      return isNew ? [{ type: "agent.limited", agent, until }] : [];
    });
    if (isNew) tell({ type: "limited", agent, until });
    return this.#freeAgent();
  }

  async #settle(attempt: Attempt, { outcome, usage }: AttemptResult): Promise<void> {
    const context = this.#context;
    const { task, number } = attempt;
    if (outcome.type === "stopped") return this.#noteStop(task);
    if (outcome.type === "paused") {
      const { reason, detail } = outcome;
      await recordOurs(context, [
        { type: "loop.paused", reason, detail: `${task}: ${detail}`, by: "machine" },
      ]);
      return;
    }
    const charge: LoopEvent = { type: "cost.charged", ...usage };
    if (outcome.type === "finished") {
      const { commit, confidence } = outcome;
      const loop = await this.#accept(attempt, [
        { type: "attempt.finished", task, number, commit, confidence },
        charge,
      ]);
      if (loop === null) return;
      context.tell({ type: "attempt-finished", loop, task: taskOf(context, task), attempt });
      return;
    }
    const { setback } = outcome;
    const loop = await this.#accept(attempt, [{ type: "attempt.set-back", task, number, setback }, charge]);
    if (loop === null) return;
    context.tell({ type: "set-back", loop, task: taskOf(context, task), setback });
    if (outcome.type === "blocked") await this.#block(task, setback);
  }

  /** Somebody paused the attempt by itself: nothing drives it any more, so the workflow would wait for it in vain. */
  async #noteStop(task: string): Promise<void> {
    const { interrupts, live, run } = this.#context;
    if (this.#stopped.aborted || this.#soon.signal.aborted || interrupts.asked()) return;
    const detail = `the attempt at ${task} was paused`;
    await live.record((loop) =>
      isActiveFor(loop, run) ? [{ type: "loop.paused", reason: "user", detail, by: "person" }] : [],
    );
  }

  /** null: the attempt had a result already, or the loop is no longer this run's. */
  async #accept(attempt: Attempt, events: readonly LoopEvent[]): Promise<Loop | null> {
    const { live, run } = this.#context;
    let isAccepted = false;
    const loop = await live.record((now) => {
      isAccepted = isActiveFor(now, run) && awaited(workflowOf(now), attempt) !== null;
      return isAccepted ? events : [];
    });
    return isAccepted ? loop : null;
  }

  async #block(task: string, { detail }: Setback): Promise<void> {
    await pauseBlocked(this.#context, `${task}: ${detail.split("\n")[0] ?? ""}`);
  }
}

export function waitOf(workflow: Workflow, agent: string, now: number): number | null {
  const until = workflow.waits.find((wait) => wait.agent === agent)?.until ?? null;
  return until !== null && until > now ? until : null;
}

/** The terminal says by a question whether it was asked to pause; an attempt waits for a signal. */
function watchInterrupts(
  { asked }: WorkflowContext["interrupts"],
  soon: AbortController,
): { readonly soon: AbortSignal; readonly stop: () => void } {
  const timer = setInterval(() => {
    if (asked()) soon.abort();
  }, LOOK_MS);
  return { soon: soon.signal, stop: () => clearInterval(timer) };
}
