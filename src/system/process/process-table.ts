import { readdirSync } from "node:fs";
import { procFile } from "./proc-file.ts";
import { carriesRunMark } from "./run-mark.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Tells a process from a later one with the same id. */
  readonly startedAt: string;
  /** Its environment carries the run's id (only visible on Linux). */
  readonly marked: boolean;
}

export interface ProcessRoot {
  readonly pid: number;
  /** null: it had already ended, so another process has its id now. */
  readonly startedAt: string | null;
}

/** Locale-independent words and times, so they can be compared. */
export const PS_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/** The living processes of this machine, without zombies, which cannot be ended. */
export async function readProcessTable(runId: string): Promise<readonly ProcessRow[]> {
  return process.platform === "linux" ? readProc(runId) : readPs();
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
function readProc(runId: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = procFile(`${name}/stat`);
    if (stat === null) continue;
    const row = parseStat(stat);
    if (row === null) continue;
    const environ = procFile(`${name}/environ`);
    rows.push({ pid, ...row, marked: environ !== null && carriesRunMark(environ, runId) });
  }
  return rows;
}

/** Parses a process as Linux shows it; null for a zombie. */
export function parseStat(stat: string): Omit<ProcessRow, "pid" | "marked"> | null {
  // The command name, in parentheses, may itself contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  if (state === "Z" || state === "X") return null;
  return {
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: fields[19] ?? "",
  };
}

/** One option each: some implementations read everything after the first `=` as a heading. */
export function psColumns(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ["-o", `${name}=`]);
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
