import { Code } from "../faults/code.ts";
import { conditionAt } from "./conditions.ts";
import { tableRowAt } from "./table-rows.ts";
import { textRowsAt } from "./text-tables.ts";
import { answerTo } from "./written-answer.ts";
import { WrittenCode } from "./written-code.ts";

/** A place in source that answers one value with another, both written there: `if (x === "a b") return "a-b"`. */
export interface LiteralCase {
  /** From 1. */
  readonly line: number;
  /** All of them together are what is answered. */
  readonly keys: readonly string[];
  readonly values: readonly string[];
  /** Cases of one table, or of one function, have the same. */
  readonly group: string;
}

/** All such places in a file that are no tests. */
export function literalCasesIn(path: string, text: string): readonly LiteralCase[] {
  const code = Code.of(path, text);
  if (code === null || !/["'`\d]/.test(text)) return [];
  const written = new WrittenCode(code);
  const found = new Map<string, LiteralCase>();
  for (const [at] of code.tokens.entries()) {
    const { isTest, owner } = code.surroundingsOf(at);
    for (const { line, group, keys, values } of isTest ? [] : casesAt(written, at, owner)) {
      const name = `${line} ${keys.join("\0")}`;
      const isOther = keys.join("\0") !== values.join("\0");
      if (isOther && !found.has(name)) found.set(name, { line, keys, values, group });
    }
  }
  return [...found.values()];
}

function casesAt(code: WrittenCode, at: number, owner: number | null): readonly LiteralCase[] {
  const line = code.at(at)?.line ?? 0;
  const row = tableRowAt(code, at);
  const condition = conditionAt(code, at);
  const answer = condition === null ? null : answerTo(code, at, condition);
  return [
    ...(row === null ? [] : [{ ...row, line, group: `table ${row.table}` }]),
    ...textRowsAt(code, at).map((each) => ({ ...each, group: `table ${at}` })),
    ...(answer?.alternatives ?? [])
      .filter((keys) => keys.length > 0)
      .map((keys) => ({
        line,
        keys,
        values: answer?.values ?? [],
        group: `function ${owner ?? "none"}`,
      })),
  ];
}
