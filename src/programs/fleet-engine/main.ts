import { PgBoss } from "pg-boss";
import {
  Contact,
  LEASE_MS,
  LONGEST_MS,
  mayEndLeases,
  type CodeRow,
  type Execution,
  type FetchedJob,
  type FleetEngine,
  type JobState,
  type WantedCode,
} from "../../engine/fleet/fleet-engine.ts";
import { Connection } from "./connection.ts";
import { GRANTS, JOBS, SCHEMA_VERSION, TABLES, WORKER_ROLE } from "./schema.ts";

/** How the rows are used. */
export interface ConnectOptions {
  readonly leaseMs?: number;
}

/**
 * What a fleet's database lacks, in a sentence.
 * @public `loop` takes it from the file that it loads.
 */
export class FleetProblem extends Error {}

/** Makes the tables, and if it may, a role for workers. Answers with that role's name; null: it may not. */
export async function initFleet(url: string): Promise<string | null> {
  const connection = new Connection(url);
  try {
    await connection.query(TABLES);
    const boss = new PgBoss({ ...QUIET, db: connection, schema: JOBS, migrate: true, createSchema: true });
    boss.on("error", () => undefined);
    await boss.start();
    await boss.stop({ graceful: false, close: false });
    return await connection.query(GRANTS).then(
      () => WORKER_ROLE,
      () => null,
    );
  } finally {
    await connection.close();
  }
}

/** A pack may be large, and its way slow. */
const CODE_LIMIT_MS = 10 * 60_000;

const QUIET = { supervise: false, schedule: false, monitorIntervalSeconds: 1 } as const;

