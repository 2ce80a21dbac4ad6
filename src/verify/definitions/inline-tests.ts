/**
 * Tests inside a source file, by name, and what they expect. The text is compared along with the name: whether a test is skipped,
 * or what an example has to print.
 */
export function inlineTests(path: string, text: string): ReadonlyMap<string, string> {
  if (path.endsWith(".rs"))
    return new Map([...rustTests(text), ...rustExpectations(text), ...rustDocTests(text)]);
  if (path.endsWith(".py")) return new Map([...pythonDocTests(text), ...pythonExamples(text)]);
  if (/\.[cm]?[jt]sx?$/.test(path)) return sourceTests(text);
  return new Map();
}

const RUST_TEST_ATTRIBUTE = /#\[\s*(?:\w+::)*(?:test|rstest|test_case)\b/;

function rustTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  let attributes = "";
  for (const each of text.includes("#[") ? text.split("\n") : []) {
    const line = each.trim();
    if (line === "" || line.startsWith("//")) continue;
    const fn = /\bfn\s+(\w+)/.exec(line);
    if (line.startsWith("#[")) attributes += `${fn === null ? line : line.slice(0, fn.index).trim()} `;
    if (fn?.[1] !== undefined && RUST_TEST_ATTRIBUTE.test(attributes)) tests.set(fn[1], attributes.trim());
    if (fn !== null || !line.startsWith("#[")) attributes = "";
  }
  return tests;
}

/** The values that test bodies expect; a body ends with its braces, or where the next test begins. */
function rustExpectations(text: string): ReadonlyMap<string, string> {
  const expectations = new Expectations();
  if (!text.includes("assert")) return expectations.found;
  const names = rustTests(text);
  let test: { readonly name: string; body: string; depth: number } | null = null;
  const finish = (): void => {
    for (const each of test === null ? [] : rustExpectedValues(test.body))
      expectations.add(test?.name ?? "", each, "");
    test = null;
  };
  let isMarked = false;
  for (const each of text.split("\n")) {
    const line = each.trim();
    const isAttribute = RUST_TEST_ATTRIBUTE.test(line);
    if (isAttribute) finish();
    isMarked ||= isAttribute;
    const fn: string | undefined = isMarked ? /\bfn\s+(\w+)/.exec(line)?.[1] : undefined;
    if (fn !== undefined) {
      isMarked = false;
      test = names.has(fn) ? { name: fn, body: "", depth: 0 } : null;
    }
    if (test === null || line.startsWith("//")) continue;
    test.body += `${line}\n`;
    test.depth += depthChange(line);
    if (test.depth <= 0 && line.includes("}")) finish();
  }
  finish();
  return expectations.found;
}

/** The owner of what a file or module says about itself (`//!`): what comes next in it may change. */
const ITSELF = "itself";

function rustDocTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  const expectations = new Expectations();
  let fence = "";
  let isOpen = false;
  let example = "";
  const finish = (owner: string): void => {
    for (const each of rustExpectedValues(example)) expectations.add(`doc ${owner}`, each, "");
    example = "";
  };
  for (const line of text.split("\n")) {
    const [, kind, comment] = /^\s*\/\/([/!])\s?(.*)$/.exec(line) ?? [];
    const mark = comment === undefined ? undefined : /^\s*```(.*)$/.exec(comment)?.[1];
    if (mark !== undefined) {
      if (!isOpen && /^[\s,]*(?:rust|should_panic|no_run|ignore|edition\d+)?[\s\w,-]*$/.test(mark)) {
        const opened = `\`\`\`${mark.trim()}`;
        if (kind === "!") tests.set(`doc ${ITSELF}`, opened);
        else fence = opened;
      }
      isOpen = !isOpen;
      if (kind === "!") finish(ITSELF);
    } else if (isOpen && comment !== undefined) example += `${comment.replace(/^#\s/, "")}\n`;
    const item =
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|macro_rules!)\s+(\w+)/.exec(
        line,
      );
    if (comment === undefined && item !== null) {
      if (fence !== "") {
        tests.set(`doc ${item[1]}`, fence);
        finish(item[1] ?? "");
      }
      fence = "";
      example = "";
      isOpen = false;
    }
  }
  return new Map([...tests, ...expectations.found]);
}

function pythonDocTests(text: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  if (!text.includes(">>>")) return tests;
  let owner = "module";
  for (const line of text.split("\n")) {
    owner = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] ?? owner;
    if (/^\s*>>> /.test(line)) {
      const skipped = /#\s*doctest:.*SKIP/.test(line) ? " skipped" : "";
      tests.set(`doc ${owner}`, `${tests.get(`doc ${owner}`) ?? ""}${skipped}`);
    }
  }
  return tests;
}

