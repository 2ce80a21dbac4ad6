import { isObject } from "../../../core/plain-object.ts";

/** A value in a JSON file by the names that lead to it; names may hold anything but a slash and a dot. Null: absent. */
export function jsonPart(json: unknown, part: string): string | null {
  const found = valueAt(json, part);
  return found === undefined ? null : canonical(found);
}

/** A script's name may hold dots, so only the first one separates. */
function valueAt(value: unknown, part: string): unknown {
  const dot = part.indexOf(".");
  const own = ownObject(value);
  if (dot === -1) return own[part];
  return ownObject(own[part.slice(0, dot)])[part.slice(dot + 1)];
}

/** Parses JSON with comments, trailing commas and a byte order mark; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch {
    if (!/\/[/*]|,\s*[}\]]/.test(plain)) return undefined;
    try {
      return JSON.parse(withoutComments(plain));
    } catch {
      return undefined;
    }
  }
}

function withoutComments(text: string): string {
  return text
    .replace(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_all, string: string | undefined) => string ?? " ",
    )
    .replace(
      /("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g,
      (_all, string: string | undefined, end: string) => string ?? end,
    );
}

export function ownObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return Object.create(null) as {};
  return Object.assign(Object.create(null), value) as Record<string, unknown>;
}

/** The same text for the same value, whatever the order of its names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
