import { nameOf } from "../project-files.ts";
import { inlineTests } from "../inline-tests.ts";
import {
  jsonPart,
  parseJson,
  ownObject,
  markedPart,
  iniLines,
  sectionPart,
  tomlLines,
  withSection,
} from "./formats.ts";
import { readRules, rulesPart } from "./rules.ts";

/**
 * The texts of a file's parts, without what has no meaning (comments, the order of names); null for a missing part. Many parts may
 * be needed, so the file is parsed once.
 */
export function partsOf(path: string, text: string): (part: string) => string | null {
  const name = nameOf(path);
  const json = once(() => parseJson(text));
  const rules = once(() => readRules(text));
  const tests = once(() => inlineTests(path, text));
  return (part) => {
    if (part.startsWith("test ")) return tests().get(part.slice("test ".length)) ?? null;
    if (/^(?:target|variable) /.test(part)) return rulesPart(rules(), part);
    if (/\.jsonc?$/.test(name)) return jsonPart(json(), part);
    const section = /^\[(.*)\]$/.exec(part)?.[1];
    if (section === undefined) return markedPart(text, part);
    return sectionPart((name.endsWith(".toml") ? tomlLines : iniLines)(text, section));
  };
}

function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | null = null;
  return () => (done ??= { value: work() }).value;
}

/**
 * The current version of a shared file with some parts from the opening: what judges comes from the opening, the rest is the
 * work. Null if that isn't possible for such a file; then the opening's whole file is the next best.
 */
export function layParts(file: {
  readonly path: string;
  readonly now: string;
  readonly baseline: string;
  readonly parts: readonly string[];
}): string | null {
  const name = nameOf(file.path);
  if (/\.jsonc?$/.test(name)) return layJson(file);
  const readLines = name.endsWith(".toml") ? tomlLines : /\.(?:ini|cfg)$/.test(name) ? iniLines : null;
  if (readLines === null) return null;
  let laid: string | null = file.now;
  for (const part of file.parts) {
    const section = /^\[(.*)\]$/.exec(part)?.[1];
    if (laid === null || section === undefined) return null;
    laid = withSection(readLines(laid, section), readLines(file.baseline, section));
  }
  return laid;
}

function layJson({
  now,
  baseline,
  parts,
}: {
  readonly now: string;
  readonly baseline: string;
  readonly parts: readonly string[];
}): string | null {
  const work = parseJson(now);
  if (typeof work !== "object" || work === null || Array.isArray(work)) return null;
  const before = ownObject(parseJson(baseline));
  const laid = { ...ownObject(work) };
  for (const part of parts) {
    const [outer, inner] = namesOf(part);
    if (inner === null) setOrDelete(laid, outer, before[outer]);
    else {
      const object = { ...ownObject(laid[outer]) };
      setOrDelete(object, inner, ownObject(before[outer])[inner]);
      laid[outer] = object;
    }
  }
  return `${JSON.stringify(laid, null, 2)}\n`;
}

function namesOf(part: string): readonly [outer: string, inner: string | null] {
  const dot = part.indexOf(".");
  return dot === -1 ? [part, null] : [part.slice(0, dot), part.slice(dot + 1)];
}

function setOrDelete(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}
