import { computed, signal } from "@preact/signals";
import type { BoardRow } from "../../../../views/board.ts";
import { NEED_KINDS } from "../../../../views/needs.ts";
import { isWaiting } from "../../../../views/standing.ts";
import { now, rows } from "../data/state.ts";
import { wantsLook } from "./looked-at.ts";

/** Which loops are on screen, and in which order. */

export const DAY_MS = 24 * 3_600_000;
const FIRST_SHOWN = 60;
export const chosen = signal(0);
export const find = signal("");
export const seal = signal<string | null>(null);

/** Only loops with a claim that did not hold. */
export const isNotHeld = signal(false);
export const mostShown = signal(FIRST_SHOWN);
/** What fits a screen is drawn at once, and the rest right after it has been seen. */
const FIRST_DRAWN = 15;
export const isFirstDrawn = signal(false);

export function drawnFirst<Row>(rows: readonly Row[]): readonly Row[] {
  return isFirstDrawn.value ? rows : rows.slice(0, FIRST_DRAWN);
}

export const menu = signal<string | null>(null);

export const sorted = computed(() =>
  [...rows.value.values()].toSorted((one, other) =>
    (other.updatedAt ?? "").localeCompare(one.updatedAt ?? ""),
  ),
);

function fits({ project, spec, id, because, needs }: BoardRow, wanted: string): boolean {
  const text = `${project} ${spec ?? ""} ${id} ${because ?? ""} ${needs?.sentence ?? ""}`.toLowerCase();
  return wanted.split(/\s+/).every((word) => text.includes(word));
}

const shown = computed(() => {
  const wanted = find.value.trim().toLowerCase();
  return sorted.value.filter(
    (row) => (wanted === "" || fits(row, wanted)) && (!isNotHeld.value || row.claimsNotHeld > 0),
  );
});

export const needing = computed(() => {
  const order = (row: BoardRow): number => NEED_KINDS.indexOf(row.needs?.kind ?? "undriven");
  return shown.value
    .filter(({ group }) => group === "needs")
    .toSorted((one, other) => order(one) - order(other));
});

const unended = computed(() => shown.value.filter(({ group }) => group === "running"));

export const running = computed(() => unended.value.filter((row) => !waits(row)));

export const waiting = computed(() => unended.value.filter(waits));

export function waits({ waitsUntil }: BoardRow): boolean {
  return isWaiting(waitsUntil, now.value);
}

const ended = computed(() =>
  shown.value.filter(
    (row) => row.group === "finished" && (seal.value === null || row.confidence === seal.value),
  ),
);

/** On somebody's branch although not all of it is shown, and not looked at yet. */
export const wanting = computed(() => ended.value.filter(wantsLook));

export const finished = computed(() => ended.value.filter((row) => !wantsLook(row)));

/** What was going on in the last day, and what still is; without any, everything. */
export const recent = computed(() => {
  const all = sorted.value;
  const since = now.value - DAY_MS;
  const late = all.filter((row) => row.group !== "finished" || Date.parse(row.updatedAt ?? "") >= since);
  return late.length === 0 ? all : late;
});

export const isFinding = signal(false);
