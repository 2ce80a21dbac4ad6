import { signal } from "@preact/signals";
import { rows } from "../data/state.ts";

/** Said at most every ten seconds: who needs somebody, and what finished. */
export const said = signal("");
let saidAt = 0;
let before: ReadonlyMap<string, string> | null = null;

export function announce(): void {
  const groups = new Map([...rows.value].map(([key, row]) => [key, row.group as string]));
  const known = before;
  before = groups;
  if (known === null || known.size === 0 || Date.now() - saidAt < 10_000) return;
  const news = [...rows.value.values()].filter(
    (row) => known.has(row.key) && known.get(row.key) !== row.group && row.group !== "running",
  );
  if (news.length === 0) return;
  saidAt = Date.now();
  said.value = news
    .map((row) => `${row.project} ${row.group === "needs" ? "needs you" : "finished"}`)
    .join(". ");
}
