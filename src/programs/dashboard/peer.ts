import { readdirSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { callerNow } from "../../storage/loops/caller-now.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { procFile, processAndAbove } from "../../system/process/process-facts.ts";

/**
 * Whether an agent is at the other end of a connection, told by the processes above the one that made it. Only Linux says which
 * process that is; elsewhere the answer is no, and only the code and the key protect.
 */
export function isAgentAt(machine: Machine, socket: Pick<Socket, "remotePort" | "localPort">): boolean {
  if (process.platform !== "linux") return false;
  const { remotePort, localPort } = socket;
  if (remotePort === undefined || localPort === undefined) return false;
  const inode = inodeOf(remotePort, localPort);
  if (inode === null) return false;
  return processesWith(inode).some((pid) => {
    const processes = processAndAbove(pid);
    return (
      callerNow({
        env: processes[0]?.env ?? {},
        home: machine.home,
        processes: { ...machine.processes, processesAbove: () => processes },
      }).kind === "agent"
    );
  });
}

const LOOPBACK = "0100007F";

/** A line of the table has the local address, the remote one, and in its tenth column the inode. */
function inodeOf(from: number, to: number): string | null {
  const address = (port: number): string => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  for (const line of (procFile("net/tcp") ?? "").split("\n")) {
    const columns = line.trim().split(/\s+/);
    if (columns[1] === address(from) && columns[2] === address(to)) return columns[9] ?? null;
  }
  return null;
}

/** A browser shares its connections with its parts. */
function processesWith(inode: string): readonly number[] {
  const link = `socket:[${inode}]`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && hasOpen(pid, link));
}

function hasOpen(pid: number, link: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === link;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
