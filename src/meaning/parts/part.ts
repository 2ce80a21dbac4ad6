import { nameOf } from "../project-path.ts";
import { inlineTests } from "../inline-tests.ts";
import { jsonPart } from "./json-part.ts";
import { markedPart } from "./marked-part.ts";
import { rulesPart } from "./rules.ts";
import { iniPart, tomlPart } from "./section-part.ts";

/** The text of a file's part, without what says nothing (comments, order of names); null when the file has no such part. */
export function partOf(path: string, text: string, part: string): string | null {
  const name = nameOf(path);
  if (part.startsWith("test ")) return inlineTests(path, text).get(part.slice("test ".length)) ?? null;
  if (/^(?:target|variable) /.test(part)) return rulesPart(text, part);
  if (/\.jsonc?$/.test(name)) return jsonPart(text, part);
  const section = /^\[(.*)\]$/.exec(part)?.[1];
  if (section === undefined) return markedPart(text, part);
  return name.endsWith(".toml") ? tomlPart(text, section) : iniPart(text, section);
}
