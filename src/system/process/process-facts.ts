import { spawnSync } from "node:child_process";
import type { ProcessMark } from "../../core/loop/loop.ts";
import { readFileSync } from "node:fs";

export function ownMark(): ProcessMark {
  return { pid: process.pid, startedAt: startOfProcess(process.pid) ?? "", boot: thisBoot() };
}

export function isStillAlive(mark: ProcessMark): boolean {
  return mark.boot === thisBoot() && mark.startedAt === startOfProcess(mark.pid);
}

/** As in the process table; null if there is no such process, or only a zombie. */
export function startOfProcess(pid: number): string | null {
  if (process.platform === "linux") return startInProc(pid);
  return process.platform === "win32" ? startUnknown(pid) : startInPs(pid);
}

function startInProc(pid: number): string | null {
  const text = procFile(`${pid}/stat`);
  return text === null ? null : (parseStat(text)?.startedAt ?? null);
}

function startInPs(pid: number): string | null {
  const args = [...psColumns("state", "lstart"), "-p", String(pid)];
  const { stdout } = spawnSync("ps", args, { encoding: "utf8", env: { ...process.env, ...PS_ENVIRONMENT } });
  const [state = "", ...startedAt] = (stdout ?? "").trim().split(/\s+/);
  return state === "" || state.startsWith("Z") ? null : startedAt.join(" ");
}

/** Windows has no such program, so a running process gets an empty start. */
function startUnknown(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return "";
  } catch {
    return null;
  }
}

function thisBoot(): string {
  if (process.platform !== "linux") return "";
  return procFile("sys/kernel/random/boot_id")?.trim() ?? "";
}

/** Deeper than any chain of shells. */
const FURTHEST = 64;

/** A process that ours was started by, directly or not. */
export interface ProcessAbove {
  readonly mark: ProcessMark;
  /** As it was started; empty if it belongs to another user. */
  readonly env: NodeJS.ProcessEnv;
  /** The words of its command. */
  readonly words: readonly string[];
}

/**
 * The parent processes, nearest first. Only Linux shows them. A process can change its own variables and its own program, but not
 * its parent's.
 */
export function processesAbove(): readonly ProcessAbove[] {
  known ??= process.platform === "linux" ? readAbove() : [];
  return known;
}

let known: readonly ProcessAbove[] | null = null;

function readAbove(): readonly ProcessAbove[] {
  const found: ProcessAbove[] = [];
  const boot = thisBoot();
  for (let pid = process.ppid, steps = 0; pid > 1 && steps < FURTHEST; steps += 1) {
    const stat = parseStat(procFile(`${pid}/stat`) ?? "");
    if (stat === null) break;
    found.push({
      mark: { pid, startedAt: stat.startedAt, boot },
      env: parseEnviron(procFile(`${pid}/environ`) ?? ""),
      words: (procFile(`${pid}/cmdline`) ?? "").split("\0").filter((word) => word !== ""),
    });
    pid = stat.parent;
  }
  return found;
}

function parseEnviron(environ: string): NodeJS.ProcessEnv {
  const pairs = Buffer.from(environ, "latin1").toString("utf8").split("\0");
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const end = pair.indexOf("=");
      return end < 1 ? [] : [[pair.slice(0, end), pair.slice(end + 1)]];
    }),
  );
}

/** A file in Linux's `/proc`; null if the process ended or belongs to another user. */
export function procFile(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return null;
  }
}

export interface ProcessStat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Tells a process from a later one with the same id. */
  readonly startedAt: string;
}

/** Parses a process as Linux shows it; null for a zombie. */
export function parseStat(stat: string): ProcessStat | null {
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

/** Locale-independent words and times, so they can be compared. */
export const PS_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

/** One option each: some implementations read everything after the first `=` as a heading. */
export function psColumns(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ["-o", `${name}=`]);
}
