/**
 * What drivers and workers on any number of machines share: a queue with leases, and beside it a few rows. Nobody believes what is
 * read here: texts are signed messages, and code is named by its commits.
 */
export interface FleetEngine {
  /** A second submission of the same job changes nothing. */
  readonly submit: (job: SubmittedJob) => Promise<void>;
  /** Every execution of a plan's attempts that was ever submitted, oldest first. */
  readonly executions: (workflow: string) => Promise<readonly Execution[]>;
  /** What became of jobs, and what their workers wrote from these positions on. */
  readonly look: (jobs: readonly LookedAt[]) => Promise<readonly SeenJob[]>;
  /** Takes jobs back that nobody has fetched. Who has one says himself what it came to. */
  readonly withdraw: (jobs: readonly FetchedJob[]) => Promise<void>;
  /** Ends the leases of workers that have stopped answering. Only drivers call it, again and again. */
  readonly endLeases: () => Promise<void>;

  readonly fetch: (queue: string, most: number) => Promise<readonly FetchedJob[]>;
  /** Renews leases; answers with the jobs that are still the caller's. */
  readonly touch: (jobs: readonly FetchedJob[]) => Promise<ReadonlySet<string>>;
  /** False: the lease is no longer the caller's, and the result counts for nothing. */
  readonly complete: (job: FetchedJob, result: string) => Promise<boolean>;
  /** What a worker tells of a job, by position from 0. A number: something else is there already, and that position is free. */
  readonly write: (job: string, position: number, text: string) => Promise<number | null>;

  /** What the driver wants of a running job, as one text that replaces the last. */
  readonly setControl: (job: string, text: string) => Promise<void>;
  readonly controls: (jobs: readonly string[]) => Promise<ReadonlyMap<string, string>>;

  readonly putCode: (code: CodeRow) => Promise<void>;
  readonly code: (commit: string) => Promise<readonly CodeRow[]>;
  /** A worker lacks a commit; it has these. The driver answers with `putCode`. */
  readonly want: (wanted: WantedCode) => Promise<void>;
  readonly wanted: (workflow: string) => Promise<readonly WantedCode[]>;

  readonly announce: (worker: WorkerRow) => Promise<void>;
  /** As somebody wrote them. */
  readonly workers: () => Promise<readonly { readonly row: unknown; readonly seenMsAgo: number }[]>;
  /** Whose results a driver accepts, as a signed text: only those take its jobs. */
  readonly introduce: (driver: string, text: string) => Promise<void>;
  readonly introductions: () => Promise<readonly string[]>;
  /** An account of an agent waits for a usage limit. */
  readonly limit: (account: string, until: number) => Promise<void>;
  readonly limits: () => Promise<ReadonlyMap<string, number>>;

  /** Calls back soon after somebody else changed something; it may also be called in vain. */
  readonly listen: (topics: readonly Topic[], changed: () => void) => void;
  /** All of a plan that is over. Who still works for it, because he couldn't be told, loses his lease. */
  readonly forget: (workflow: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** `jobs`: a job can be fetched. `control`: a driver wants something. `news`: a worker wrote something. */
export type Topic = "jobs" | "control" | "news";

export interface FetchedJob {
  readonly id: string;
  readonly queue: string;
  /** The signed envelope. */
  readonly envelope: string;
}

export interface Execution {
  readonly key: string;
  readonly exec: number;
  readonly id: string;
  readonly queue: string;
  readonly envelope: string;
}

type SubmittedJob = Execution & { readonly workflow: string };

interface LookedAt {
  readonly id: string;
  readonly queue: string;
  readonly from: number;
}

export interface SeenJob {
  readonly id: string;
  readonly state: JobState;
  readonly news: readonly string[];
}

export type JobState =
  /** `unknown`: it was never submitted. `withdrawn`: the driver took it back. */
  | { readonly type: "waiting" | "running" | "lost" | "withdrawn" | "unknown" }
  | { readonly type: "completed"; readonly result: string };

/** Objects of git as a pack, which needs those of other commits. */
export interface CodeRow {
  readonly workflow: string;
  readonly commit: string;
  readonly needs: readonly string[];
  readonly pack: Buffer;
}

export interface WantedCode {
  readonly workflow: string;
  readonly commit: string;
  readonly has: readonly string[];
}

export interface WorkerRow {
  /** Its key's fingerprint. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The versions of envelopes that it understands. */
  readonly envelopes: readonly number[];
  readonly slots: number;
  readonly busy: number;
  readonly agents: readonly string[];
  readonly labels: readonly string[];
  readonly account: string;
  readonly repositories: readonly string[];
  /** The drivers whose attempts it runs, by their fingerprints. The first versions didn't say. */
  readonly drivers?: readonly string[];
  readonly isDraining: boolean;
}

export type SeenWorker = WorkerRow & { readonly seenMsAgo: number };

/** How long a worker may be silent before its attempts are made again elsewhere. */
export const LEASE_MS = 60_000;

/** No worker works on one execution for longer. */
export const LONGEST_MS = 24 * 60 * 60_000;

/**
 * After an outage every lease looks old: who was cut off gets a whole lease to be heard again. `contactMs`: for how long whoever
 * asks has had an answer again and again.
 */
export function mayEndLeases({
  serverUpMs,
  contactMs,
  leaseMs,
}: {
  readonly serverUpMs: number;
  readonly contactMs: number;
  readonly leaseMs: number;
}): boolean {
  return Math.min(serverUpMs, contactMs) >= leaseMs;
}

/** How long there has been an answer again and again, by the clock of those that answer: a frozen process doesn't know how long it was. */
export class Contact {
  readonly #leaseMs: number;
  #since: number | null = null;
  #last = 0;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Half a lease of silence may have cut off everybody: they have renewed theirs within a quarter of one. */
  made(now: number): number {
    if (this.#since === null || now - this.#last > this.#leaseMs / 2 || now < this.#last) this.#since = now;
    this.#last = now;
    return now - this.#since;
  }
}
