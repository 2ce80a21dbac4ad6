import * as v from "valibot";
import type { Evidence } from "../../core/loop/criterion.ts";
import { EVENT_VERSION, type LoopEvent } from "../../core/events/event.ts";
import type { Proven } from "../../core/loop/proof.ts";
import type { Settlement } from "../../core/stop/facts.ts";
import { UserError } from "../../core/user-error.ts";
import { announceChecks, Jobs, runningSince, type Job, type JobKind } from "../../storage/home/job.ts";
import type { LocalLoop } from "../../storage/home/approval-record.ts";
import { parseEvent } from "../../storage/journal/event-schema.ts";
import { localLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { provenIn, storedProven } from "../../verify/proofs/stored-proven.ts";

/** How long the caller waits for a job, and the program that does it. */
export interface HookTimeout {
  readonly ms: number;
  readonly cli: string;
}

interface Named {
  readonly names: readonly string[];
}

/** What checks and, if all of them passed, their proofs showed. */
export interface Judged {
  readonly checks: ReadonlyMap<string, Evidence>;
  readonly proven: Proven | null;
}

const named: v.GenericSchema<unknown, Named> = v.object({ names: v.array(v.string()) });

export const JUDGING: JobKind<Named, Judged> = {
  command: "judge",
  folder: "judging",
  asked: named,
  result: v.pipe(
    v.object({ shown: v.array(v.unknown()), proven: v.unknown() }),
    v.transform(({ shown, proven }) => ({ checks: evidenceIn(shown), proven: provenIn(proven) })),
  ),
  store: ({ checks, proven }) => ({
    shown: [...checks].map(([name, evidence]) =>
      stored({ type: "check.ran", name, evidence, atStart: false }),
    ),
    proven: proven === null ? null : storedProven(proven),
  }),
  storedEarlier: ({ shown, proven }) => ({ shown, proven }),
  isAwaited: true,
  nothingPending: "No checks are pending; run them with: loop check",
};

export const NOTHING_SETTLED: Settlement = { rejected: [] };

export const SETTLING: JobKind<Named, Settlement> = {
  command: "settle",
  folder: "judging",
  asked: named,
  result: v.object({ rejected: v.array(v.object({ task: v.string(), why: v.string() })) }),
  store: (settlement) => settlement,
  storedEarlier: ({ proven }) => proven ?? NOTHING_SETTLED,
  isAwaited: true,
  nothingPending: "Nothing is to be settled; a session's hook does it at a stop.",
};

const POLL_MS = 100;
/** How long a new process may take to begin. */
const STARTING_MS = 15_000;

/** Starts the job in a process that outlives this one. */
export function startJob<Asked, Result>(
  machine: Pick<Machine, "now" | "env" | "processes">,
  local: LocalLoop,
  kind: JobKind<Asked, Result>,
  { asked, longestMs, cli }: { readonly asked: Asked; readonly longestMs: number; readonly cli: string },
): Job<Asked, Result> {
  const startedAt = machine.now();
  const job = new Jobs(local, kind).issue({ startedAt, expiresAt: startedAt + longestMs, asked });
  const args = [cli, kind.command, "--loop", local.loop, job.token];
  machine.processes.startDetached(args, { cwd: local.root, env: machine.env });
  return job;
}

/** `gone`: its process ended without a result, or never began. */
type Waited<Result> =
  | { readonly type: "reported"; readonly result: Result }
  | { readonly type: "gone" }
  | { readonly type: "outlasts" };

/** Waits until the job reports, and no longer than the caller can. */
export async function waitForJob<Asked, Result>(
  { now }: Pick<Machine, "now">,
  jobs: Jobs<Asked, Result>,
  { token }: Job<Asked, Result>,
  deadline: number,
): Promise<Waited<Result>> {
  for (;;) {
    const isOpen = isStartingOrRunning(jobs, jobs.read(token), now());
    // Read after that look: a process reports before it ends.
    const result = jobs.read(token)?.result ?? null;
    if (result !== null) return { type: "reported", result };
    if (!isOpen) return { type: "gone" };
    if (now() >= deadline) return { type: "outlasts" };
    await nextPoll();
  }
}

/** Waits until nobody runs the loop's checks or is about to. Returns whether somebody did. */
export async function waitForChecks(
  { home, now }: Pick<Machine, "home" | "now">,
  known: KnownLoop,
): Promise<boolean> {
  const local = localLoop({ home }, known);
  const isOpen = <Asked, Result>(kind: JobKind<Asked, Result>): boolean => {
    const jobs = new Jobs(local, kind);
    const job = jobs.find();
    return job?.result === null && isStartingOrRunning(jobs, job, now());
  };
  for (let hasWaited = false; ; hasWaited = true) {
    if (runningSince(local, now()) === null && !isOpen(JUDGING) && !isOpen(SETTLING)) return hasWaited;
    await nextPoll();
  }
}

function isStartingOrRunning<Asked, Result>(
  jobs: Jobs<Asked, Result>,
  job: Job<Asked, Result> | null,
  now: number,
): boolean {
  if (job === null) return false;
  return job.pid === null ? now - job.startedAt < STARTING_MS : jobs.isRunning(job, now);
}

async function nextPoll(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** In the started process: does what the token's job asks, and reports it. A token works once. */
export async function carryOut<Asked, Result>(
  { home, now }: Pick<Machine, "home" | "now">,
  known: KnownLoop,
  kind: JobKind<Asked, Result>,
  token: string,
  work: (asked: Asked) => Promise<Result>,
): Promise<void> {
  const local = localLoop({ home }, known);
  const jobs = new Jobs(local, kind);
  const job = jobs.read(token);
  if (job === null || job.result !== null || now() >= job.expiresAt) throw new UserError(kind.nothingPending);
  const begun = jobs.begin(job);
  const conceal = kind.isAwaited
    ? announceChecks(local, { startedAt: now(), expiresAt: job.expiresAt })
    : () => {};
  try {
    jobs.report(begun, await work(job.asked));
  } finally {
    conceal();
  }
}

function stored(event: LoopEvent): unknown {
  return { ...event, v: EVENT_VERSION[event.type] };
}

/** Results that don't match are dropped. */
function evidenceIn(shown: readonly unknown[]): ReadonlyMap<string, Evidence> {
  const events = shown.map(parseEvent).flatMap((parsed) => (parsed.type === "event" ? [parsed.event] : []));
  return new Map(
    events.flatMap((event) => (event.type === "check.ran" ? [[event.name, event.evidence] as const] : [])),
  );
}
