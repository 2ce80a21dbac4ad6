import { afterInterpreter, begun, ended, usedIn, words } from "./language.ts";
import type { Language, Sentinels, Uses } from "./language.ts";

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
function failingInJavascript(text: string): readonly string[] {
  const isExpecting = /\bexpect\s*\(/.test(text);
  const expecting = !isExpecting ? [] : usedIn(text, /\)\s*\.(?:not\.)?to\./.test(text) ? CHAI : EXPECT);
  return [...expecting, ...nodeAssertions(text), ...usedIn(text, COMPARED_IN_JAVASCRIPT)];
}

const CALLED = /(?<![.\w$]|function\s)(test|it)(?:\.\w+)*\s*\(/;

function failingTests(text: string, name: string): readonly string[] {
  const called = CALLED.exec(text)?.[1];
  if (called === undefined) return [];
  const lines = [`throw new Error("${name}");`, ...failingInJavascript(text)];
  return lines.map((line, at) => `;${called}("${name} ${at + 1}", () => { ${line} });`);
}

const OWN_EXIT = /(?<![.\w$])(?:(?:globalThis|global)\.)?process\.exit(?![\w$])(?!\s*=[^=>])/g;
const OTHER_NAME =
  /[{,]\s*exit\b[^{}]*\}\s*(?:=\s*process\b|from\s*["'](?:node:)?process|=\s*require\(\s*["'](?:node:)?process)|\bprocess\.reallyExit\b|process\.exit\s*=[^=>]/;
/** Such a handler may decide about the exit code when the end has already been reached. */
const HANDLER = /\bprocess\.\w+\(\s*["'`](?:exit|beforeExit)["'`]/;
/** Runners that end the process themselves when they are through. */
const RUNNER =
  /["'](?:tape|tap|ava|uvu|jasmine|mocha|qunit|vitest|jest|zora|brittle|japa|@japa\/runner|@hapi\/lab|lab|playwright)(?:\/[\w/-]+)?["']/;
const FORGIVES = /\bexitCode\s*=(?!=|\s*[1-9]\d*\s*[;,})\n])/;

function isUnclear(text: string): boolean {
  return OTHER_NAME.test(text) || RUNNER.test(text) || (HANDLER.test(text) && FORGIVES.test(text));
}

const STATIC_IMPORT = /^[ \t]*import\b(?!\s*[(.])/m;

/** `end`: where the script would end with success. */
function endOf(marks: Sentinels, probes: readonly string[]): string {
  const { nonce, fails } = marks;
  return `
;function armed_${nonce}() {
  for (const probe of [${probes.map((line) => `() => { ${line} }`).join(", ")}]) {
    try { probe(); return false; } catch {}
  }
  return true;
}
function end_${nonce}(code = process.exitCode) {
  if (!Number(code) && armed_${nonce}()) {
    process.stderr.write("${ended(marks)}\\n");
    ${fails ? "code = 1;" : ""}
  }
  process.exit(code);
}
`;
}

function withOwnExits(text: string, { nonce }: Sentinels): string {
  return text.replaceAll(OWN_EXIT, `end_${nonce}`);
}

export const JAVASCRIPT: Language = {
  file: /\.[cm]?[jt]sx?$/,
  failingTests: {
    vitest: failingTests,
    jest: failingTests,
    mocha: failingTests,
    "node:test": (text, name) => (/["']node:test["']/.test(text) ? failingTests(text, name) : []),
  },
  broken: (name) => `throw new Error("${name}");`,
  script: (text, marks) => {
    if (isUnclear(text)) return null;
    const write = `process.stderr.write("${begun(marks)}\\n");`;
    // Imports come before every statement; the first one comes before the others.
    const first = STATIC_IMPORT.test(text)
      ? `import "data:text/javascript,${encodeURIComponent(write)}";`
      : write;
    const marked = afterInterpreter(withOwnExits(text, marks), first);
    const end = `process.once("beforeExit", () => end_${marks.nonce}());\n`;
    return `${marked}\n${endOf(marks, failingInJavascript(text))}${end}`;
  },
  loaded: (text, marks) => {
    const marked = withOwnExits(text, marks);
    return marked === text ? null : `${marked}\n${endOf(marks, [])}`;
  },
  endsUnmarked: isUnclear,
  code: (text, marks) => {
    const { nonce } = marks;
    return `function end_${nonce}(code = process.exitCode) {
  if (!Number(code)) { console.error(${ended(marks)}); code = 1; }
  process.exit(code);
}
console.error(${begun(marks)});
${withOwnExits(text, marks)}
;process.once(String.fromCharCode(${Buffer.from("beforeExit").join()}), () => end_${nonce}());
`;
  },
};
