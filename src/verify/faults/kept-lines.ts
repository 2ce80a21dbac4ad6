import { changedLines } from "./changed-lines.ts";
import { faultsOf } from "./faults.ts";

/** How far above a function something may be that is about it. */
const ABOVE = 4;

/** The lines of changed functions that were there before; where something changed around them alone, those of all functions. */
export function keptLines(path: string, now: string, then: string): ReadonlySet<number> {
  const changed = changedLines(now, then);
  const all = new Set(now.split("\n").map((_, index) => index + 1));
  const functions = new Map<number, number[]>();
  for (const { owner, line } of faultsOf(path, now, all))
    if (owner !== null) functions.set(owner, [...(functions.get(owner) ?? []), line]);
  const isChanged = (lines: readonly number[]): boolean => {
    const [first, last] = [Math.min(...lines) - ABOVE, Math.max(...lines) + 1];
    return [...changed].some((line) => line >= first && line <= last);
  };
  const touched = [...functions.values()].filter(isChanged);
  const looked = touched.length > 0 ? touched : [...functions.values()];
  return new Set(looked.flat().filter((line) => !changed.has(line)));
}
