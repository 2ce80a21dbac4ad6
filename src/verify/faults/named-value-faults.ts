import type { Code } from "./code.ts";
import { faultAt, type FaultMaker } from "./fault.ts";

/** A constant, or one of an enumeration's cases: `Level::Error`, `Color.RED`, `NOT_FOUND`. */
const NAMED = /^(?:[A-Z]\w*(?:(?:::|\.)[A-Za-z]\w*)*|[a-z]\w*(?:::\w+)+)$/;
const PART = /^(?:::|\.|[A-Za-z]\w*)$/;
const MOST_AROUND = 2_000;

/**
 * A name that a function gives back, where it gives back another one elsewhere: of a type that only the compiler knows, those two
 * are sure to be.
 */
export const namedValueFaults: FaultMaker = (code, index) => {
  if (!code.language.isTyped || !isMark(code, index)) return [];
  const own = namedAt(code, index + 1);
  if (own === null) return [];
  const { owner } = code.surroundingsOf(index);
  const mark = code.at(index);
  const last = Math.min(index + MOST_AROUND, code.tokens.length);
  for (let each = Math.max(0, index - MOST_AROUND); each < last; each += 1) {
    if (code.at(each)?.text !== mark?.text || !isMark(code, each)) continue;
    const isAlike =
      mark?.text === "return"
        ? owner !== null && code.surroundingsOf(each).owner === owner
        : code.at(each)?.opener === mark?.opener;
    const other = isAlike ? namedAt(code, each + 1) : null;
    if (other === null || other.text === own.text) continue;
    const edits = [{ start: own.start, end: own.end, text: other.text }];
    return faultAt(code, index + 1, "returned", `${own.text} becomes ${other.text}`, edits);
  }
  return [];
};

/** What such a name comes behind: `return`, or the arrow of an arm. */
function isMark(code: Code, index: number): boolean {
  const token = code.at(index);
  if (token?.text === "return") return token.type === "word";
  return token?.text === code.language.arm && code.at(token?.opener ?? -1)?.text === "{";
}

function namedAt(
  code: Code,
  from: number,
): { readonly text: string; readonly start: number; readonly end: number } | null {
  let to = from;
  while (to === from || code.at(to)?.isFirst === false) {
    const token = code.at(to);
    if (token === null || !PART.test(token.text) || (to > from && token.isSpaced)) break;
    to += 1;
  }
  const next = code.at(to);
  const first = code.at(from);
  const last = code.at(to - 1);
  if (to === from || first === null || last === null) return null;
  if (next !== null && !next.isFirst && !/^[,;}]$/.test(next.text)) return null;
  const text = code.text.slice(first.start, last.end);
  return NAMED.test(text) ? { text, start: first.start, end: last.end } : null;
}
