import { effect, signal } from "@preact/signals";
import type { BoardRow } from "../../../../views/board.ts";
import { now, route } from "../data/state.ts";
import { isWorthALook } from "./worth-a-look.ts";

/** Which loops this browser has opened, so that work that isn't fully shown asks for one look, and not for another. */

const KEY = "loopwright-looked-at";
const MOST_KEPT = 500;
const WEEK_MS = 7 * 24 * 3_600_000;

const lookedAt = signal<readonly string[]>(read());

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** And nobody has opened it. */
export function wantsLook(row: BoardRow): boolean {
  return (
    isWorthALook(row) &&
    now.value - Date.parse(row.updatedAt ?? "") < WEEK_MS &&
    !lookedAt.value.includes(row.key)
  );
}

effect(() => {
  const { key } = route.value;
  if (key === null || lookedAt.peek().includes(key)) return;
  lookedAt.value = [...lookedAt.peek(), key].slice(-MOST_KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(lookedAt.peek()));
  } catch {
    // It will be asked for again.
  }
});
