import { join } from "node:path";
import type { LoopEvent } from "../core/event.ts";
import type { SessionId } from "../core/id.ts";
import type { Spent } from "../core/stop/facts.ts";
import { parsePrices } from "../cost/parse-prices.ts";
import { cursorAtEnd, readSpend } from "../cost/read-transcript.ts";
import { decodeCursor, encodeCursor } from "../cost/spend-cursor.ts";
import { readBounded } from "../journal/read-bounded.ts";
import { findStart } from "../store/session-start.ts";
import type { Machine } from "./machine.ts";

const SIZE_LIMIT = 256 * 1024;

/** What the transcript says was spent since it was last read. */
export function spentSince(machine: Machine, cursor: string | null, transcriptPath: string): Spent {
  const { charge, cursor: next } = readSpend({
    transcriptPath,
    cursor: cursor === null ? null : decodeCursor(cursor),
    table: parsePrices(ownPrices(machine)).table,
  });
  return { ...charge, cursor: encodeCursor(next) };
}

/** A loop that a session is given pays for what comes after, not for what was. */
export function startOfSpending(machine: Machine, session: SessionId): readonly LoopEvent[] {
  const path = findStart(machine.home, session)?.transcriptPath ?? null;
  return path === null ? [] : [{ type: "transcript.read", cursor: encodeCursor(cursorAtEnd(path)) }];
}

/** Prices of the user's own: never of a project, which could make everything free. */
function ownPrices({ env, home }: Machine): string | null {
  try {
    return readBounded(env["LOOP_PRICES"] ?? join(home, "prices.json"), SIZE_LIMIT);
  } catch {
    return null;
  }
}
