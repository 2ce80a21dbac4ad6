/** How many expectations of one file are distinguished. */
const MOST = 1000;
const LONGEST_NAME = 120;
const LONGEST_ASSERTION = 2000;

/** What tests inside a source expect, by test and wording, so a new one doesn't change the others. */
export class Expectations {
  readonly found = new Map<string, string>();

  add(test: string, words: string, expected: string): void {
    const name = `${test}: ${words.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_NAME)}`;
    const before = this.found.get(name);
    if (before === undefined && this.found.size >= MOST) return;
    this.found.set(name, `${before ?? ""}${expected}`);
  }
}

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'/g;

/** By how much a line of Rust opens more blocks than it closes. */
export function depthChange(line: string): number {
  const bare = line.replaceAll(STRINGS, "").replace(/\/\/.*$/, "");
  return bare.split("{").length - bare.split("}").length;
}

const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\b\d[\w.]*\b|\b(?:true|false)\b/g;

/** The values in the assertions of a piece of Rust. The functions they call may be renamed with the source. */
export function rustExpectedValues(code: string): readonly string[] {
  const start = /\b((?:debug_)?assert\w*!)\s*\(/g;
  const expected: string[] = [];
  for (let match = start.exec(code); match !== null; match = start.exec(code)) {
    const end = closing(code, start.lastIndex);
    const values = code.slice(start.lastIndex, end).match(LITERAL) ?? [];
    if (values.length > 0) expected.push(`${match[1]} ${values.join(", ")}`);
    start.lastIndex = end;
  }
  return expected;
}

function closing(code: string, from: number): number {
  const most = Math.min(code.length, from + LONGEST_ASSERTION);
  let depth = 1;
  const mark = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|[()]/g;
  const text = code.slice(from, most);
  for (const { 0: found, index } of text.matchAll(mark)) {
    if (found === "(") depth += 1;
    if (found === ")" && (depth -= 1) === 0) return from + index + 1;
  }
  return most;
}
