import type { Readable } from "node:stream";
import { endProcessTree } from "./end-process-tree.ts";
import { createLineSplitter } from "../files/line-splitter.ts";
import { startOfProcess } from "./process-mark.ts";

const LONGEST_LINE_BYTES = 100;

/**
 * Watches over a run from a process of its own. The owner of the run writes `+PID` and `-PID` for the groups that it
 * starts and has ended, and `bye` in the end. An input that ends without `bye` says that the owner was killed: then all
 * that is left of the run is ended.
 */
export async function watchOver(runId: string, input: Readable): Promise<void> {
  // What a terminal or a shutdown sends to everybody must not end this one before its work is done.
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
    // Torn off, which says the same as an end.
  }

  const roots = [...leaders].map(([pid, startedAt]) => ({ pid, startedAt }));
  await endProcessTree({ roots, runId });
}

type Message =
  | { readonly type: "started" | "ended"; readonly leader: number }
  | { readonly type: "dismissed" };

/** What the owner says; null for what it never says. */
export function parseMessage(line: string): Message | null {
  if (line === "bye") return { type: "dismissed" };
  const [, sign, digits] = /^([+-])(\d{1,10})$/.exec(line) ?? [];
  const leader = Number(digits);
  // All of the machine descends from 1.
  if (sign === undefined || leader <= 1) return null;
  return { type: sign === "+" ? "started" : "ended", leader };
}
