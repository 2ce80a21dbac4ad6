import { setTimeout as sleep } from "node:timers/promises";
import type { LoopEvent } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import { isActiveFor } from "../core/loop.ts";
import type { Attempt, Merge, Setback, Workflow } from "../core/plan/workflow.ts";
import { awaited } from "../core/plan/workflow.ts";
import { envelopeOf } from "./envelope.ts";
import type { AttemptResult } from "./executor.ts";
import { integrate } from "./merge-queue.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { pauseBlocked, recordOurs, taskOf, workflowOf } from "./take-workflow.ts";

/** How often it looks whether the person at the terminal wants it to pause. */
const LOOK_MS = 500;

/** The attempts and the merge that run now. */
export class Crew {
  readonly #context: WorkflowContext;
  readonly #work = new Set<Promise<void>>();
  readonly #now = new AbortController();
  readonly #soon = new AbortController();
  #tidied = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(context: WorkflowContext) {
    this.#context = context;
  }

  start(attempt: Attempt): void {
    const { executor, interrupts, live, machine } = this.#context;
    const envelope = envelopeOf(live.loop, workflowOf(live.loop), attempt);
    const watch = watchInterrupts(interrupts, this.#soon);
    this.#take(
      executor
        .runAttempt(envelope, {
          signal: AbortSignal.any([interrupts.now, this.#now.signal]),
          soon: watch.soon,
          waitsUntil: () => waitOf(workflowOf(live.loop), attempt.agent, machine.now()),
          tell: (news) => {
            this.#context.tell({ type: "attempt-news", task: attempt.task, news });
            if (news.type === "waiting") void this.#limit(attempt.agent, news.until);
          },
        })
        .then(async (result) => this.#settle(attempt, result))
        .finally(watch.stop),
    );
  }

  merge(merge: Merge): void {
    this.#take(
      integrate(this.#context, merge, AbortSignal.any([this.#context.interrupts.now, this.#now.signal])).then(
        () => this.#tidy(),
      ),
    );
  }

  /** Beside the work, one after the other: worktrees of what was merged only take up room. */
  #tidy(): void {
    const { live, workshop } = this.#context;
    this.#tidied = this.#tidied.then(async () => workshop.tidy(workflowOf(live.loop), { isOver: false }));
    this.#take(this.#tidied);
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

  async #limit(agent: string, until: number): Promise<void> {
    const known = waitOf(workflowOf(this.#context.live.loop), agent, 0);
    if (known !== null && known >= until) return;
    await recordOurs(this.#context, [{ type: "agent.limited", agent, until }]);
    this.#context.tell({ type: "limited", agent, until });
  }

  async #settle(attempt: Attempt, { outcome, usage }: AttemptResult): Promise<void> {
    const context = this.#context;
    if (outcome.type === "stopped") return;
    const { task, number } = attempt;
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
