import { contentOf } from "./literals.ts";
import { ARITHMETIC, MOST_TOKENS, type WrittenCode } from "./written-code.ts";

/** What a piece of code is done for, if that is written there. */
export interface Condition {
  /** One of them is enough; of each, all values together. */
  readonly alternatives: readonly (readonly string[])[];
  /** Its last token. */
  readonly end: number;
}

export const EQUALS = /^(?:===?|eq|=~|-eq|eqv)$/;
export const EQUAL_CALL =
  /^(?:equals?\??|equalsIgnoreCase|startsWith|starts_?with\??|start_with\?|[hH]asPrefix|endsWith|ends_?with\??|end_with\?|HasSuffix|eql\??|eqv\??|is_?equal\w*|isDeepStrictEqual|deepEqual|DeepEqual|Equal|strn?(?:case)?cmp|memcmp|streq|identical|string=)$/;
const MEMBER = /^(?:in|elem|include\?|includes|in_array|contains|Contains|member\??|has|any\?)$/;
const CASE_WORD = /^(?:case|when|of)$/;
const CONDITION = /^(?:if|elif|elsif|elseif|when|while|else|cond|unless|ifelse)$/;

/** The condition that begins at a token; null: none does. */
export function conditionAt(code: WrittenCode, at: number): Condition | null {
  return comparisonAt(code, at) ?? membershipAt(code, at) ?? armAt(code, at) ?? clauseAt(code, at);
}

/** `x === "a b"` and what follows it, also where more than one value is compared. */
function comparisonAt(code: WrittenCode, at: number): Condition | null {
  const token = code.at(at);
  if (token === null) return null;
  let key: readonly string[] | null = null;
  let end = at;
  const isLisp = code.is(at - 1, /^\($/) && !code.is(at + 1, /^\($/);
  if (isResultOfComparing(code, at - 1)) return null;
  const isSign = EQUALS.test(token.text) || (token.text === "=" && !isLisp && isCompared(code, at));
  if (isSign) {
    const value = code.value(at + 1);
    const before = code.at(at - 1);
    const beforeContent = before === null ? null : contentOf(before);
    if (value !== null && !isComputed(code, at - 1)) [key, end] = [value.contents, value.end];
    else if (beforeContent !== null && value === null) [key, end] = [[beforeContent], at + 1];
  } else if ((token.type === "word" && EQUAL_CALL.test(token.text)) || (token.text === "=" && isLisp)) {
    const open = isLisp ? at - 1 : at + 1;
    const close = code.is(open, /^\($/) ? code.code.closerOf(open) : null;
    if (close === null || close - at > MOST_TOKENS) return null;
    const inside = code.code.tokens.slice(at + 1, close);
    const before = code.is(at - 1, /^\.$/) ? code.at(at - 2) : null;
    const all = before === null ? inside : [before, ...inside];
    key = all.map(contentOf).filter((each) => each !== null);
    end = close;
  }
  if (key === null || key.length === 0) return null;
  return { alternatives: [key], end };
}

/** `x in ["a b", "c d"]`, `[[1, 2]].include?([x, y])`, `in_array(x, [1, 2])`. */
function membershipAt(code: WrittenCode, at: number): Condition | null {
  const token = code.at(at);
  if (token === null || !MEMBER.test(token.text) || code.is(at - 1, /^(?:not|!)$/)) return null;
  const called = code.is(at + 1, /^\($/) ? code.code.closerOf(at + 1) : null;
  const before = code.is(at - 1, /^\.$/) ? code.code.openerOf(at - 2) : null;
  const last = called === null ? null : code.code.openerOf(called - 1);
  const listed = [at + 1, before, last].flatMap((open) => (open === null ? [] : code.elements(open)));
  if (listed.length === 0) return null;
  const end = called ?? code.code.closerOf(at + 1) ?? at;
  return { alternatives: listed, end };
}

/** `=` compares behind a condition's word, and assigns elsewhere. */
function isCompared(code: WrittenCode, at: number): boolean {
  const start = code.code.startOfLine(at);
  for (let index = start; index < at; index += 1)
    if (code.is(index, CONDITION) || (code.at(index)?.type === "word" && code.is(index, /^\[\[?$/)))
      return code.at(start)?.text !== "let";
  return false;
}

/** `strcmp(s, "a b") == 0`. */
export function isResultOfComparing(code: WrittenCode, at: number): boolean {
  const open = code.code.openerOf(at);
  return open !== null && code.is(open - 1, EQUAL_CALL);
}

/** Whether a sum or a remainder is compared. */
function isComputed(code: WrittenCode, before: number): boolean {
  return code.is(before - 1, ARITHMETIC) && code.at(before)?.type === "number";
}

/** `case 4:`, `of "a b":`, `| "a b" ->`, `"a b" | "c d" => …`, `"a b") …`. */
function armAt(code: WrittenCode, at: number): Condition | null {
  const isLed = code.is(at, CASE_WORD) || code.is(at, /^\|$/);
  const alternatives: (readonly string[])[] = [];
  let end = isLed ? at : at - 1;
  for (let value = code.value(end + 1); value !== null; value = code.value(end + 1)) {
    alternatives.push(value.contents);
    end = value.end;
    if (!code.is(end + 1, /^(?:\||,|or)$/)) break;
    end += 1;
  }
  if (alternatives.length === 0) return null;
  const isArm = code.is(end + 1, /^(?:->|\{|\))$/) || (code.is(end + 1, /^=>$/) && isInMatch(code, at));
  const isFirst =
    code.at(at)?.isFirst === true || (code.is(at - 1, /^[{,;]$/) && code.is(end + 1, /^[-=]>$/));
  if (!isLed && !(isArm && isFirst)) return null;
  if (isLed && !isArm && !code.is(end + 1, /^(?::|then|do)$/) && !code.code.isLastOfLine(end)) return null;
  return { alternatives, end };
}

/** `match x { … }`: elsewhere, `=>` belongs to a table. */
function isInMatch(code: WrittenCode, at: number): boolean {
  const open = code.at(at)?.opener ?? -1;
  const header = code.code.tokens.slice(Math.max(0, open - 12), Math.max(0, open));
  return header.some(({ text }) => /^(?:match|switch|case)$/.test(text));
}

/** A function that has one answer for one argument: `roman 4 = "IV"`, `total([1, 2]) -> 3`. */
function clauseAt(code: WrittenCode, at: number): Condition | null {
  const token = code.at(at);
  if (token?.type !== "word" || CASE_WORD.test(token.text) || CONDITION.test(token.text)) return null;
  const start = code.code.startOfLine(at);
  if (at - start > 1 || (at !== start && !code.is(start, /^(?:defp?|fun|func|function|let|and)$/)))
    return null;
  const keys: string[] = [];
  let next = at + 1;
  for (let value = code.value(next); value !== null; value = code.value(next)) {
    keys.push(...value.contents);
    next = value.end + 1;
  }
  const isClause =
    code.is(next, /^->$/) ||
    (code.is(next, /^(?:,|do)$/) && at !== start) ||
    // `x[4] = …` is something else.
    (code.is(next, /^=$/) && code.at(at + 1)?.isSpaced === true);
  return keys.length > 0 && isClause ? { alternatives: [keys], end: next - 1 } : null;
}
