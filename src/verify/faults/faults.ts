import { Code, type Surroundings } from "./code.ts";
import type { Fault, FaultMaker } from "./fault.ts";
import { SHELL } from "./languages.ts";
import { numberFaults, symbolFaults, textFaults } from "./literal-faults.ts";
import { namedValueFaults } from "./named-value-faults.ts";
import { arithmeticFaults, booleanFaults, comparisonFaults, joinFaults, lineOf } from "./operator-faults.ts";
import { shellFaults } from "./shell-faults.ts";
import { conditionFaults, returnFaults, skipFaults } from "./statement-faults.ts";

const MAKERS: readonly FaultMaker[] = [
  comparisonFaults,
  booleanFaults,
  returnFaults,
  namedValueFaults,
  conditionFaults,
  arithmeticFaults,
  joinFaults,
  skipFaults,
  numberFaults,
  textFaults,
  symbolFaults,
];

/** In a loop that ends by what is done in it, only what cannot keep it going. */
const ENDING: readonly FaultMaker[] = [comparisonFaults, returnFaults, textFaults];

/** Lines that load something, mark something, name a test, or ask whether this file is the one that was started. */
const NO_WORK =
  /^\s*(?:import\b|from\b.*\bimport\b|export\s+(?:\*|type\b|interface\b)|package\b|using\b|use\b|mod\b|namespace\b|require|include\b|extern\b|typedef\b|type\b|interface\b|enum\b|declare\b|#\[|set\s+-|source\b|\.\s|(?:describe|context|it|test|specify|TEST_CASE|SCENARIO)[ (]+["'`])|^<\?php declare|^1;$|__name__|__FILE__|require\.main|import\.meta|BASH_SOURCE|\bassert_?\w*!?\s*\(/;

const MARK = /^\s*@/;

/** A fault, and where it is. */
export interface PlacedFault extends Fault {
  /** The function that it is in; null: none, so it may happen as soon as the file is loaded. */
  readonly owner: number | null;
}

/** Whether faults can be put into a file. */
export function canHaveFaults(path: string, text: string): boolean {
  return Code.of(path, text) !== null;
}

/** Each fault that can be put into some lines of a file; `lines` from 1. */
export function faultsOf(path: string, text: string, lines: ReadonlySet<number>): readonly PlacedFault[] {
  const code = Code.of(path, text);
  if (code === null) return [];
  const { mark = MARK } = code.language;
  const isSkipped = (line: string): boolean =>
    line.length > LONGEST_LINE || NO_WORK.test(line) || mark?.test(line) === true;
  const skippedLines = new Set(
    text.split("\n").flatMap((line, index) => (isSkipped(line) ? [index + 1] : [])),
  );
  const headers = loopHeaders(code);
  return code.tokens.flatMap((token, index) => {
    if (!lines.has(token.line) || skippedLines.has(token.line) || headers.has(index)) return [];
    const around = code.surroundingsOf(index);
    if (around.isTest || around.isDeclaration || token.isTest) return [];
    return makersFor(code, around)
      .flatMap((make) => make(code, index))
      .filter(({ line }) => lines.has(line))
      .map((fault) => placed(code, index, fault, around));
  });
}

const LONGEST_LINE = 500;

function makersFor({ language }: Code, { isOpenLoop }: Surroundings): readonly FaultMaker[] {
  if (language === SHELL) return isOpenLoop ? [] : [shellFaults, conditionFaults];
  return isOpenLoop ? ENDING : MAKERS;
}

/** Outside of functions, only a plain value is sure to wait for somebody who uses it. */
const AT_LOADING = 10;

function placed(code: Code, index: number, fault: Fault, { owner, header }: Surroundings): PlacedFault {
  const own = owner ?? functionOnLine(code, index);
  const isPlain = fault.kind === "number" || fault.kind === "boolean" || fault.kind === "text";
  const isConstant =
    isPlain && header === null && !lineOf(code, index).some(({ text }) => /^[({]$/.test(text));
  return {
    ...fault,
    owner: own ?? (isConstant ? index : null),
    rank: fault.rank + (own === null && !isConstant ? AT_LOADING : 0),
  };
}

/** A function that is written on one line. */
function functionOnLine(code: Code, index: number): number | null {
  const start = code.startOfLine(index);
  for (let each = start; each < index; each += 1)
    if (/^(?:=>|function|def|fn|func|fun|lambda)$/.test(code.at(each)?.text ?? "")) return start;
  return null;
}

/** What says how often a loop runs: another answer may never end. */
function loopHeaders(code: Code): ReadonlySet<number> {
  const headers = new Set<number>();
  for (const [index, token] of code.tokens.entries()) {
    if (token.type !== "word" || !/^(?:for|foreach|while|until|loop|do)$/.test(token.text)) continue;
    const isModifier = !token.isFirst && /^(?:while|until)$/.test(token.text);
    const next = code.at(index + 1);
    const closer = next?.text === "(" ? code.closerOf(index + 1) : null;
    if (closer !== null) for (let each = index; each <= closer; each += 1) headers.add(each);
    else if (token.isFirst || isModifier) {
      const start = isModifier ? code.startOfLine(index) : index;
      for (let each = start; each === start || code.at(each)?.isFirst === false; each += 1) headers.add(each);
    }
  }
  return headers;
}
