import type { Code } from "./code.ts";
import { faultAt, swapped, type Fault, type FaultMaker } from "./fault.ts";
import type { Token } from "./tokens.ts";

const FLIPPED: { readonly [operator: string]: string } = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<=": ">",
  ">=": "<",
  "<": ">=",
  ">": "<=",
};

/** Words after which no operator can be, so that one is a name or a mark there. */
const NO_OPERAND =
  /^(?:return|if|elif|elsif|else|case|in|and|or|not|operator|def|func|fun|fn|function|when|yield|await|typeof|class|extends|template|unless|while|until|new|throw|raise|import|from|of|as|is|then|do)$/;

/** Whether a token is an operator between two values, with blanks on both sides. */
function isBinary(code: Code, index: number): boolean {
  const before = code.at(index - 1);
  const after = code.at(index + 1);
  const token = code.at(index);
  if (before === null || after === null || token?.isSpaced !== true || !after.isSpaced) return false;
  return isOperand(before) && after.type !== "close" && !/^[,;:=]$/.test(after.text);
}

function isOperand({ type, text }: Token): boolean {
  return type === "word" ? !NO_OPERAND.test(text) : type !== "operator" && type !== "open";
}

/** A comparison turned around. */
export const comparisonFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  const own = token === null ? undefined : code.language.comparisons?.get(token.text);
  const by = own === undefined && token !== null ? FLIPPED[token.text] : own;
  if (token?.type === "word" && own === undefined) return wordComparisons(code, index, token);
  if (by === undefined || by === null || token === null) return [];
  const before = code.at(index - 1);
  if (before === null || !isOperand(before)) return [];
  // Without blanks these may be the brackets of a type or of markup.
  if (/^[<>]$/.test(token.text) && !isBinary(code, index)) return [];
  if (/\b(?:class|template)\b/.test(code.at(code.startOfLine(index))?.text ?? "")) return [];
  return swapped(code, index, "comparison", by);
};

const LONGEST_STATEMENT = 200;

/** `is` and `in` in Python. */
function wordComparisons(code: Code, index: number, { text, end }: Token): readonly Fault[] {
  const { condition } = code.language;
  if (condition !== "before-colon" || (text !== "is" && text !== "in")) return [];
  const next = code.at(index + 1);
  const before = code.at(index - 1);
  if (next === null || before === null || !isOperand(before) || code.at(index)?.isFirst === true) return [];
  if (text === "is")
    return next.text === "not"
      ? faultAt(code, index, "comparison", "is not becomes is", [{ start: end, end: next.end, text: "" }])
      : faultAt(code, index, "comparison", "is becomes is not", [{ start: end, end, text: " not" }]);
  for (let back = index - 1; ; back -= 1) {
    const each = code.at(back);
    // Too far away to know whether it belongs to a loop.
    if (each === null || back < index - LONGEST_STATEMENT || /^(?:for|not)$/.test(each.text)) return [];
    if (each.isFirst && each.opener === -1) break;
  }
  const { start } = code.at(index) as Token;
  return faultAt(code, index, "comparison", "in becomes not in", [{ start, end: start, text: "not " }]);
}

export const booleanFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  const [isTrue, isFalse] = code.language.booleans;
  if (token?.type !== "word" || (token.text !== isTrue && token.text !== isFalse)) return [];
  if (code.at(index + 1)?.text === "(" || code.at(index - 1)?.text === ".") return [];
  return swapped(code, index, "boolean", token.text === isTrue ? isFalse : isTrue);
};

/** `&&` and `||`, `and` and `or`. */
export const joinFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  const by = token === null ? undefined : code.language.joins.get(token.text);
  if (by === undefined || !isBinary(code, index)) return [];
  const words = lineOf(code, index).map(({ text }) => text);
  // Compilers warn of a mixture without brackets; `let` and types go with `&&` alone.
  if (words.includes(by) || words.includes("let")) return [];
  const isCondition = words.some((word) => /^(?:if|return|elif|elsif|unless|=|=>|\?)$/.test(word));
  return code.language.isTyped && !isCondition ? [] : swapped(code, index, "join", by);
};

/** Signs that turn around, and those that become another, for numbers alone. */
const INVERSE: { readonly [operator: string]: string } = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "++": "--",
  "--": "++",
};

export const arithmeticFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  const by = token?.type === "operator" ? INVERSE[token.text] : undefined;
  if (by === undefined || token === null) return [];
  if (token.text === "++" || token.text === "--")
    return code.language.blocks === "braces" ? swapped(code, index, "arithmetic", by) : [];
  if (!isBinary(code, index)) return [];
  if (!code.language.isTyped) return swapped(code, index, "arithmetic", by);
  const line = lineOf(code, index);
  const isOfNumbers =
    (code.at(index - 1)?.type === "number" || code.at(index + 1)?.type === "number") &&
    line.every(({ type }) => type !== "text" && type !== "opaque");
  // A difference is one of numbers, but in C it may be one of pointers.
  const isSafe = isOfNumbers || token.text === "-=" || token.text === "%" || isDifference(code, token);
  if (isSafe) return swapped(code, index, "arithmetic", by);
  if (token.text === "*" && isPartOfValue(code, index)) return swapped(code, index, "arithmetic", "+");
  return /^\+=?$/.test(token.text) ? doubled(code, index) : [];
};

function isDifference({ language }: Code, { text }: Token): boolean {
  return text === "-" && !language.files.test("a.c") && !language.files.test("a.swift");
}

/**
 * Behind a `return` or a `=`, a star is between numbers; before that, it may be a part of a type. Elsewhere a product may be one of
 * two types, which have no sum: a duration and a number.
 */
function isPartOfValue(code: Code, index: number): boolean {
  if (!["a.c", "a.go", "a.java"].some((name) => code.language.files.test(name))) return false;
  const start = code.startOfLine(index);
  return code.tokens.slice(start, index).some(({ text }) => text === "return" || text === "=");
}

/** What is added is added twice: that fits numbers and texts alike. */
function doubled(code: Code, index: number): readonly Fault[] {
  let last = index + 1;
  while (
    code.at(last)?.type === "word" &&
    code.at(last + 1)?.text === "." &&
    code.at(last + 2)?.type === "word"
  )
    last += 2;
  const token = code.at(last);
  const next = code.at(last + 1);
  if (token?.type !== "word" || NO_OPERAND.test(token.text)) return [];
  const isEnd = next === null || next.isFirst || /^[;,)\]}+-]$/.test(next.text);
  if (!isEnd || (next !== null && next.isFirst && !/^[\w}]/.test(next.text))) return [];
  const added = code.textOf(index + 1, last);
  return faultAt(code, index, "arithmetic", `${added} is added twice`, [
    { start: token.end, end: token.end, text: ` + ${added}` },
  ]);
}

/** The tokens on the line of one. */
export function lineOf(code: Code, index: number): readonly Token[] {
  const start = code.startOfLine(index);
  let end = start + 1;
  while (code.at(end)?.isFirst === false) end += 1;
  return code.tokens.slice(start, end);
}
