import { contentOf } from "./literals.ts";
import { ARITHMETIC, type WrittenCode, type WrittenValue } from "./written-code.ts";

/** A row of a table that is looked up. */
export interface TableRow {
  readonly keys: readonly string[];
  readonly values: readonly string[];
  /** The token that begins the table. */
  readonly table: number;
}

/** The row that begins at a token: `"a b": "a-b"`, `["a b", 3]`, `[4] = "IV"`. */
export function tableRowAt(code: WrittenCode, at: number): TableRow | null {
  const token = code.at(at);
  if (token === null) return null;
  const key = rowKey(code, at);
  if (key !== null) {
    const value = code.value(key.end + 1);
    const table = tableAround(code, at);
    const isWhole = value !== null && table !== null && !code.is(value.end + 1, ARITHMETIC);
    return isWhole ? { keys: key.contents, values: value.contents, table } : null;
  }
  if (isFlatMap(code, at)) return flatRowAt(code, at);
  if (token.type !== "open") return null;
  const pair = code.value(at);
  const first = pair === null ? null : code.value(at + 1);
  if (pair === null || first === null || !code.is(first.end + 1, /^,$/)) return null;
  const values = pair.contents.slice(first.contents.length);
  const isElement = code.is(at - 1, /^[,([{;]$/) && code.is(pair.end + 1, /^[,)\]};]$/);
  const table = isElement && token.opener !== -1 ? tableAround(code, at) : null;
  return values.length > 0 && table !== null ? { keys: first.contents, values, table } : null;
}

function rowKey(code: WrittenCode, at: number): WrittenValue | null {
  const token = code.at(at);
  if (token === null) return null;
  if (token.text === "[" && code.is(at + 2, /^\]$/) && code.is(at + 3, /^=$/)) {
    const content = contentOf(code.at(at + 1) ?? token);
    return content === null ? null : { end: at + 3, contents: [content] };
  }
  const group = token.type === "open" ? code.value(at) : null;
  if (group !== null && code.is(group.end + 1, /^(?::|=>)$/))
    return { end: group.end + 1, contents: group.contents };
  const content = contentOf(token) ?? (token.type === "word" && code.is(at + 1, /^:$/) ? token.text : null);
  if (content === null || !code.is(at + 1, /^(?::|=>|=)$/)) return null;
  return { end: at + 1, contents: [content] };
}

/** The outermost bracket around a row, if what it is called is looked up with something that isn't written there. */
function tableAround(code: WrittenCode, at: number): number | null {
  let open = code.at(at)?.opener ?? -1;
  for (; open !== -1; open = code.at(open)?.opener ?? -1) {
    const close = code.code.closerOf(open);
    const next = close !== null && code.is(close + 1, /^\)$/) ? close + 2 : (close ?? 0) + 1;
    if (
      close !== null &&
      (code.is(next, /^\[$/) || (code.is(next, /^\.$/) && code.is(next + 1, /^(?:get|fetch|at|has)/)))
    )
      return open;
    const name = nameOf(code, open);
    if (name !== null) return isLookedUp(code, name) ? open : null;
  }
  return null;
}

function nameOf(code: WrittenCode, open: number): string | null {
  for (let index = open - 1; index > Math.max(-1, open - 14); index -= 1) {
    const token = code.at(index);
    if (token === null || /^(?:[;{})]|=>)$/.test(token.text)) return null;
    if (
      /^(?:=|:=)$/.test(token.text) ||
      (token.text === "(" && index === open - 1 && code.is(index - 1, /^define$/))
    ) {
      for (let word = index - 1; word > index - 24; word -= 1) {
        const named = code.at(word);
        const isType =
          code.is(word - 1, /^(?:::?|->|<|,|\.|&)$/) || (named !== null && named.opener !== token.opener);
        if (named?.type === "word" && !isType && !/^(?:const|mut|dict)$/.test(named.text))
          return bareName(named.text);
      }
      return null;
    }
    if (token.type === "word" && token.text.startsWith("@")) return bareName(token.text);
  }
  return null;
}

function isLookedUp(code: WrittenCode, name: string): boolean {
  const escaped = name.replaceAll(/\W/g, "");
  if (escaped === "") return false;
  const looked = new RegExp(
    String.raw`[@$%&]?\b${escaped}\b\)?\s*(?:\?\.)?(?:\[\s*[A-Za-z_$(]|\{\s*\$|->[{[]\s*\$|\.(?:get|fetch|has|find|at|lookup|contains\w*|getOrDefault|filter|some|index|includes|iter|entries)\b)|\b(?:lookup|assoc\w*|get|fetch|find\w*|maps:get|get_value|keyfind|hash-ref|gethash|dict|array_key_exists|exists|isset|in|range|of|ipairs|pairs|filter)\b[^\n]{0,60}[@$%&]?\b${escaped}\b`,
  );
  return looked.test(code.code.text);
}

function bareName(text: string): string {
  return text.replace(/^[@$%&*]+/, "");
}

/** A key in `Map.of("a b", "a-b", "c d", "c-d")`. */
function isFlatMap(code: WrittenCode, at: number): boolean {
  const open = code.at(at)?.opener ?? -1;
  return open > 2 && code.is(open - 1, /^of$/) && code.is(open - 3, /^Map$/) && code.value(at) !== null;
}

function flatRowAt(code: WrittenCode, at: number): TableRow | null {
  const open = code.at(at)?.opener ?? -1;
  const value = code.is(at + 1, /^,$/) ? code.value(at + 2) : null;
  const isKey =
    code.code.tokens.slice(open, at).filter(({ text, opener }) => text === "," && opener === open).length %
      2 ===
    0;
  const table = value !== null && isKey ? tableAround(code, at) : null;
  const keys = code.value(at)?.contents ?? [];
  return value === null || table === null ? null : { keys, values: value.contents, table };
}
