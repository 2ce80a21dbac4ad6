import { setTimeout as sleep } from "node:timers/promises";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { writtenFiles } from "../../verify/baseline/loop-baselines.ts";
import type { AttemptEnvelope, AttemptResult, AttemptSignals, Executor } from "../plan/executor.ts";
import { NOTHING_SHOWN } from "../plan/executor.ts";
import type { AgentChoice, PlanChoice } from "../run/agent-choice.ts";
import { acceptResult, lostResult, readTold, type Accepting, type Told } from "./accept-result.ts";
import { AttemptMirror } from "./attempt-mirror.ts";
import { CodeOffers } from "./code-offers.ts";
import { LEASE_MS, LONGEST_MS, type Execution, type FleetEngine } from "./fleet-engine.ts";
import { JobWatch, type Followed } from "./job-watch.ts";
import { pinnedKeys, type Signer } from "./keys.ts";
import { asAttempt, ENVELOPE_VERSION, jobIdOf, type FleetEnvelope } from "./messages.ts";
import { patiently, Pulse, type Patience } from "./patience.ts";
import { queueFor, queueOfWorker } from "./queues.ts";
import { Roster } from "./roster.ts";

export interface FleetTimes {
  readonly leaseMs: number;
  /** How often to look where nobody says that something changed. */
  readonly lookMs: number;
  /** How long the end of what was stopped is waited for. */
  readonly stopMs: number;
}

export const USUAL_TIMES: FleetTimes = { leaseMs: LEASE_MS, lookMs: 1_000, stopMs: 20_000 };

export interface FleetOptions {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly project: Project;
  readonly workflow: LoopId;
  readonly repository: string;
  readonly signer: Signer;
  readonly choiceFor: (envelope: AttemptEnvelope) => AgentChoice;
  readonly how: Pick<PlanChoice, "setup" | "copies">;
  /** Only workers with it take the attempts; null: any. */
  readonly label: string | null;
  readonly times: FleetTimes;
  readonly tell: (sentence: string) => void;
}

export interface FleetExecutor extends Executor {
  /** How many attempts the accepted workers can take at once. */
  readonly slots: () => number;
  readonly close: () => Promise<void>;
}

/** Hands attempts to workers on other machines, and brings back what came of them. */
export function fleetExecutor(options: FleetOptions): FleetExecutor {
  const fleet = new Fleet(options);
  const atWork = new Map<string, Promise<AttemptResult>>();
  return {
    runAttempt: async (envelope, signals) => {
      const { key } = envelope;
      const result =
        atWork.get(key) ?? fleet.attempt(envelope, signals).finally(() => void atWork.delete(key));
      atWork.set(key, result);
      return result;
    },
    slots: () => fleet.roster.slots,
    close: async () => fleet.close(),
  };
}

