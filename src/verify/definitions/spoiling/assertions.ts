/** A failing use of something that judges, and how a text shows that it uses it: one that was made harmless has to be noticed. */
type Uses = readonly (readonly [used: RegExp, failing: string])[];

function words(...uses: readonly (readonly [name: string, failing: string])[]): Uses {
  return uses.map(([name, failing]) => [new RegExp(`\\b${name}\\b`), failing]);
}

function usedIn(text: string, uses: Uses): readonly string[] {
  return uses.filter(([used]) => used.test(text)).map(([, failing]) => failing);
}

const EXPECT = words(
  ["toBe", "expect(1).toBe(2);"],
  ["toEqual", "expect({ a: 1 }).toEqual({ a: 2 });"],
  ["toStrictEqual", "expect({ a: 1 }).toStrictEqual({ a: 2 });"],
  ["toMatchObject", "expect({ a: 1 }).toMatchObject({ a: 2 });"],
  ["toThrow", "expect(() => 1).toThrow();"],
  ["toContain", "expect([1]).toContain(2);"],
  ["toHaveLength", "expect([1]).toHaveLength(2);"],
  ["toBeCloseTo", "expect(1).toBeCloseTo(2);"],
  ["toMatch", 'expect("a").toMatch(/b/);'],
  ["toBeTruthy", "expect(false).toBeTruthy();"],
  ["toBeNull", "expect(1).toBeNull();"],
  ["toBeGreaterThan", "expect(1).toBeGreaterThan(2);"],
  ["toMatchInlineSnapshot", "expect(1).toMatchInlineSnapshot(`2`);"],
);
const CHAI = words(
  ["equal", "expect(1).to.equal(2);"],
  ["eql", "expect({ a: 1 }).to.eql({ a: 2 });"],
  ["deep", "expect({ a: 1 }).to.deep.equal({ a: 2 });"],
);
const NODE_ASSERT: ReadonlyMap<string, string> = new Map([
  ["strictEqual", "(1, 2);"],
  ["equal", "(1, 2);"],
  ["deepStrictEqual", "({ a: 1 }, { a: 2 });"],
  ["deepEqual", "({ a: 1 }, { a: 2 });"],
  ["notStrictEqual", "(1, 1);"],
  ["notEqual", "(1, 1);"],
  ["throws", "(() => 1);"],
  ["match", '("a", /b/);'],
  ["ok", "(false);"],
]);

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

const ASSERT_MODULE = String.raw`(?:from\s*|=\s*require\s*\(\s*)["'](?:node:)?assert(?:\/strict)?["']`;
const WHOLE = new RegExp(
  String.raw`(?:import\s+(?:\*\s+as\s+)?|(?:const|let|var)\s+)(\w+)\s*${ASSERT_MODULE}`,
);
const NAMED = new RegExp(String.raw`(?:import|const|let|var)\s*\{([^{}]{1,500})\}\s*${ASSERT_MODULE}`);

function nodeAssertions(text: string): readonly string[] {
  const whole = WHOLE.exec(text)?.[1];
  const named = (NAMED.exec(text)?.[1] ?? "").split(",").map((each) => {
    const [name = "", alias = name] = each.trim().split(/\s+as\s+|\s*:\s*/);
    return { name, alias };
  });
  const objects = [
    ...(whole === undefined ? [] : [whole]),
    ...named.flatMap(({ name, alias }) => (/^(?:strict|default)$/.test(name) ? [alias] : [])),
  ];
  return [
    ...objects.flatMap((object) => [
      ...(new RegExp(`(?<![.\\w])${object}\\(`).test(text) ? [`${object}(false);`] : []),
      ...[...NODE_ASSERT]
        .filter(([name]) => new RegExp(`\\b${object}\\.(?:strict\\.)?${name}\\b`).test(text))
        .map(([name, failing]) => `${object}.${name}${failing}`),
    ]),
    ...named.flatMap(({ name, alias }) =>
      NODE_ASSERT.has(name) ? [`${alias}${NODE_ASSERT.get(name) ?? ""}`] : [],
    ),
  ];
}

/** Statements that throw as long as what the text judges with still does. */
export function failingInJavascript(text: string): readonly string[] {
  const isExpecting = /\bexpect\s*\(/.test(text);
  const expecting = !isExpecting ? [] : usedIn(text, /\)\s*\.(?:not\.)?to\./.test(text) ? CHAI : EXPECT);
  return [...expecting, ...nodeAssertions(text), ...usedIn(text, COMPARED_IN_JAVASCRIPT)];
}

const COMPARED_IN_PYTHON: Uses = [
  [/^import [\w, ]*\bjson\b[\s\S]*\bjson\.dumps\(/m, 'assert json.dumps({"a": 1}) == json.dumps({"a": 2})'],
  [/^import [\w, ]*\bmath\b[\s\S]*\bmath\.isclose\(/m, "assert math.isclose(1, 2)"],
  [/^import [\w, ]*\bpytest\b[\s\S]*\bpytest\.approx\(/m, "assert 1 == pytest.approx(2)"],
  [/(?<![.\w])all\(/, "assert all([False])"],
  [/(?<![.\w])any\(/, "assert any([])"],
  [/(?<![.\w])len\(/, "assert len([1]) == len([])"],
  [/(?<![.\w])sorted\(/, "assert sorted([1]) == sorted([2])"],
  [/(?<![.\w])str\(/, "assert str(1) == str(2)"],
  [/(?<![.\w])repr\(/, "assert repr(1) == repr(2)"],
  [/(?<![.\w])isinstance\(/, "assert isinstance(1, str)"],
];

export function failingInPython(text: string): readonly string[] {
  return usedIn(text, COMPARED_IN_PYTHON);
}

const UNITTEST = words(
  ["assertEqual", "self.assertEqual(1, 2)"],
  ["assertTrue", "self.assertTrue(False)"],
  ["assertFalse", "self.assertFalse(True)"],
  ["assertIn", "self.assertIn(1, [])"],
  ["assertIsNone", "self.assertIsNone(1)"],
  ["assertAlmostEqual", "self.assertAlmostEqual(1, 2)"],
  ["assertRaises", "self.assertRaises(KeyError, dict)"],
);

export function failingInTestCase(text: string): readonly string[] {
  return [...usedIn(text, UNITTEST), ...failingInPython(text)];
}
