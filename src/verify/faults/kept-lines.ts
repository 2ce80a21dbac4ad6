import { changedLines } from "./changed-lines.ts";
import { faultsOf } from "./faults.ts";

export interface KeptLines {
  readonly lines: ReadonlySet<number>;
  /** No function changed. */
  readonly isAroundOnly: boolean;
}

/** How far above a function something may be that is about it. */
const ABOVE = 4;

/** The lines of changed functions that were there before; where something changed around them alone, those of all functions. */
export function keptLines(path: string, now: string, then: string): KeptLines {
  const changed = changedLines(now, then);
  const all = new Set(now.split("\n").map((_, index) => index + 1));
  const functions = new Map<number, number[]>();
  for (const { owner, line } of faultsOf(path, now, all))
    if (owner !== null) functions.set(owner, [...(functions.get(owner) ?? []), line]);
  const isChanged = (lines: readonly number[], above: number): boolean => {
    const [first, last] = [Math.min(...lines) - above, Math.max(...lines) + 1];
    return [...changed].some((line) => line >= first && line <= last);
  };
  const known = [...functions.values()];
  const touched = known.filter((lines) => isChanged(lines, ABOVE));
  const looked = touched.length > 0 ? touched : known;
  const lines = new Set(looked.flat().filter((line) => !changed.has(line)));
  return { lines, isAroundOnly: !known.some((each) => isChanged(each, 1)) };
}
