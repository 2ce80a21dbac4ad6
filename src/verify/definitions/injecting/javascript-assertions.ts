import { usedIn, words, type Uses } from "./language.ts";

const EXPECT = words({
  toBe: "expect(1).toBe(2);",
  toEqual: "expect({ a: 1 }).toEqual({ a: 2 });",
  toStrictEqual: "expect({ a: 1 }).toStrictEqual({ a: 2 });",
  toMatchObject: "expect({ a: 1 }).toMatchObject({ a: 2 });",
  toThrow: "expect(() => 1).toThrow();",
  toContain: "expect([1]).toContain(2);",
  toHaveLength: "expect([1]).toHaveLength(2);",
  toBeCloseTo: "expect(1).toBeCloseTo(2);",
  toMatch: 'expect("a").toMatch(/b/);',
  toBeTruthy: "expect(false).toBeTruthy();",
  toBeNull: "expect(1).toBeNull();",
  toBeGreaterThan: "expect(1).toBeGreaterThan(2);",
  toMatchInlineSnapshot: "expect(1).toMatchInlineSnapshot(`2`);",
});
const CHAI = words({
  equal: "expect(1).to.equal(2);",
  eql: "expect({ a: 1 }).to.eql({ a: 2 });",
  deep: "expect({ a: 1 }).to.deep.equal({ a: 2 });",
});
const NODE_ASSERT = new Map(
  Object.entries({
    strictEqual: "(1, 2);",
    equal: "(1, 2);",
    deepStrictEqual: "({ a: 1 }, { a: 2 });",
    deepEqual: "({ a: 1 }, { a: 2 });",
    notStrictEqual: "(1, 1);",
    notEqual: "(1, 1);",
    throws: "(() => 1);",
    match: '("a", /b/);',
    ok: "(false);",
  }),
);

const thrown = (condition: string): string => `if (!(${condition})) throw new Error();`;

/** What a test compares with, beside assertions. */
const COMPARED_IN_JAVASCRIPT: Uses = [
  [/\bJSON\.stringify\b/, thrown("JSON.stringify({ a: 1 }) === JSON.stringify({ a: 2 })")],
  [/\bObject\.is\b/, thrown("Object.is(1, 2)")],
  [/\bString\(/, thrown("String(1) === String(2)")],
  [/\.every\(/, thrown("[1].every(() => false)")],
  [/\.some\(/, thrown("[1].some(() => false)")],
  [/\.includes\(/, thrown('[1].includes(2) || "a".includes("b")')],
];

const ASSERT_MODULE = String.raw`(?:from\s*|=\s*require\s*\(\s*)["'](?:(?:node:)?assert(?:\/strict)?|chai)["']`;
const WHOLE = new RegExp(
  String.raw`(?:import\s+(?:\*\s+as\s+)?|(?:const|let|var)\s+)(\w+)\s*${ASSERT_MODULE}`,
);
const NAMED = new RegExp(String.raw`(?:import|const|let|var)\s*\{([^{}]{1,500})\}\s*${ASSERT_MODULE}`);

/** The names under which a text has `node:assert`, as an object and by function. */
export function assertNames(text: string): {
  readonly objects: readonly string[];
  readonly functions: readonly { readonly name: string; readonly alias: string }[];
} {
  const whole = WHOLE.exec(text)?.[1];
  const named = (NAMED.exec(text)?.[1] ?? "").split(",").map((each) => {
    const [name = "", alias = name] = each.trim().split(/\s+as\s+|\s*:\s*/);
    return { name, alias };
  });
  const objects = [
    ...(whole === undefined ? [] : [whole]),
    ...named.flatMap(({ name, alias }) => (/^(?:strict|default|assert)$/.test(name) ? [alias] : [])),
  ];
  return { objects, functions: named.filter(({ name }) => NODE_ASSERT.has(name)) };
}

function nodeAssertions(text: string): readonly string[] {
  const { objects, functions } = assertNames(text);
  return [
    ...objects.flatMap((object) => [
      ...(new RegExp(`(?<![.\\w])${object}\\(`).test(text) ? [`${object}(false);`] : []),
      ...[...NODE_ASSERT]
        .filter(([name]) => new RegExp(`\\b${object}\\.(?:strict\\.)?${name}\\b`).test(text))
        .map(([name, failing]) => `${object}.${name}${failing}`),
    ]),
    ...functions.map(({ name, alias }) => `${alias}${NODE_ASSERT.get(name) ?? ""}`),
  ];
}

/** Statements that throw as long as what the text judges with still does. */
export function failingInJavascript(text: string): readonly string[] {
  const isExpecting = /\bexpect\s*\(/.test(text);
  const expecting = !isExpecting ? [] : usedIn(text, /\)\s*\.(?:not\.)?to\./.test(text) ? CHAI : EXPECT);
  return [...expecting, ...nodeAssertions(text), ...usedIn(text, COMPARED_IN_JAVASCRIPT)];
}
