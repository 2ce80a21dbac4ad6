import type { Code } from "./code.ts";
import { faultAt, swapped, type Fault, type FaultMaker } from "./fault.ts";

const TESTS: { readonly [operator: string]: string } = {
  "-eq": "-ne",
  "-ne": "-eq",
  "-lt": "-ge",
  "-ge": "-lt",
  "-gt": "-le",
  "-le": "-gt",
  "-z": "-n",
  "-n": "-z",
  "==": "!=",
  "!=": "==",
  "=": "!=",
};

const PRINTS = /^(?:echo|printf)$/;

/** A shell's operators are words, and what a function gives back is its status and what it prints. */
export const shellFaults: FaultMaker = (code, index) => {
  const token = code.at(index);
  if (token === null) return [];
  const before = code.at(index - 1)?.text ?? "";
  const test = token.type === "word" && isInTest(code, index) ? TESTS[token.text] : undefined;
  if (test !== undefined) return swapped(code, index, "comparison", test);
  if (/^(?:return|exit)$/.test(before) && /^\d{1,3}$/.test(token.text))
    return swapped(code, index, "returned", token.text === "0" ? "1" : "0");
  if (before !== "" && isPrinted(code, index)) return printed(code, index);
  // What does nothing can still be noticed doing something.
  if (token.isFirst && /^(?::|true)$/.test(token.text) && code.isLastOfLine(index))
    return swapped(code, index, "returned", "echo x");
  if (token.text.length > 80) return [];
  const number = /^(\w+=)(\d{1,9})$/.exec(token.text);
  if (number !== null) return swapped(code, index, "number", `${number[1]}${Number(number[2]) + 1}`);
  return isInArithmetic(code, index) ? arithmetic(code, index) : [];
};

function isInTest(code: Code, index: number): boolean {
  for (let each = code.startOfLine(index); each < index; each += 1)
    if (/^(?:\[\[?|test)$/.test(code.at(each)?.text ?? "")) return true;
  return false;
}

/** The first thing that is printed, behind options. */
function isPrinted(code: Code, index: number): boolean {
  let command = index - 1;
  while (/^-\w+$/.test(code.at(command)?.text ?? "") && code.at(command)?.isFirst === false) command -= 1;
  return PRINTS.test(code.at(command)?.text ?? "") && code.at(index)?.line === code.at(command)?.line;
}

function printed(code: Code, index: number): readonly Fault[] {
  const token = code.at(index);
  if (token === null || token.text.startsWith("-")) return [];
  const { type, start, inside } = token;
  const isToError = code.tokens.slice(index, index + 12).some(({ text }) => text === ">&");
  const at = type === "text" ? inside : type === "word" || type === "opaque" ? start : null;
  if (at === null) return [];
  const kind = isToError ? "message" : "returned";
  return faultAt(code, index, kind, "an x is printed before it", [{ start: at, end: at, text: "x" }]);
}

function isInArithmetic(code: Code, index: number): boolean {
  const inner = code.at(index)?.opener ?? -1;
  return code.at(inner)?.text === "(" && code.at(inner - 1)?.text === "(";
}

const INVERSE: { readonly [sign: string]: string } = { "+": "-", "-": "+", "*": "+", "/": "*", "%": "+" };

function arithmetic(code: Code, index: number): readonly Fault[] {
  const token = code.at(index);
  const [, left = "", sign = "", right = ""] = /^([\w$]*)([-+*/%])([\w$]*)$/.exec(token?.text ?? "") ?? [];
  const isTight = left !== "" && right !== "";
  const isSpaced = left === "" && right === "" && token?.isSpaced === true;
  return isTight || isSpaced
    ? swapped(code, index, "arithmetic", `${left}${INVERSE[sign] ?? sign}${right}`)
    : [];
}
