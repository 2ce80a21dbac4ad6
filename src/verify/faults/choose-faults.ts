import { languageOf } from "./languages.ts";
import { faultsOf, type PlacedFault } from "./faults.ts";

/** A changed file. */
export interface ChangedSource {
  readonly path: string;
  readonly text: string;
  /** Those that the work changed or added, from 1. */
  readonly lines: ReadonlySet<number>;
}

export interface ChosenFault extends PlacedFault {
  readonly path: string;
}

interface Choice {
  /** Rather a value of the same type: a test that only looks at the type notices any other. */
  readonly keepsTypes?: boolean;
}

const OTHER_TYPE = 6;

/**
 * One fault for each line, the surest; those of all files and functions before the second of one. Faults that may happen while a
 * file is loaded are chosen only where there are no others.
 */
export function chosenFaults(
  sources: readonly ChangedSource[],
  most: number,
  { keepsTypes = false }: Choice = {},
): readonly ChosenFault[] {
  const perLine = sources.flatMap(({ path, text, lines }) => {
    const isTyped = languageOf(path, text)?.isTyped === true;
    const rankOf = ({ kind, rank }: PlacedFault): number =>
      keepsTypes && !isTyped && kind === "returned" ? rank + OTHER_TYPE : rank;
    return surestOfLines(path, faultsOf(path, text, lines), rankOf);
  });
  const inFunctions = perLine.filter(({ owner }) => owner !== null);
  const able = inFunctions.length > 0 ? inFunctions : perLine;
  const groups = new Map<string, ChosenFault[]>();
  for (const fault of able.toSorted((one, other) => one.rank - other.rank)) {
    const key = `${fault.owner ?? ""} ${fault.path}`;
    groups.set(key, [...(groups.get(key) ?? []), fault]);
  }
  const ordered = [...groups.values()];
  const chosen: ChosenFault[] = [];
  for (let depth = 0; chosen.length < most && ordered.some((each) => each.length > depth); depth += 1)
    for (const group of spread(ordered)) {
      const next = group[depth];
      if (next !== undefined && chosen.length < most && isFree(next, chosen)) chosen.push(next);
    }
  return chosen;
}

function surestOfLines(
  path: string,
  faults: readonly PlacedFault[],
  rankOf: (fault: PlacedFault) => number,
): readonly ChosenFault[] {
  const surest = new Map<number, PlacedFault>();
  for (const fault of faults) {
    const before = surest.get(fault.line);
    if (before === undefined || rankOf(fault) < rankOf(before)) surest.set(fault.line, fault);
  }
  return [...surest.values()].map((fault) => ({ ...fault, path }));
}

/** Far from each other first, so that whoever stops early has seen all of the work. */
function spread<Each>(list: readonly Each[]): readonly Each[] {
  let step = Math.max(1, Math.round(list.length * 0.382));
  // Otherwise it would come back to the first before it has seen all.
  while (divisor(step, list.length) !== 1) step += 1;
  return list.map((_, index) => list[(index * step) % list.length] as Each);
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

/** Whether it changes nothing that another one changes. */
function isFree({ path, edits }: ChosenFault, others: readonly ChosenFault[]): boolean {
  const taken = others.filter((other) => other.path === path).flatMap((other) => other.edits);
  return edits.every((one) => taken.every((other) => one.end < other.start || other.end < one.start));
}

/** The text of a file with its faults in it. */
export function withFaults({ path, text }: ChangedSource, faults: readonly ChosenFault[]): string {
  const edits = faults.filter((fault) => fault.path === path).flatMap((fault) => fault.edits);
  let result = text;
  for (const { start, end, text: by } of edits.toSorted((one, other) => other.start - one.start))
    result = result.slice(0, start) + by + result.slice(end);
  return uncheckedBy(languageOf(path, text)?.unchecked, result);
}

/** Behind a first line that names the interpreter. */
function uncheckedBy(comment: string | undefined, text: string): string {
  if (comment === undefined) return text;
  const first = /^#!.*\n/.exec(text)?.[0] ?? "";
  return `${first}${comment}\n${text.slice(first.length)}`;
}
