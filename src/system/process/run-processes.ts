import { setTimeout as sleep } from "node:timers/promises";
import { readdirSync } from "node:fs";
import { parseStat, procFile, PS_ENVIRONMENT, psColumns, type ProcessStat } from "./process-facts.ts";

const GRACE_MS = 500;
const ROUND_MS = 20;
/** Far less than a machine needs to start as many processes as there are ids. */
const OLD_FOR_MS = 200;
/** Only a process that the kernel cannot end (or that belongs to another user now) survives this. */
const GIVE_UP_MS = 10_000;

interface ProcessTree {
  /** Leaders of their own groups and sessions. */
  readonly roots: readonly ProcessRoot[];
  /** Set in the environment of everything the roots started. */
  readonly runId: string;
  /** Nothing that is older carries the id; missing where others may have had it before. As in the process table. */
  readonly since?: string | null;
}

/** Ends what is left of a run when only its id is known. Only Linux shows environments, so elsewhere this finds nothing. */
export async function endProcessesOfRun(runId: string): Promise<void> {
  await endProcessTree({ roots: [], runId });
}

/**
 * Ends everything left of a run, except this process, and resolves when nothing is left: SIGTERM, then SIGKILL after a grace
 * period. Remembers processes from round to round, since ending a parent moves its children to init.
 */
export async function endProcessTree(tree: ProcessTree): Promise<void> {
  if (process.platform === "win32") return endWindowsTrees(tree.roots);
  const known = new Map<number, string>();
  const startedAt = performance.now();
  let emptyRounds = 0;
  const older = new Set<string>();
  // A process in the middle of an exec shows no environment: one empty round proves nothing.
  while (emptyRounds < 2 && performance.now() - startedAt < GIVE_UP_MS) {
    // Ids are given again only after all the others.
    if (performance.now() - startedAt > OLD_FOR_MS) older.clear();
    const table = await readProcessTable(tree, older);
    const others = table.filter((row) => row.pid !== process.pid);
    const rows = processesOfRun(others, tree.roots, known);
    const impatient = performance.now() - startedAt >= GRACE_MS;
    for (const row of rows) {
      if (impatient) sendSignal(row.pid, "SIGKILL");
      else if (known.get(row.pid) !== row.startedAt) sendSignal(row.pid, "SIGTERM");
      known.set(row.pid, row.startedAt);
    }
    emptyRounds = rows.length === 0 ? emptyRounds + 1 : 0;
    await sleep(emptyRounds > 0 ? 1 : ROUND_MS);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or we may not signal it; the next round shows which.
  }
}

async function endWindowsTrees(roots: readonly ProcessRoot[]): Promise<void> {
  const { execFile } = await import("node:child_process");
  for (const { pid } of roots) {
    await new Promise<void>((resolve) => {
      execFile("taskkill", ["/pid", String(pid), "/T", "/F"], () => resolve());
    });
  }
}

export interface ProcessRow extends ProcessStat {
  readonly pid: number;
  /** Its environment carries the run's id (only visible on Linux). */
  readonly marked: boolean;
}

interface ProcessRoot {
  readonly pid: number;
  /** null: it had already ended, so another process has its id now. */
  readonly startedAt: string | null;
}

/**
 * The living processes of this machine, without zombies, which cannot be ended. `older`: those that are older than the run, by
 * their names in `/proc`, which a next reading leaves out.
 */
export async function readProcessTable(
  tree: Pick<ProcessTree, "runId" | "since">,
  older = new Set<string>(),
): Promise<readonly ProcessRow[]> {
  return process.platform === "linux" ? readProc(tree, older) : readPs();
}

/**
 * All of a run's processes in a table: the roots with their groups and sessions, the marked ones, and all their descendants. A
 * root whose id another process has by now no longer leads a group, because ids of existing groups are not reused.
 */
export function processesOfRun(
  table: readonly ProcessRow[],
  roots: readonly ProcessRoot[],
  known: ReadonlyMap<number, string>,
): readonly ProcessRow[] {
  const starts = new Map(table.map((row) => [row.pid, row.startedAt]));
  const leaders = new Set(
    roots
      .filter(({ pid, startedAt }) => !starts.has(pid) || starts.get(pid) === startedAt)
      .map(({ pid }) => pid),
  );
  const ours = new Set(
    table.filter(
      (row) =>
        leaders.has(row.pid) ||
        leaders.has(row.group) ||
        leaders.has(row.session) ||
        row.marked ||
        known.get(row.pid) === row.startedAt,
    ),
  );
  let grown = -1;
  while (grown !== ours.size) {
    grown = ours.size;
    const pids = new Set([...ours].map((row) => row.pid));
    for (const row of table) if (pids.has(row.parent)) ours.add(row);
  }
  return [...ours];
}

// Read synchronously: a faster snapshot misses less.
function readProc({ runId, since }: Pick<ProcessTree, "runId" | "since">, older: Set<string>): ProcessRow[] {
  const begunAt = Number(since ?? 0);
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || older.has(name)) continue;
    const stat = procFile(`${name}/stat`);
    if (stat === null) continue;
    const row = parseStat(stat);
    if (row === null) continue;
    const isOlder = Number(row.startedAt) < begunAt;
    if (isOlder) older.add(name);
    const environ = isOlder ? null : procFile(`${name}/environ`);
    rows.push({ pid, ...row, marked: environ !== null && carriesRunMark(environ, runId) });
  }
  return rows;
}

async function readPs(): Promise<ProcessRow[]> {
  const { execFile } = await import("node:child_process");
  const text = await new Promise<string>((resolve) => {
    const args = ["-A", ...psColumns("pid", "ppid", "pgid", "state", "lstart")];
    execFile("ps", args, { env: { ...process.env, ...PS_ENVIRONMENT } }, (_error, stdout) => resolve(stdout));
  });
  return text.split("\n").flatMap((line) => {
    const [pid, parent, group, state, ...startedAt] = line.trim().split(/\s+/);
    if (!pid || state === undefined || state.startsWith("Z")) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      startedAt: startedAt.join(" "),
      marked: false,
    };
  });
}

/** The variable that all processes of a run inherit and are found by. */
const VARIABLE = "LOOP_RUN_ID";

/** A run inside a run is found by both ids. */
export function markWithRun(env: NodeJS.ProcessEnv, runId: string): NodeJS.ProcessEnv {
  const outerRuns = env[VARIABLE];
  return { ...env, [VARIABLE]: outerRuns ? `${outerRuns} ${runId}` : runId };
}

export function withoutRunMark(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [VARIABLE]: _runs, ...others } = env;
  return others;
}

/** Whether an environment as Linux shows it, ended by a NUL after each variable, belongs to a process of the run. */
export function carriesRunMark(environ: string, runId: string): boolean {
  const start = `\0${environ}`.indexOf(`\0${VARIABLE}=`);
  if (start === -1 || runId === "") return false;
  const [variable = ""] = environ.slice(start).split("\0", 1);
  return variable
    .slice(VARIABLE.length + 1)
    .split(" ")
    .includes(runId);
}
