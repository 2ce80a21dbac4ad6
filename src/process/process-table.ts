import { readdirSync, readFileSync } from "node:fs";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Tells a process from a later one with the same id. */
  readonly startedAt: string;
  /** Its environment carries the run's id (only seen on Linux). */
  readonly marked: boolean;
}

/** Living processes of this machine; zombies are not listed, there is nothing left of them to end. */
export async function readProcessTable(runId: string): Promise<readonly ProcessRow[]> {
  return process.platform === "linux" ? readProc(runId) : readPs();
}

/** All of a run's processes in a table: its group and session, the marked ones, and the descendants of any of them. */
export function processesOfRun(
  table: readonly ProcessRow[],
  rootPid: number,
  known: ReadonlyMap<number, string>,
): readonly ProcessRow[] {
  const ours = new Set(
    table.filter(
      (row) =>
        row.pid === rootPid ||
        row.group === rootPid ||
        row.session === rootPid ||
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

// Read synchronously: the shorter a snapshot takes, the less it misses.
function readProc(runId: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readOrNull(`/proc/${name}/stat`);
    if (stat === null) continue;
    // The command name, in parentheses, may itself contain blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, group, session] = fields;
    if (state === "Z" || state === "X") continue;
    rows.push({
      pid,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      startedAt: fields[19] ?? "",
      marked: readOrNull(`/proc/${name}/environ`)?.includes(runId) ?? false,
    });
  }
  return rows;
}

/** Null for a process that ended meanwhile, and for what belongs to another user. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

async function readPs(): Promise<ProcessRow[]> {
  const { execFile } = await import("node:child_process");
  const text = await new Promise<string>((resolve) => {
    const args = ["-A", "-o", "pid=,ppid=,pgid=,state=,lstart="];
    execFile("ps", args, { env: { ...process.env, LC_ALL: "C" } }, (_error, stdout) => resolve(stdout));
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
