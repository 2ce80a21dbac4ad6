import {
  mayEndLeases,
  type CodeRow,
  type Execution,
  type FetchedJob,
  type FleetEngine,
  type JobState,
  type Topic,
  type WantedCode,
  type WorkerRow,
} from "../../src/engine/fleet/fleet-engine.ts";

interface MemoryJob extends Execution {
  readonly workflow: string;
  state: JobState;
  heartbeat: number;
}

/** The rows that all engines of one fleet share, with a clock that a test may move. */
export class MemoryFleet {
  readonly jobs = new Map<string, MemoryJob>();
  readonly news = new Map<string, string[]>();
  readonly control = new Map<string, string>();
  readonly code: CodeRow[] = [];
  wants: WantedCode[] = [];
  readonly workers = new Map<string, WorkerRow & { readonly at: number }>();
  readonly accounts = new Map<string, number>();
  readonly introduced = new Map<string, string>();
  readonly listeners = new Set<{ readonly topics: readonly Topic[]; readonly changed: () => void }>();
  readonly leaseMs: number;
  /** Added to the real time. */
  #ahead = 0;
  #downSince: number | null = null;
  #upSince = Number.NEGATIVE_INFINITY;

  constructor(leaseMs = 60_000) {
    this.leaseMs = leaseMs;
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Time passes for the rows, and for nobody else. */
  pass(ms: number): void {
    this.#ahead += ms;
  }

  goDown(): void {
    this.#downSince = this.now();
  }

  comeUp(): void {
    this.#downSince = null;
    this.#upSince = this.now();
  }

  get upMs(): number {
    return this.now() - this.#upSince;
  }

  expectUp(): void {
    if (this.#downSince !== null) throw new Error("the database is away");
  }

  changed(topic: Topic): void {
    for (const each of this.listeners) if (each.topics.includes(topic)) setImmediate(each.changed);
  }
}

/** One process's way to the rows. It can be cut off by itself. */
export function memoryEngine(fleet: MemoryFleet, cut: { isCut: boolean } = { isCut: false }): FleetEngine {
  const listening: { readonly topics: readonly Topic[]; readonly changed: () => void }[] = [];
  const up = async <Value>(answer: () => Value): Promise<Value> => {
    await Promise.resolve();
    fleet.expectUp();
    if (cut.isCut) throw new Error("the network is away");
    return answer();
  };
  const running = ({ id }: FetchedJob): MemoryJob | null => {
    const job = fleet.jobs.get(id);
    return job?.state.type === "running" ? job : null;
  };
  return {
    submit: async (job) =>
      up(() => {
        if (fleet.jobs.has(job.id)) return;
        fleet.jobs.set(job.id, { ...job, state: { type: "waiting" }, heartbeat: 0 });
        fleet.changed("jobs");
      }),
    executions: async (workflow) =>
      up(() => [...fleet.jobs.values()].filter((job) => job.workflow === workflow)),
    look: async (jobs) =>
      up(() =>
        jobs.map(({ id, from }) => ({
          id,
          state: fleet.jobs.get(id)?.state ?? { type: "unknown" },
          news: (fleet.news.get(id) ?? []).slice(from),
        })),
      ),
    withdraw: async (jobs) =>
      up(() => {
        for (const { id } of jobs) {
          const job = fleet.jobs.get(id);
          if (job?.state.type === "waiting") job.state = { type: "withdrawn" };
        }
      }),
    endLeases: async () =>
      up(() => {
        const { upMs, leaseMs } = fleet;
        if (!mayEndLeases({ serverUpMs: upMs, contactMs: upMs, leaseMs })) return;
        for (const job of fleet.jobs.values())
          if (job.state.type === "running" && fleet.now() - job.heartbeat > fleet.leaseMs)
            job.state = { type: "lost" };
      }),
    fetch: async (queue, most) =>
      up(() => {
        const found = [...fleet.jobs.values()].filter(
          (job) => job.queue === queue && job.state.type === "waiting",
        );
        return found.slice(0, most).map((job) => {
          job.state = { type: "running" };
          job.heartbeat = fleet.now();
          return { id: job.id, queue, envelope: job.envelope };
        });
      }),
    touch: async (jobs) =>
      up(() => {
        const held = jobs.flatMap((job) => running(job) ?? []);
        for (const job of held) job.heartbeat = fleet.now();
        return new Set(held.map(({ id }) => id));
      }),
    complete: async (fetched, result) =>
      up(() => {
        const job = running(fetched);
        if (job === null) return false;
        job.state = { type: "completed", result };
        fleet.changed("news");
        return true;
      }),
    write: async (job, position, text) =>
      up(() => {
        const rows = fleet.news.get(job) ?? [];
        rows[position] ??= text;
        fleet.news.set(job, rows);
        fleet.changed("news");
        return rows[position] === text ? null : rows.length;
      }),
    setControl: async (job, text) =>
      up(() => {
        fleet.control.set(job, text);
        fleet.changed("control");
      }),
    controls: async (jobs) =>
      up(
        () =>
          new Map(
            jobs.flatMap((id): [string, string][] => {
              const text = fleet.control.get(id);
              return text === undefined ? [] : [[id, text]];
            }),
          ),
      ),
    putCode: async (row) =>
      up(() => {
        fleet.code.push(row);
        fleet.wants = fleet.wants.filter(({ commit }) => commit !== row.commit);
      }),
    code: async (commit) => up(() => fleet.code.filter((row) => row.commit === commit)),
    want: async (wanted) =>
      up(() => {
        fleet.wants.push(wanted);
        fleet.changed("news");
      }),
    wanted: async (workflow) => up(() => fleet.wants.filter((each) => each.workflow === workflow)),
    announce: async (worker) => up(() => void fleet.workers.set(worker.id, { ...worker, at: fleet.now() })),
    workers: async () =>
      up(() => [...fleet.workers.values()].map(({ at, ...row }) => ({ row, seenMsAgo: fleet.now() - at }))),
    introduce: async (driver, text) =>
      up(() => {
        fleet.introduced.set(driver, text);
        fleet.changed("control");
      }),
    introductions: async () => up(() => [...fleet.introduced.values()]),
    limit: async (account, until) =>
      up(() => void fleet.accounts.set(account, Math.max(until, fleet.accounts.get(account) ?? 0))),
    limits: async () => up(() => new Map(fleet.accounts)),
    listen: (topics, changed) => {
      const each = { topics, changed };
      listening.push(each);
      fleet.listeners.add(each);
    },
    forget: async (workflow) =>
      up(() => {
        for (const job of fleet.jobs.values()) if (job.workflow === workflow) fleet.jobs.delete(job.id);
      }),
    close: async () => {
      for (const each of listening) fleet.listeners.delete(each);
    },
  };
}
