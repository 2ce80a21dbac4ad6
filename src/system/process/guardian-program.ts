import type { Readable } from "node:stream";
import { endProcessTree } from "./end-process-tree.ts";
import { createLineSplitter } from "../files/line-splitter.ts";
import { startOfProcess } from "./process-mark.ts";

const LONGEST_LINE_BYTES = 100;

/**
 * Watches over a run from its own process. The run's owner writes `+PID` and `-PID` for groups it starts and ends, and `bye` at
 * the end. If the input ends without `bye`, the owner was killed: then everything left of the run is ended.
 */
export async function watchOver(runId: string, input: Readable): Promise<void> {
  // Signals that a terminal or a shutdown sends to everybody must not end this process before its work is done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  const leaders = new Map<number, string>();
  let dismissed = false;

  const lines = createLineSplitter(LONGEST_LINE_BYTES, (line) => {
    const message = parseMessage(line);
    if (message?.type === "dismissed") dismissed = true;
    if (message?.type === "ended") leaders.delete(message.leader);
    if (message?.type !== "started") return;
    const startedAt = startOfProcess(message.leader);
    if (startedAt !== null) leaders.set(message.leader, startedAt);
  });
  try {
    for await (const chunk of input) {
      lines.push(chunk as Buffer);
      if (dismissed) return;
    }
  } catch {
    // A broken pipe means the same as an end.
  }

  const roots = [...leaders].map(([pid, startedAt]) => ({ pid, startedAt }));
  await endProcessTree({ roots, runId });
}

type Message =
  | { readonly type: "started" | "ended"; readonly leader: number }
  | { readonly type: "dismissed" };

/** A message of the owner; null if it is invalid. */
export function parseMessage(line: string): Message | null {
  if (line === "bye") return { type: "dismissed" };
  const [, sign, digits] = /^([+-])(\d{1,10})$/.exec(line) ?? [];
  const leader = Number(digits);
  // Every process descends from 1.
  if (sign === undefined || leader <= 1) return null;
  return { type: sign === "+" ? "started" : "ended", leader };
}
