import { readdirSync, readlinkSync } from "node:fs";
import { isWithin } from "../files/folders.ts";
import { parseStat, procFile } from "./process-facts.ts";

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
  const ports = new Map(["net/tcp", "net/tcp6"].flatMap((file) => listeningPorts(procFile(file) ?? "")));
  if (ports.size === 0) return [];
  const bootedAt = Number(/^btime (\d+)$/m.exec(procFile("stat") ?? "")?.[1] ?? Number.NaN) * 1000;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isNewIn(name, folder, since - bootedAt))
    .flatMap((pid) =>
      socketsOf(pid)
        .flatMap((inode) => ports.get(inode) ?? [])
        .map((port) => ({ pid, port })),
    )
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

function isNewIn(pid: string, folder: string, sinceBootMs: number): boolean {
  const startedAt = Number(parseStat(procFile(`${pid}/stat`) ?? "")?.startedAt);
  if (!((startedAt / TICKS_PER_SECOND) * 1000 > sinceBootMs)) return false;
  try {
    return isWithin(readlinkSync(`/proc/${pid}/cwd`), folder);
  } catch {
    return false;
  }
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
