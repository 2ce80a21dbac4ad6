import { spawnSync } from "node:child_process";
import type { ProcessMark } from "../../core/loop/loop.ts";
import { closeSync, openSync, readSync, readdirSync, readlinkSync } from "node:fs";
import { isWithin } from "../files/folders.ts";

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
  known ??= processAndAbove(process.ppid);
  return known;
}

/** Any process of this machine, and those above it, nearest first; as far as the system shows them. */
export function processAndAbove(pid: number): readonly ProcessAbove[] {
  return process.platform === "linux" ? readFrom(pid) : [];
}

let known: readonly ProcessAbove[] | null = null;

function readFrom(first: number): readonly ProcessAbove[] {
  const found: ProcessAbove[] = [];
  const boot = thisBoot();
  for (let pid = first, steps = 0; pid > 1 && steps < FURTHEST; steps += 1) {
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

/** Node would take 64 KB for each of these files, whose size nobody knows before, and a machine has hundreds of them. */
const page = Buffer.allocUnsafeSlow(16 * 1024);

/** A file in Linux's `/proc`; null if the process ended or belongs to another user. */
export function procFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(`/proc/${path}`, "r");
  } catch {
    return null;
  }
  try {
    let text = "";
    for (;;) {
      const bytes = readSync(file, page, 0, page.length, null);
      if (bytes === 0) return text;
      text += page.toString("latin1", 0, bytes);
    }
  } catch {
    return null;
  } finally {
    closeSync(file);
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

/** A process that waits for connections. */
export interface Listener {
  readonly port: number;
  /** Its command, for people. */
  readonly command: string;
}

const LISTENING = "0A";
const TICKS_PER_SECOND = 100;

/**
 * What listens on this machine, was started after a moment, and works in a folder: a server that somebody left running there. Only
 * Linux tells, and only of the same user's processes.
 */
export function newListeners(folder: string, since: number): readonly Listener[] {
  if (process.platform !== "linux") return [];
  const bootedAt = Number(/^btime (\d+)$/m.exec(procFile("stat") ?? "")?.[1] ?? Number.NaN) * 1000;
  const sockets = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isNewIn(name, folder, since - bootedAt))
    .flatMap((pid) => socketsOf(pid).map((inode) => ({ pid, inode })));
  // For each of these tables the kernel looks through all connections that there could be, so it is asked last.
  if (sockets.length === 0) return [];
  const ports = new Map(["net/tcp", "net/tcp6"].flatMap((file) => listeningPorts(procFile(file) ?? "")));
  return sockets
    .flatMap(({ pid, inode }) => (ports.has(inode) ? [{ pid, port: ports.get(inode) ?? 0 }] : []))
    .map(({ pid, port }) => ({
      port,
      command: (procFile(`${pid}/cmdline`) ?? "").replaceAll("\0", " ").trim(),
    }));
}

/** The inode and the port of each listening socket in one of the kernel's tables. */
function listeningPorts(table: string): readonly (readonly [inode: string, port: number])[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    const port = parseInt(local.split(":")[1] ?? "", 16);
    return state === LISTENING && inode !== undefined && port > 0 ? [[inode, port] as const] : [];
  });
}

/** The link first: to read it costs a tenth. */
function isNewIn(pid: string, folder: string, sinceBootMs: number): boolean {
  if (!isWithin(linkAt(`/proc/${pid}/cwd`), folder)) return false;
  const startedAt = Number(parseStat(procFile(`${pid}/stat`) ?? "")?.startedAt);
  return (startedAt / TICKS_PER_SECOND) * 1000 > sinceBootMs;
}

function socketsOf(pid: string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${name}`))?.[1];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
