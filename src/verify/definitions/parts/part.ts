import { nameOf } from "../project-path.ts";
import { inlineTests } from "../inline-tests.ts";
import { jsonPart, parseJson } from "./json-part.ts";
import { markedPart } from "./marked-part.ts";
import { readRules, rulesPart } from "./rules.ts";
import { iniLines, sectionPart, tomlLines } from "./section-part.ts";

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
