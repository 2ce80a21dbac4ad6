import { setTimeout as sleep } from "node:timers/promises";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Attempt, Merge, Setback } from "../../core/plan/workflow.ts";
import { lastAttempt } from "../../core/plan/workflow.ts";
import { wordsFor } from "../../core/loop/words.ts";
import { adviceOn } from "./stages/retry-advice.ts";
import { envelopeOf } from "./envelope.ts";
import { NOTHING_SHOWN } from "./executor.ts";
import type { AttemptEnvelope, AttemptResult, AttemptSignals } from "./executor.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { lostAttempt } from "./lost-records.ts";
import { integrate } from "./merge-queue.ts";
import { recordResult } from "./keep-attempt.ts";
import { pauseBlocked, taskOf, workflowOf, type WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";
import { RateLimiter } from "./rate-limiter.ts";

/** The attempts and the merge that run now. */
export class WorkerPool {
  readonly #context: WorkflowContext;
  readonly #rateLimiter: RateLimiter;
  readonly #work = new Set<Promise<void>>();
  /** Something ended since somebody last asked. A race over all work would leave a reaction with each attempt at every look. */
  #hasNews = false;
  #wake: () => void = () => {};
  readonly #now = new AbortController();
  readonly #soon = new AbortController();
  readonly #stopped: AbortSignal;
  readonly #underWay = new Set<string>();
  #tidied = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(context: WorkflowContext) {
    this.#context = context;
    this.#rateLimiter = new RateLimiter(context);
    this.#stopped = AbortSignal.any([context.interrupts.now, this.#now.signal]);
  }

  start(attempt: Attempt): void {
    this.#take(this.#run(attempt).then(async (result) => this.#settle(attempt, result)));
  }

  /** The questions that are being asked, by their keys. */
  get underWay(): ReadonlySet<string> {
    return new Set(this.#underWay);
  }

  /** Goes on beside the rest. What is stopped leaves no trace, and is begun again by the next run. */
  ask(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    const signal = AbortSignal.any([this.#stopped, this.#soon.signal]);
    this.#underWay.add(key);
    this.#take(
      work(signal)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        })
        .finally(() => this.#underWay.delete(key)),
    );
  }

  /** With the agent that it was begun with; while that one waits for a usage limit, with another one that doesn't. */
  async #run(attempt: Attempt): Promise<AttemptResult> {
    const { live } = this.#context;
    const soon = this.#soon.signal;
    let placing = Promise.resolve();
    for (let agent = attempt.agent; ;) {
      const handOver = new AbortController();
      const envelope = envelopeOf(live.loop, workflowOf(live.loop), attempt);
      const result = await this.#resultOf(
        { ...envelope, agent },
        {
          signal: AbortSignal.any([this.#stopped, handOver.signal]),
          soon,
          waitsUntil: () => this.#rateLimiter.waitOf(agent),
          words: () =>
            wordsFor(live.loop.words, attempt.task).flatMap(({ at, text }) =>
              at > attempt.startedAt ? [text] : [],
            ),
          placed: (worker) => {
            placing = placing.then(async () => this.#place(attempt, worker));
            this.#note(placing);
          },
          advise: async (failure) => adviceOn(this.#context, attempt, failure, this.#stopped),
          tell: (news) => {
            this.#context.tell({ type: "attempt-news", task: attempt.task, news });
            if (news.type !== "waiting") return;
            const limited = this.#rateLimiter.limit(agent, news.until);
            this.#note(limited.then((other) => other !== null && handOver.abort()));
          },
        },
      );
      await placing;
      const { outcome } = result;
      const isHandedOver =
        outcome.type === "stopped" && handOver.signal.aborted && !this.#stopped.aborted && !soon.aborted;
      const isLimited =
        outcome.type === "paused" &&
        outcome.reason === "rate-limit" &&
        this.#rateLimiter.freeAgent(agent) !== null;
      if (!isHandedOver && !isLimited) return result;
      if (isLimited) await this.#rateLimiter.limit(agent, null);
      agent = this.#rateLimiter.freeAgent() ?? agent;
    }
  }

  /** Once, however often it is told. */
  async #place({ task, number }: Attempt, worker: string): Promise<void> {
    const loop = await recordOurs(
      this.#context,
      [{ type: "attempt.placed", task, number, worker }],
      ({ workflow }) => {
        const attempt = workflow === null ? null : lastAttempt(workflow, task);
        return attempt?.number === number && attempt.state.type === "running" && attempt.worker !== worker;
      },
    );
    if (loop !== null)
      this.#context.tell({ type: "attempt-placed", loop, task: taskOf(this.#context, task), worker });
  }

  async #resultOf(envelope: AttemptEnvelope, signals: AttemptSignals): Promise<AttemptResult> {
    try {
      return await this.#context.executor.runAttempt(envelope, signals);
    } catch (error) {
      if (error instanceof JournalError) return lostAttempt(this.#context, envelope, error);
      // Nothing else of the plan is lost with it, and a person can have it resumed.
      const detail = error instanceof Error ? error.message : String(error);
      const outcome = { type: "paused", reason: "unknown-error", detail } as const;
      return { ...NOTHING_SHOWN, key: envelope.key, outcome };
    }
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
    const { live, workspace } = this.#context;
    this.#tidied = this.#tidied.then(async () => workspace.tidy(workflowOf(live.loop), { isOver: false }));
    this.#take(this.#tidied);
  }

  get isIdle(): boolean {
    return this.#work.size === 0;
  }

  /** Until something ended, or it is time to look again. */
  async next(ms: number): Promise<void> {
    const rest = new AbortController();
    this.#wake = () => rest.abort();
    if (!this.#hasNews) await sleep(ms, undefined, { signal: rest.signal }).catch(() => undefined);
    this.#hasNews = false;
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
      .finally(() => {
        this.#work.delete(watched);
        this.#hasNews = true;
        this.#wake();
      });
    this.#work.add(watched);
  }

  async #settle(attempt: Attempt, { outcome, usage }: AttemptResult): Promise<void> {
    const context = this.#context;
    const { task } = attempt;
    if (outcome.type === "stopped") return this.#noteStop(task);
    if (outcome.type === "paused") {
      const { reason, detail } = outcome;
      await recordOurs(context, [
        { type: "loop.paused", reason, detail: `${task}: ${detail}`, by: "machine" },
      ]);
      return;
    }
    if (outcome.type === "unapproved") {
      await pauseBlocked(context, `${task}: ${howToDecide(attempt, outcome)}`);
      return;
    }
    const charge: LoopEvent = { type: "cost.charged", ...usage };
    const loop = await recordResult(context, attempt, outcome, [charge]);
    if (loop === null) return;
    if (outcome.type === "finished") {
      const { doubts } = outcome;
      context.tell({ type: "attempt-finished", loop, task: taskOf(context, task), attempt, doubts });
      return;
    }
    const { setback } = outcome;
    context.tell({ type: "set-back", loop, task: taskOf(context, task), setback });
    if (outcome.type === "blocked") await this.#block(task, setback);
  }

  /** Somebody paused the attempt by itself: nothing drives it any more, so the workflow would wait for it in vain. */
  async #noteStop(task: string): Promise<void> {
    const { interrupts, isSession } = this.#context;
    // A session's agent works on a prepared attempt itself.
    if (isSession || this.#stopped.aborted || this.#soon.signal.aborted || interrupts.asked()) return;
    const detail = `the attempt at ${task} was paused`;
    await recordOurs(this.#context, [{ type: "loop.paused", reason: "user", detail, by: "person" }]);
  }

  async #block(task: string, { detail }: Setback): Promise<void> {
    const [first = ""] = detail.split("\n");
    // What it asks, and not once more that it is blocked.
    await pauseBlocked(this.#context, `${task}: ${first.replace(/^It paused: blocked \((.*)\)\.$/, "$1")}`);
  }
}

/** The attempt waits for a person, who accepts what it changed, or has another one made. */
function howToDecide({ loop }: Attempt, { files, where }: Unapproved): string {
  const [there, typed] = where === undefined ? ["", ""] : [`${where}, `, "; typed there"];
  return `${there}its check fails with the tests and definitions from before the work (changed: ${files.join(", ")}). If the change is right: loop approve --loop ${loop}; if not, for another attempt: loop cancel --loop ${loop}${typed}`;
}

type Unapproved = Extract<AttemptResult["outcome"], { readonly type: "unapproved" }>;