/** The engine on Postgres: pg-boss has the queue and its leases, and a few tables beside it have the rest. */
export async function connectFleet(
  url: string,
  { leaseMs = LEASE_MS }: ConnectOptions = {},
): Promise<FleetEngine> {
  const connection = new Connection(url);
  try {
    await connection.open();
    await expectSchema(connection);
    const boss = new PgBoss({ ...QUIET, db: connection, schema: JOBS, migrate: false, createSchema: false });
    boss.on("error", () => undefined);
    await boss.start();
    return postgresEngine(connection, boss, leaseMs);
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function expectSchema(connection: Connection): Promise<void> {
  const found = await connection
    .query("select to_regclass('loop_fleet.meta') is not null as is_there")
    .then(({ rows }) => rows[0] as { readonly is_there: boolean });
  if (!found.is_there)
    throw new FleetProblem("This database has no fleet yet; make one with: loop fleet init URL");
  const { rows } = await connection.query("select version from loop_fleet.meta");
  const version = (rows[0] as { readonly version: number } | undefined)?.version;
  if (version !== SCHEMA_VERSION)
    throw new FleetProblem(
      `This fleet's database has form ${version ?? "?"}, and this loopwright knows form ${SCHEMA_VERSION}; update the older of the two.`,
    );
}

function postgresEngine(connection: Connection, boss: PgBoss, leaseMs: number): FleetEngine {
  const queues = new Set<string>();
  const contact = new Contact(leaseMs);
  const query = async <Row>(
    text: string,
    values: readonly unknown[] = [],
    limitMs?: number,
  ): Promise<readonly Row[]> => (await connection.query(text, values, limitMs)).rows as Row[];
  const notify = async (topic: string): Promise<void> =>
    void (await query(`select pg_notify('loop_fleet_${topic}', '')`));
  return {
    submit: async ({ workflow, key, exec, id, queue, envelope }) => {
      if (!queues.has(queue))
        await boss.createQueue(queue, {
          retryLimit: 0,
          heartbeatSeconds: Math.max(10, Math.round(leaseMs / 1000)),
          expireInSeconds: LONGEST_MS / 1000,
        });
      queues.add(queue);
      await query(
        "insert into loop_fleet.execution (id, workflow, key, exec, queue, envelope) values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        [id, workflow, key, exec, queue, envelope],
      );
      await boss.send(queue, { envelope }, { id });
      await notify("jobs");
    },
    executions: async (workflow) =>
      query<Execution>(
        "select id, key, exec, queue, envelope from loop_fleet.execution where workflow = $1 order by key, exec",
        [workflow],
      ),
    look: async (jobs) => {
      const ids = jobs.map(({ id }) => id);
      const states = await query<{
        readonly id: string;
        readonly state: string;
        readonly result: string | null;
      }>(`select id, state, output->>'text' as result from ${JOBS}.job where id = any($1::uuid[])`, [ids]);
      const news = await query<{ readonly job: string; readonly text: string }>(
        `select job, text from loop_fleet.news join unnest($1::uuid[], $2::int[]) as wanted (id, start) on job = wanted.id
         where position >= wanted.start order by job, position`,
        [ids, jobs.map(({ from }) => from)],
      );
      return ids.map((id) => ({
        id,
        state: stateOf(states.find((each) => each.id === id)),
        news: news.flatMap(({ job, text }) => (job === id ? [text] : [])),
      }));
    },
    withdraw: async (jobs) =>
      void (await query(
        `update ${JOBS}.job set state = 'cancelled', completed_on = now() where id = any($1::uuid[]) and state < 'active'`,
        [jobs.map(({ id }) => id)],
      )),
    endLeases: async () => {
      const [server] = await query<{ readonly now: string; readonly up: string }>(
        "select extract(epoch from now()) * 1000 as now, extract(epoch from now() - pg_postmaster_start_time()) * 1000 as up",
      );
      const contactMs = contact.made(Number(server?.now ?? 0));
      if (mayEndLeases({ serverUpMs: Number(server?.up ?? 0), contactMs, leaseMs })) await boss.supervise();
    },
    fetch: async (queue, most) => {
      const waiting = await query(`select from ${JOBS}.job where name = $1 and state < 'active' limit 1`, [
        queue,
      ]);
      if (waiting.length === 0) return [];
      const jobs = await boss.fetch<{ readonly envelope?: string } | null>(queue, { batchSize: most });
      return jobs.map(({ id, data }) => ({ id, queue, envelope: data?.envelope ?? "" }));
    },
    touch: async (jobs) => {
      const held = new Set<string>();
      for (const [queue, ids] of byQueue(jobs)) {
        const touched = await boss.touch(queue, ids);
        for (const id of (touched as { readonly settled?: readonly string[] }).settled ?? []) held.add(id);
      }
      return held;
    },
    complete: async ({ id, queue }, text) => {
      const { affected } = (await boss.complete(queue, id, { text })) as { readonly affected: number };
      await notify("news");
      if (affected > 0) return true;
      // The answer to the first try may have been lost on its way.
      const [found] = await query<{ readonly result: string | null }>(
        `select output->>'text' as result from ${JOBS}.job where id = $1 and state = 'completed'`,
        [id],
      );
      return found?.result === text;
    },
    write: async (job, position, text) => {
      const [there] = await query<{ readonly text: string | null; readonly next: number }>(
        `with added as (insert into loop_fleet.news values ($1, $2, $3) on conflict do nothing returning text)
         select coalesce((select text from added), (select text from loop_fleet.news where job = $1 and position = $2)) as text,
           (select max(position) + 1 from loop_fleet.news where job = $1) as next`,
        [job, position, text],
      );
      await notify("news");
      return there?.text === text ? null : (there?.next ?? position);
    },
    setControl: async (job, text) => {
      await query(
        "insert into loop_fleet.control values ($1, $2) on conflict (job) do update set text = excluded.text",
        [job, text],
      );
      await notify("control");
    },
    controls: async (jobs) => {
      const rows = await query<{ readonly job: string; readonly text: string }>(
        "select job, text from loop_fleet.control where job = any($1::uuid[])",
        [jobs],
      );
      return new Map(rows.map(({ job, text }) => [job, text]));
    },
    putCode: async ({ workflow, commit, needs, pack }) => {
      await query(
        "insert into loop_fleet.code (workflow, commit, needs, pack) values ($1, $2, $3, $4)",
        [workflow, commit, needs, pack],
        CODE_LIMIT_MS,
      );
      // A worker may not, and then the driver does it.
      await query("delete from loop_fleet.want where commit = $1", [commit]).catch(() => undefined);
    },
    code: async (commit) =>
      query<CodeRow>(
        "select workflow, commit, needs, pack from loop_fleet.code where commit = $1 order by id desc",
        [commit],
        CODE_LIMIT_MS,
      ),
    want: async ({ workflow, commit, has }) => {
      await query("insert into loop_fleet.want values ($1, $2, $3)", [workflow, commit, has]);
      await notify("news");
    },
    wanted: async (workflow) =>
      query<WantedCode>("select workflow, commit, has from loop_fleet.want where workflow = $1 order by at", [
        workflow,
      ]),
    announce: async (worker) =>
      void (await query(
        "insert into loop_fleet.worker values ($1, $2, now()) on conflict (id) do update set row = excluded.row, seen = now()",
        [worker.id, JSON.stringify(worker)],
      )),
    workers: async () => {
      const rows = await query<{ readonly row: unknown; readonly ago: string }>(
        "select row, extract(epoch from now() - seen) * 1000 as ago from loop_fleet.worker order by row->>'name'",
      );
      return rows.map(({ row, ago }) => ({ row, seenMsAgo: Number(ago) }));
    },
    introduce: async (driver, text) => {
      await query(
        "insert into loop_fleet.introduction values ($1, $2) on conflict (driver) do update set text = excluded.text",
        [driver, text],
      );
      await notify("control");
    },
    introductions: async () => {
      const rows = await query<{ readonly text: string }>("select text from loop_fleet.introduction");
      return rows.map(({ text }) => text);
    },
    limit: async (account, until) => {
      await query(
        "insert into loop_fleet.account as known values ($1, $2) on conflict (name) do update set until = greatest(known.until, excluded.until)",
        [account, Math.round(until)],
      );
      await notify("control");
    },
    limits: async () => {
      const rows = await query<{ readonly name: string; readonly until: string }>(
        "select name, until from loop_fleet.account",
      );
      return new Map(rows.map(({ name, until }) => [name, Number(until)]));
    },
    listen: (topics, changed) => {
      for (const topic of topics) connection.hear(`loop_fleet_${topic}`, changed);
    },
    forget: async (workflow) => {
      const ids = "select id from loop_fleet.execution where workflow = $1";
      await query(
        `update ${JOBS}.job set state = 'cancelled', completed_on = now() where id in (${ids}) and state < 'completed'`,
        [workflow],
      );
      for (const table of ["news", "control"])
        await query(`delete from loop_fleet.${table} where job in (${ids})`, [workflow]);
      for (const table of ["code", "want", "execution"])
        await query(`delete from loop_fleet.${table} where workflow = $1`, [workflow]);
    },
    close: async () => {
      await boss.stop({ graceful: false, close: false }).catch(() => undefined);
      await connection.close();
    },
  };
}

function byQueue(jobs: readonly FetchedJob[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, queue } of jobs) found.set(queue, [...(found.get(queue) ?? []), id]);
  return found;
}

function stateOf(found: { readonly state: string; readonly result: string | null } | undefined): JobState {
  switch (found?.state) {
    case undefined:
      return { type: "unknown" };
    case "active":
      return { type: "running" };
    case "completed":
      return { type: "completed", result: found?.result ?? "" };
    case "failed":
      return { type: "lost" };
    case "cancelled":
      return { type: "withdrawn" };
    default:
      return { type: "waiting" };
  }
}
