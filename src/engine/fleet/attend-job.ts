import { checkEnvelope } from "./check-envelope.ts";
import type { FetchedJob } from "./fleet-engine.ts";
import type { JobLedger } from "./job-ledger.ts";
import { ENVELOPE_VERSION, type FleetEnvelope } from "./envelopes.ts";
import { type FleetResult } from "./messages.ts";
import { patiently } from "./patience.ts";
import { runJob, tidyJob, type JobContext } from "./run-job.ts";
import type { RunningJob, RunningJobs } from "./running-jobs.ts";
import { NOTHING_SHOWN } from "../plan/executor.ts";
import type { WorkerOptions } from "./worker-options.ts";

interface AttendantParts {
  readonly ledger: JobLedger;
  readonly running: RunningJobs;
  readonly context: JobContext;
  /** Asks once what is wanted of the jobs that run. */
  readonly hear: () => Promise<void>;
}

/** Sees one job through: checks it, runs it, and hands in what came of it. */
export class JobAttendant {
  readonly #options: WorkerOptions;
  readonly #parts: AttendantParts;

  constructor(options: WorkerOptions, parts: AttendantParts) {
    this.#options = options;
    this.#parts = parts;
  }

  async attend(job: FetchedJob, { isResumed }: { readonly isResumed: boolean }): Promise<void> {
    const { machine, tell } = this.#options;
    const { ledger, running: jobs, hear } = this.#parts;
    const checked = checkEnvelope(this.#options, job, machine.now());
    const why =
      typeof checked === "string"
        ? checked
        : !isResumed && ledger.has(job.id)
          ? "It was taken before, so somebody repeats it."
          : await isDriversOwn(this.#options, checked);
    if (why !== null || typeof checked === "string") return this.#refuse(job, why ?? "");
    ledger.note(job, { isOver: false });
    const running = jobs.add(job, checked.driver);
    const { key, agent } = checked.envelope.attempt;
    tell({ type: "took", key, agent, isResumed });
    // What was wanted of it before it was taken.
    await hear();
    const result = await this.#made(checked, running);
    running.isOver = true;
    if (result !== null) {
      const isTaken = await this.#hand(job, result, running.lost.signal);
      // The next process of this worker finds it, and goes on.
      if (isTaken === null) return;
      tell(isTaken ? { type: "ended", key, outcome: result.outcome.type } : { type: "lost", key });
      if (isTaken && isResumable(result)) return ledger.note(job, { isOver: true, isKept: true });
      await tidyJob(this.#options, checked);
    }
    ledger.note(job, { isOver: true });
  }

  /** Whatever it has told of it before makes the driver refuse this result, and charge what the attempt may have cost. */
  async giveUp(job: FetchedJob, why: string): Promise<void> {
    const detail = `Its worker ${this.#options.name} failed: ${why}`;
    const lost = this.#without(job.id, {
      type: "set-back",
      setback: { kind: "lost", detail, carry: null, failing: [] },
    });
    await this.#hand(
      job,
      lost,
      this.#parts.running.find(job.id)?.lost.signal ?? new AbortController().signal,
    );
  }

  async #made(
    checked: { readonly envelope: FleetEnvelope; readonly root: string },
    running: RunningJob,
  ): Promise<FleetResult | null> {
    return runJob(this.#parts.context, checked, {
      signal: running.abort.signal,
      soon: running.soon.signal,
      lost: running.lost.signal,
      control: () => running.control,
    });
  }

  #without(job: string, outcome: FleetResult["outcome"]): FleetResult {
    const { usage } = NOTHING_SHOWN;
    return {
      ...{ purpose: "result", version: ENVELOPE_VERSION, job, worker: this.#options.name, outcome },
      ...{ usage, evidence: [], learnings: [], written: 0 },
      commits: { result: null, all: null, unfinished: null },
    };
  }

  async #refuse(job: FetchedJob, why: string): Promise<void> {
    const { tell, name } = this.#options;
    tell({ type: "refused", job: job.id, why });
    const detail = `the worker ${name} refused it: ${why}`;
    const refusal = this.#without(job.id, { type: "paused", reason: "blocked", detail });
    await this.#hand(job, refusal, new AbortController().signal);
  }

  /** False: its lease was lost, and the result counts for nothing. Null: this process ends, and nobody has answered. */
  async #hand(job: FetchedJob, result: FleetResult, lost: AbortSignal): Promise<boolean | null> {
    const { engine, signer, patience } = this.#options;
    const text = signer.sign(result);
    const signal = AbortSignal.any([lost, patience.signal]);
    try {
      return await patiently({ ...patience, signal }, async () => engine.complete(job, text));
    } catch {
      return lost.aborted ? false : null;
    }
  }
}

function isResumable({ outcome: { type } }: FleetResult): boolean {
  return type === "stopped" || type === "paused" || type === "unapproved";
}

/** In the driver's own clone the attempt's records would meet its mirror. */
async function isDriversOwn(
  { machine }: Pick<WorkerOptions, "machine">,
  { envelope, root }: { readonly envelope: FleetEnvelope; readonly root: string },
): Promise<string | null> {
  const { projectAt } = await import("../../storage/home/project.ts");
  const ids = await machine.journals(projectAt(root)).list();
  return ids.includes(envelope.attempt.workflow)
    ? `${root} is the clone that the plan is driven from; start the worker in another clone.`
    : null;
}
