import type { WrittenCode } from "./written-code.ts";

/** A row of a table that is written as a text, and that a program takes apart. */
export interface TextRow {
  /** From 1. */
  readonly line: number;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** A text that begins on the next line. */
const DOCUMENT = /^<<[-~]?[ \t]*["'`\\]?(\w+)/;
/** What reads a text line by line. */
const READS_LINES = /\bread\b|\bdone\b|\bmapfile\b|\breadarray\b|\.lines\b|\beach_line\b|\bsplit\b|\bIFS=/;
const LIST = /^(?:qw|%w)[^\w\s]([\s\S]*)[^\w\s]$/;
const MOST_ROWS = 200;
const MOST_FIELDS = 12;

/** The rows of the text that begins at a token: `while read -r name count; do … done <<END`, `my %sizes = qw(1k 1024 2k 2048)`. */
export function textRowsAt(code: WrittenCode, at: number): readonly TextRow[] {
  const token = code.at(at);
  if (token?.type !== "opaque") return [];
  const word = DOCUMENT.exec(token.text)?.[1];
  if (word !== undefined) return documentRows(code.code.text, token.start, { word, line: token.line });
  const list = LIST.exec(token.text)?.[1];
  const isHash = code.is(at - 1, /^=$/) && code.is(at - 2, /^%\w/);
  return list === undefined || !isHash ? [] : pairs(list.trim().split(/\s+/), token.line);
}

function documentRows(
  text: string,
  from: number,
  { word, line }: { readonly word: string; readonly line: number },
): readonly TextRow[] {
  const begun = text.lastIndexOf("\n", from) + 1;
  const [head = "", ...lines] = text.slice(begun).split("\n");
  const end = lines.findIndex((each) => each.trim() === word);
  if (!READS_LINES.test(head) || end === -1 || end > MOST_ROWS) return [];
  return lines.slice(0, end).flatMap((row, index): readonly TextRow[] => {
    const fields = row.split(/[\s|,;=]+|:(?!\d)/).filter((each) => each !== "");
    const last = fields.at(-1);
    if (last === undefined || fields.length < 2 || fields.length > MOST_FIELDS) return [];
    return [{ line: line + 1 + index, keys: fields.slice(0, -1), values: [last] }];
  });
}

function pairs(words: readonly string[], line: number): readonly TextRow[] {
  return words.flatMap((key, index): readonly TextRow[] => {
    const value = words[index + 1];
    return index % 2 === 1 || value === undefined ? [] : [{ line, keys: [key], values: [value] }];
  });
}