class Fleet {
  readonly roster: Roster;
  readonly #options: FleetOptions;
  readonly #offers: CodeOffers;
  readonly #watch: JobWatch;
  readonly #pulse: Pulse;
  readonly #closed = new AbortController();
  readonly #patience: Patience;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { engine, machine, times, tell, signer } = options;
    this.#patience = {
      signal: this.#closed.signal,
      outage: (why) =>
        tell(
          why === null
            ? "The fleet's database answers again."
            : `The fleet's database doesn't answer (${why}); waiting for it.`,
        ),
    };
    const soon = (): void => this.#pulse.soon();
    this.#offers = new CodeOffers(options);
    this.roster = new Roster(options);
    this.#watch = new JobWatch({
      engine,
      signer,
      patience: this.#patience,
      isAccepted: (fingerprint) => pinnedKeys(machine.home, "workers").has(fingerprint),
      soon,
      stopMs: times.stopMs,
    });
    this.#pulse = new Pulse(times.lookMs, async () => this.#beat());
    engine.listen(["news"], soon);
    this.#pulse.start();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#pulse.stop();
  }

  async #beat(): Promise<void> {
    try {
      await this.#ask(async () => {
        await this.#watch.look();
        await this.#offers.answer();
        await this.roster.look();
      });
    } catch {
      // It is being closed.
    }
  }

  async #ask<Value>(asked: () => Promise<Value>): Promise<Value> {
    return patiently(this.#patience, asked);
  }

  async attempt(envelope: AttemptEnvelope, signals: AttemptSignals): Promise<AttemptResult> {
    const { machine, project, engine, tell } = this.#options;
    if (envelope.base === null)
      return unsendable(envelope, "attempts in a project without git can't be made elsewhere");
    for (;;) {
      if (signals.signal.aborted) return stopped(envelope);
      const all = await this.#ask(async () => engine.executions(envelope.workflow));
      const last = all.findLast(({ key }) => key === envelope.key);
      if (last === undefined) {
        const problem = await this.#submit(envelope, 1, this.#queue(envelope));
        if (problem !== null) return unsendable(envelope, problem);
        continue;
      }
      this.#offers.name(envelope);
      const mirror = new AttemptMirror(machine, project, envelope);
      const followed = await this.#watch.follow({
        execution: last,
        mirror,
        signals,
        began: (worker) => tell(`${envelope.task} runs on ${oneLine(worker, 40)}.`),
        passesOn: (news) => news.type !== "waiting" || this.roster.areAllLimited(envelope.agent),
      });
      await mirror.settled();
      const result = await this.#resultOf(envelope, last, followed, mirror, signals);
      if (result !== null) return result;
    }
  }

  /** Null: it was asked for once more. */
  async #resultOf(
    envelope: AttemptEnvelope,
    last: Execution,
    followed: Followed,
    mirror: AttemptMirror,
    signals: AttemptSignals,
  ): Promise<AttemptResult | null> {
    const { state, wasOver, workerName } = followed;
    const isStopped = signals.signal.aborted || signals.soon.aborted;
    switch (state.type) {
      case "waiting":
      case "running":
        return withSpending(stopped(envelope), mirror);
      case "withdrawn":
        if (isStopped) return withSpending(stopped(envelope), mirror);
        return this.#again(envelope, last.exec + 1, last.queue);
      case "unknown":
        return this.#again(envelope, last.exec, last.queue);
      case "lost":
        return lostResult(
          envelope,
          mirror,
          `Its worker${workerName === null ? "" : ` ${workerName}`} stopped answering.`,
        );
      case "completed": {
        const told = readTold(state.result, followed, pinnedKeys(this.#options.machine.home, "workers"));
        if (typeof told === "string") return lostResult(envelope, mirror, `Its result was refused: ${told}`);
        if (isHandedBack(told, { wasOver, isStopped }))
          return this.#resume(envelope, last, told, mirror, signals);
        return acceptResult(this.#accepting(envelope, mirror), told);
      }
    }
  }

  /** Its worker has its files and its conversation. If it doesn't come back, another attempt carries on what it had done. */
  async #resume(
    envelope: AttemptEnvelope,
    last: Execution,
    told: Told,
    mirror: AttemptMirror,
    { signal, soon }: AttemptSignals,
  ): Promise<AttemptResult | null> {
    const { engine, times, machine } = this.#options;
    const { fingerprint, result } = told;
    const until = machine.now() + times.leaseMs;
    for (;;) {
      const workers = await this.#ask(async () => engine.workers());
      const its = workers.find(({ id }) => id === fingerprint);
      if (its !== undefined && !its.isDraining && its.seenMsAgo < times.leaseMs)
        return this.#again(envelope, last.exec + 1, queueOfWorker(this.#wanted(), fingerprint));
      if (signal.aborted || soon.aborted) return withSpending(stopped(envelope), mirror);
      if (machine.now() >= until) break;
      await sleep(Math.min(times.lookMs, times.leaseMs), undefined, { signal }).catch(() => undefined);
    }
    const setback = {
      kind: "lost",
      detail: `Its worker ${result.worker} was shut down.`,
      carry: result.commits.unfinished,
      failing: [],
    } as const;
    const outcome = { type: "set-back", setback: { ...setback, failing: [] } } as const;
    return acceptResult(this.#accepting(envelope, mirror), { ...told, result: { ...result, outcome } });
  }

  #accepting(envelope: AttemptEnvelope, mirror: AttemptMirror): Accepting {
    const { engine, machine, project } = this.#options;
    return { engine, machine, project, envelope, mirror, ask: async (asked) => this.#ask(asked) };
  }

  #wanted(): { readonly driver: string; readonly repository: string } {
    return { driver: this.#options.signer.fingerprint, repository: this.#options.repository };
  }

  #queue({ agent }: AttemptEnvelope): string {
    return queueFor(this.#wanted(), agent, this.#options.label);
  }

  async #again(envelope: AttemptEnvelope, exec: number, queue: string): Promise<AttemptResult | null> {
    const problem = await this.#submit(envelope, exec, queue);
    return problem === null ? null : unsendable(envelope, problem);
  }

  /** Why it can't be sent; null: it is on its way. */
  async #submit(envelope: AttemptEnvelope, exec: number, queue: string): Promise<string | null> {
    const { engine, machine, project, repository, signer, choiceFor, how } = this.#options;
    const { key, workflow } = envelope;
    const problem = await this.#ask(async () => this.#offers.offer(envelope));
    if (problem !== null) return problem;
    const id = jobIdOf(key, exec);
    const message: FleetEnvelope = structuredClone({
      purpose: "attempt",
      version: ENVELOPE_VERSION,
      job: id,
      queue,
      exec,
      repository,
      expires: machine.now() + LONGEST_MS,
      attempt: asAttempt(envelope),
      choice: choiceFor(envelope),
      setup: how.setup,
      copies: how.copies,
      written: writtenFiles({ home: machine.home, root: project.root, id: workflow }),
    }) as FleetEnvelope;
    await this.#ask(async () =>
      engine.submit({ workflow, key, exec, id, queue, envelope: signer.sign(message) }),
    );
    return null;
  }
}

/** It was stopped before, and is now asked for again; or its worker gave it back by itself, because it is being shut down. */
function isHandedBack(
  { result: { outcome } }: Told,
  { wasOver, isStopped }: { readonly wasOver: boolean; readonly isStopped: boolean },
): boolean {
  if (outcome.type === "stopped") return wasOver || !isStopped;
  return wasOver && (outcome.type === "paused" || outcome.type === "unapproved");
}

function stopped({ key }: AttemptEnvelope): AttemptResult {
  return { ...NOTHING_SHOWN, key, outcome: { type: "stopped" } };
}

function withSpending(result: AttemptResult, { loop, records }: AttemptMirror): AttemptResult {
  if (loop === null) return result;
  const { usd, tokens, priced } = loop.spend;
  return { ...result, usage: { usd, tokens, priced, turnUsd: loop.dearestTurnUsd }, journal: [...records] };
}

function unsendable({ key }: AttemptEnvelope, why: string): AttemptResult {
  return { ...NOTHING_SHOWN, key, outcome: { type: "paused", reason: "blocked", detail: why } };
}