/** Each example with what it has to print. */
function pythonExamples(text: string): ReadonlyMap<string, string> {
  const examples = new Expectations();
  if (!text.includes(">>>")) return examples.found;
  let owner = "module";
  let example: { words: string; expected: string } | null = null;
  const finish = (): void => {
    if (example !== null) examples.add(`doc ${owner}`, example.words, example.expected);
    example = null;
  };
  for (const each of text.split("\n")) {
    const line = each.trim();
    const first = /^>>> ?(.*)$/.exec(line)?.[1];
    const more: string | undefined = example === null ? undefined : /^\.\.\.(?: (.*))?$/.exec(line)?.[0];
    if (first !== undefined) {
      finish();
      example = { words: first, expected: "" };
    } else if (example !== null && more !== undefined && example.expected === "")
      example.words += ` ${more.slice(4)}`;
    else if (line === "" || /"""|'''/.test(line)) finish();
    else if (example !== null) example.expected += `${line}\n`;
    if (example === null) owner = /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] ?? owner;
  }
  finish();
  return examples.found;
}

const SOURCE_TEST = /\b(?:it|test|describe)((?:\.\w+)*)\s*\(\s*(["'`])((?:(?!\2)[^\\\n]|\\.){1,200})\2/g;

function sourceTests(text: string): ReadonlyMap<string, string> {
  if (!text.includes("import.meta.vitest")) return new Map();
  const found = [...text.matchAll(SOURCE_TEST)];
  const expectations = new Expectations();
  for (const [at, match] of found.entries()) {
    const body = text.slice(match.index + match[0].length, found[at + 1]?.index);
    for (const each of sourceExpectations(body)) expectations.add(match[3] ?? "", each, "");
  }
  return new Map([...found.map(([, how = "", , name = ""]) => [name, how] as const), ...expectations.found]);
}

const SOURCE_STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\`(?:[^\`\\]|\\.)*\``;
const SOURCE_MARK = new RegExp(`${SOURCE_STRING}|[()]`, "g");
const SOURCE_LITERAL = new RegExp(
  String.raw`${SOURCE_STRING}|\b\d[\w.]*\b|\b(?:true|false|null|undefined)\b`,
  "g",
);

/** The values in the assertions of a piece of JavaScript, and how they are compared: `expect.not.toBe 3, 4`. */
function sourceExpectations(code: string): readonly string[] {
  const start = /\b(?:expect|assert)(?:\.\w+)*\s*\(/g;
  const expected: string[] = [];
  for (let match = start.exec(code); match !== null; match = start.exec(code)) {
    let end = closing(code, start.lastIndex, SOURCE_MARK);
    let how = match[0].replace(/\s*\($/, "");
    for (let next = NEXT_CALL.exec(code.slice(end, end + LONGEST_NAME)); next !== null;) {
      how += `.${next[1] ?? ""}`;
      end += next[0].length;
      if (code.charAt(end) === "(") end = closing(code, end + 1, SOURCE_MARK);
      next = NEXT_CALL.exec(code.slice(end, end + LONGEST_NAME));
    }
    const values = code.slice(start.lastIndex, end).match(SOURCE_LITERAL) ?? [];
    expected.push(`${how} ${values.join(", ")}`);
    start.lastIndex = end;
  }
  return expected;
}

const NEXT_CALL = /^\s*\.\s*(\w+)/;

/** How many expectations of one file are distinguished. */
const MOST = 1000;
const LONGEST_NAME = 120;
const LONGEST_ASSERTION = 2000;

/** What tests inside a source expect, by test and wording, so a new one doesn't change the others. */
class Expectations {
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
function depthChange(line: string): number {
  const bare = line.replaceAll(STRINGS, "").replace(/\/\/.*$/, "");
  return bare.split("{").length - bare.split("}").length;
}

const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\b\d[\w.]*\b|\b(?:true|false)\b/g;

/** The values in the assertions of a piece of Rust. The functions they call may be renamed with the source. */
function rustExpectedValues(code: string): readonly string[] {
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

const RUST_MARK = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|[()]/g;

function closing(code: string, from: number, mark = RUST_MARK): number {
  const most = Math.min(code.length, from + LONGEST_ASSERTION);
  let depth = 1;
  const text = code.slice(from, most);
  for (const { 0: found, index } of text.matchAll(mark)) {
    if (found === "(") depth += 1;
    if (found === ")" && (depth -= 1) === 0) return from + index + 1;
  }
  return most;
}
