import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoopEvent } from "../../core/events/event.ts";
import type { SessionId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Spent } from "../../core/stop/facts.ts";
import { parsePrices, type PriceTable } from "../../agents/cost/price.ts";
import { cursorAtEnd, readSpend } from "../../agents/cost/read-transcript.ts";
import { decodeCursor, encodeCursor } from "../../agents/cost/spend-cursor.ts";
import type { Transcript } from "../../agents/cost/transcript.ts";
import { DEFAULT_HOST, findHost } from "../../agents/hosts/hosts.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { findStart } from "../../storage/home/session-files.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const SIZE_LIMIT = 256 * 1024;
const WAIT_MS = 10;
const LONGEST_WAIT_MS = 400;

/** The spending in the transcript since it was last read; for the first time, since the loop's opening. */
export function spentSince(
  machine: Machine,
  { transcriptCursor, openedAt }: Pick<Loop, "transcriptCursor" | "openedAt">,
  transcript: Transcript,
): Spent {
  const { charge, cursor: next } = readSpend({
    transcript,
    ...(transcriptCursor === null
      ? { cursor: null, since: openedAt }
      : { cursor: decodeCursor(transcriptCursor) }),
    table: priceTable(machine),
  });
  return { ...charge, cursor: encodeCursor(next) };
}

export function priceTable(machine: Machine): PriceTable {
  return parsePrices(ownPrices(machine)).table;
}

/** A loop pays for what its session spends after it was bound, not before. */
export function startOfSpending(machine: Machine, session: SessionId): readonly LoopEvent[] {
  const transcript = transcriptOf(machine, session);
  return transcript === null
    ? []
    : [{ type: "transcript.read", cursor: encodeCursor(cursorAtEnd(transcript)) }];
}

/** As reported at the session's start; null if there was none or it cannot be read. */
export function transcriptOf(machine: Pick<Machine, "home">, session: SessionId): Transcript | null {
  const start = findStart(machine.home, session);
  const { transcript: format } = findHost(start?.host) ?? DEFAULT_HOST;
  const path = start?.transcriptPath ?? null;
  return path === null || format === null ? null : { path, format };
}

/**
 * The host writes its transcript a moment after it answers, so the last answer of this turn and its cost may not be there
 * yet; on the first turn, not even the file. This waits for it if the host named the transcript at the session's start. An
 * answer without words cannot be waited for and is charged at the next stop.
 */
export async function untilWritten(
  { path, format }: Transcript,
  answer: string,
  { isPromised }: { readonly isPromised: boolean },
): Promise<void> {
  const until = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const tail = tailOf(path);
    if (tail === null ? !isPromised : format.endsWithAnswer(tail, answer)) return;
    if (Date.now() > until) return;
    await sleep(WAIT_MS);
  }
}

/**
 * The last answer in the transcript, waited for like that; null: there is none. `sent`: the host's own copy, which ends with it.
 */
export async function awaitedAnswer(
  { path, format }: Transcript,
  sent: string | null,
): Promise<string | null> {
  const until = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    const tail = tailOf(path);
    const answer = tail === null ? null : format.lastAnswer(tail);
    if (answer !== null && (sent === null || sent.trim().endsWith(answer))) return answer;
    if (Date.now() > until) return sent === null ? answer : null;
    await sleep(WAIT_MS);
  }
}

/** Prices come from the user, never from a project, which could make everything free. */
function ownPrices({ env, home }: Pick<Machine, "env" | "home">): string | null {
  try {
    return readBounded(env["LOOP_PRICES"] ?? join(home, "prices.json"), SIZE_LIMIT);
  } catch {
    return null;
  }
}

const TAIL_BYTES = 256 * 1024;

/** The end of a transcript; null if it cannot be read. */
export function tailOf(path: string): string | null {
  return lastBytesOf(path, TAIL_BYTES)?.toString("utf8") ?? null;
}

/** Whatever the agent read and wrote since the row was written is behind it. */
const FAR_BYTES = 8 * 1024 * 1024;

/** The rows with this mark in them. Searched as bytes: of megabytes, only these become text. */
export function rowsWith(mark: string, path: string): readonly string[] {
  const bytes = lastBytesOf(path, FAR_BYTES);
  const rows: string[] = [];
  if (bytes === null) return rows;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at)) {
    const begin = bytes.lastIndexOf("\n", at) + 1;
    const end = bytes.indexOf("\n", at);
    at = end === -1 ? bytes.length : end;
    rows.push(bytes.toString("utf8", begin, at));
  }
  return rows;
}

/** Doesn't wait on a pipe in its place. */
function lastBytesOf(path: string, most: number): Buffer | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, most));
    readSync(file, tail, 0, tail.length, size - tail.length);
    return tail;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
