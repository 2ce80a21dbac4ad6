const NAME = "must fail: added in a clean room";

/** How test files are written, by their runner. */
interface Manner {
  readonly file: RegExp;
  readonly runners: readonly string[];
  /** Tests that fail, in the manner of the text; empty if the text has none. */
  readonly failing: (text: string) => readonly string[];
  /** What makes the file fail as soon as it is loaded. */
  readonly broken: string;
}

/** A failing use of each assertion, by its name: one that was made harmless has to be noticed. */
type Assertions = readonly (readonly [name: string, failing: string])[];

const EXPECT: Assertions = [
  ["toBe", "expect(1).toBe(2);"],
  ["toEqual", "expect({ a: 1 }).toEqual({ a: 2 });"],
  ["toStrictEqual", "expect({ a: 1 }).toStrictEqual({ a: 2 });"],
  ["toThrow", "expect(() => 1).toThrow();"],
  ["toContain", "expect([1]).toContain(2);"],
  ["toMatchInlineSnapshot", "expect(1).toMatchInlineSnapshot(`2`);"],
];
const CHAI: Assertions = [["equal", "expect(1).to.equal(2);"]];
const NODE_ASSERT: Assertions = [
  ["strictEqual", "strictEqual(1, 2);"],
  ["equal", "equal(1, 2);"],
  ["deepStrictEqual", "deepStrictEqual({ a: 1 }, { a: 2 });"],
  ["deepEqual", "deepEqual({ a: 1 }, { a: 2 });"],
  ["throws", "throws(() => 1);"],
  ["ok", "ok(false);"],
];
const UNITTEST: Assertions = [
  ["assertEqual", "self.assertEqual(1, 2)"],
  ["assertTrue", "self.assertTrue(False)"],
  ["assertFalse", "self.assertFalse(True)"],
  ["assertIn", "self.assertIn(1, [])"],
  ["assertRaises", "self.assertRaises(KeyError, dict)"],
];

/** Of those that the text uses; at least one. */
function usedIn(text: string, assertions: Assertions): readonly string[] {
  const used = assertions.filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  return (used.length === 0 ? assertions.slice(0, 1) : used).map(([, failing]) => failing);
}

const CALLED = /(?<![.\w$]|function\s)(test|it)(?:\.\w+)*\s*\(/;
const IMPORTED_ASSERT =
  /(?:import\s+(?:\*\s+as\s+)?|(?:const|let|var)\s+)(\w+)\s*(?:from\s*|=\s*require\s*\(\s*)["'](?:node:)?assert(?:\/strict)?["']/;

function failingLines(text: string): readonly string[] {
  if (/\bexpect\s*\(/.test(text)) return usedIn(text, /\)\s*\.(?:not\.)?to\./.test(text) ? CHAI : EXPECT);
  const assert = IMPORTED_ASSERT.exec(text)?.[1];
  if (assert === undefined) return [`throw new Error("${NAME}");`];
  return usedIn(text, NODE_ASSERT).map((each) => `${assert}.${each}`);
}

const JAVASCRIPT: Omit<Manner, "runners"> = {
  file: /\.[cm]?[jt]sx?$/,
  failing: (text) => {
    const called = CALLED.exec(text)?.[1];
    if (called === undefined) return [];
    return failingLines(text).map((line, at) => `;${called}("${NAME} ${at + 1}", () => { ${line} });`);
  },
  broken: `throw new Error("${NAME}");`,
};

const TEST_CASE = /\bTestCase\b/;

function failingCase(text: string): readonly string[] {
  if (!TEST_CASE.test(text)) return [];
  const tests = usedIn(text, UNITTEST).map(
    (line, at) => `    def test_must_fail_${at + 1}(self):\n        ${line}`,
  );
  return [`class MustFail(__import__("unittest").TestCase):`, ...tests];
}

const PYTHON = { file: /\.py$/, broken: `raise RuntimeError("${NAME}")` };

const MANNERS: readonly Manner[] = [
  { ...JAVASCRIPT, runners: ["vitest", "jest", "mocha"] },
  {
    ...JAVASCRIPT,
    runners: ["node:test"],
    failing: (text) => (/["']node:test["']/.test(text) ? JAVASCRIPT.failing(text) : []),
  },
  {
    ...PYTHON,
    runners: ["pytest"],
    failing: (text) => {
      if (TEST_CASE.test(text)) return failingCase(text);
      return /^\s*(?:async\s+)?def test_/m.test(text) ? ["def test_must_fail():", "    assert 1 == 2"] : [];
    },
  },
  { ...PYTHON, runners: ["unittest"], failing: failingCase },
];

/** A test file with tests at its end that fail, and one that cannot be loaded. */
export interface Spoiled {
  readonly failing: string;
  readonly broken: string;
}

/** `runner`: as its report names it. null if it isn't known how such a file is written. */
export function spoiled(path: string, text: string, runner: string): Spoiled | null {
  const manner = MANNERS.find(({ file, runners }) => file.test(path) && runners.includes(runner));
  const failing = manner?.failing(text) ?? [];
  if (manner === undefined || failing.length === 0) return null;
  return { failing: `${text}\n\n\n${failing.join("\n")}\n`, broken: `${manner.broken}\n${text}` };
}
