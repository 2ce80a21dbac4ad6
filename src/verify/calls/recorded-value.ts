/**
 * A value as a test's own process writes it down: a list, a tuple, a table with its keys, a symbol, and `o` for everything else, which
 * can be told and not made again.
 */
export type RecordedValue =
  | string
  | number
  | boolean
  | null
  | { readonly l: readonly RecordedValue[] }
  | { readonly t: readonly RecordedValue[] }
  | { readonly d: readonly (readonly [string, RecordedValue])[] }
  | { readonly y: string }
  | { readonly o: string };

/** Those that write it down go no deeper. */
const DEEPEST_RECORDED = 8;

/** Whether it has this form: the file with it can be written by whatever runs. */
export function isRecordedValue(value: unknown, depth = 0): value is RecordedValue {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  if (typeof value !== "object" || depth > DEEPEST_RECORDED) return false;
  const [[kind, inner] = [], ...more] = Object.entries(value);
  if (more.length > 0) return false;
  if (kind === "o") return typeof inner === "string";
  if (!Array.isArray(inner)) return false;
  const items: readonly unknown[] = inner;
  if (kind === "l" || kind === "t") return items.every((each) => isRecordedValue(each, depth + 1));
  return kind === "d" && items.every((each) => isRow(each, depth));
}

function isRow(row: unknown, depth: number): boolean {
  return (
    Array.isArray(row) && row.length === 2 && typeof row[0] === "string" && isRecordedValue(row[1], depth + 1)
  );
}

/** What a call gave, or threw, as a text. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
}

/** Where a value is in the arguments of a call: the number of the argument, and further in. */
export type ValuePath = readonly (number | string)[];

export interface Leaf {
  readonly path: ValuePath;
  readonly value: string | number;
}

export interface ListAt {
  readonly path: ValuePath;
  readonly items: readonly RecordedValue[];
  readonly kind: "l" | "t";
}

const DEEPEST = 5;

/** The texts and numbers in it. */
export function leavesOf(value: RecordedValue, path: ValuePath = []): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ path, value }];
  return innerOf(value, path).flatMap(([at, inner]) => leavesOf(inner, at));
}

/** The lists in it, with all that is in them. */
export function listsOf(value: RecordedValue, path: ValuePath = []): readonly ListAt[] {
  const inner = innerOf(value, path).flatMap(([at, each]) => listsOf(each, at));
  if (value === null || typeof value !== "object") return inner;
  if ("l" in value) return [{ path, items: value.l, kind: "l" }, ...inner];
  return "t" in value ? [{ path, items: value.t, kind: "t" }, ...inner] : inner;
}

/** Whether it can be made again from what was written down. */
export function isPlain(value: RecordedValue): boolean {
  if (value === null || typeof value !== "object") return true;
  return !("o" in value) && innerOf(value, []).every(([, inner]) => isPlain(inner));
}

/** What its tables call their values. */
export function keysOf(value: RecordedValue): readonly string[] {
  const own = value !== null && typeof value === "object" && "d" in value ? value.d.map(([key]) => key) : [];
  return [...own, ...innerOf(value, []).flatMap(([, inner]) => keysOf(inner))];
}

function innerOf(value: RecordedValue, path: ValuePath): readonly (readonly [ValuePath, RecordedValue])[] {
  if (value === null || typeof value !== "object" || path.length > DEEPEST) return [];
  if ("d" in value) return value.d.map(([key, inner]) => [[...path, key], inner]);
  const items = "l" in value ? value.l : "t" in value ? value.t : [];
  return items.map((inner, index) => [[...path, index], inner]);
}
