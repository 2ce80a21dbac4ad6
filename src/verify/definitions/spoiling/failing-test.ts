import { failingInJavascript, failingInPython, failingInTestCase } from "./assertions.ts";

/** How test files are written, by their runner. */
interface Manner {
  readonly file: RegExp;
  readonly runners: readonly string[];
  /** Tests that fail, in the manner of the text; empty if the text has none. */
  readonly failing: (text: string, name: string) => readonly string[];
  /** What makes the file fail as soon as it is loaded. */
  readonly broken: (name: string) => string;
}

const CALLED = /(?<![.\w$]|function\s)(test|it)(?:\.\w+)*\s*\(/;

const JAVASCRIPT: Omit<Manner, "runners"> = {
  file: /\.[cm]?[jt]sx?$/,
  failing: (text, name) => {
    const called = CALLED.exec(text)?.[1];
    if (called === undefined) return [];
    const lines = [`throw new Error("${name}");`, ...failingInJavascript(text)];
    return lines.map((line, at) => `;${called}("${name} ${at + 1}", () => { ${line} });`);
  },
  broken: (name) => `throw new Error("${name}");`,
};

const TEST_CASE = /\bTestCase\b/;

function failingCase(text: string, name: string): readonly string[] {
  if (!TEST_CASE.test(text)) return [];
  const lines = ['self.fail("x")', ...failingInTestCase(text)];
  return [
    `class Test_${name}(__import__("unittest").TestCase):`,
    ...lines.map((line, at) => `    def test_${at + 1}(self):\n        ${line}`),
  ];
}

function failingFunctions(text: string, name: string): readonly string[] {
  if (!/^\s*(?:async\s+)?def test_/m.test(text)) return [];
  return ["assert 1 == 2", ...failingInPython(text)].map(
    (line, at) => `def test_${name}_${at + 1}():\n    ${line}`,
  );
}

const PYTHON = { file: /\.py$/, broken: (name: string) => `raise RuntimeError("${name}")` };

const MANNERS: readonly Manner[] = [
  { ...JAVASCRIPT, runners: ["vitest", "jest", "mocha"] },
  {
    ...JAVASCRIPT,
    runners: ["node:test"],
    failing: (text, name) => (/["']node:test["']/.test(text) ? JAVASCRIPT.failing(text, name) : []),
  },
  {
    ...PYTHON,
    runners: ["pytest"],
    failing: (text, name) => (TEST_CASE.test(text) ? failingCase(text, name) : failingFunctions(text, name)),
  },
  { ...PYTHON, runners: ["unittest"], failing: failingCase },
];

/** A test file with tests at its end that fail, and one that cannot be loaded. */
export interface Spoiled {
  readonly failing: string;
  readonly broken: string;
}

/**
 * `runner`: as its report names it. `name`: letters and digits that nobody can expect, so that no source can look for them. null
 * if it isn't known how such a file is written.
 */
export function spoiled(
  { path, text, runner }: { readonly path: string; readonly text: string; readonly runner: string },
  name: string,
): Spoiled | null {
  const manner = MANNERS.find(({ file, runners }) => file.test(path) && runners.includes(runner));
  const failing = manner?.failing(text, name) ?? [];
  if (manner === undefined || failing.length === 0) return null;
  return { failing: `${text}\n\n\n${failing.join("\n")}\n`, broken: `${manner.broken(name)}\n${text}` };
}
