/** An object from foreign JSON: nothing about its fields is known. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

/** The object in a line; null for anything else, such as a warning between the messages. */
export function parseJsonLine(text: string): JsonObject | null {
  const line = text.trim();
  if (!line.startsWith("{")) return null;
  try {
    return asObject(JSON.parse(line));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** The value at the path; undefined if the path doesn't exist. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((at: unknown, key) => {
    const object = asObject(at);
    return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
  }, value);
}

export function objectAt(value: unknown, ...path: readonly string[]): JsonObject | null {
  return asObject(valueAt(value, ...path));
}

/** Empty if there is no list. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = valueAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** The objects of a list, without anything else in it. */
export function objectsAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  return listAt(value, ...path)
    .map(asObject)
    .filter((each) => each !== null);
}

/** null if the text is missing or empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const text = valueAt(value, ...path);
  return typeof text === "string" && text !== "" ? text : null;
}

/** null if there is no number. */
export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const number = valueAt(value, ...path);
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** A number of tokens or of uses: whole, not negative, and small enough that sums of such numbers stay whole. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const number = numberAt(value, ...path);
  return number === null ? 0 : Math.min(Math.max(Math.trunc(number), 0), MOST_COUNTED);
}

/** True only if the value is `true`. */
export function flagAt(value: unknown, ...path: readonly string[]): boolean {
  return valueAt(value, ...path) === true;
}

const MOST_COUNTED = 1_000_000_000;
