import { spawnSync } from "node:child_process";
import type { ProcessMark } from "../../core/loop/loop.ts";
import { procFile } from "./proc-file.ts";
import { parseStat, PS_ENVIRONMENT, psColumns } from "./process-table.ts";

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
