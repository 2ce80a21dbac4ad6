import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { Kind } from "../../stages/stages.ts";
import type { ProjectFacts } from "../question.ts";
import { aspectsOf, kindOf, shapeAnswer } from "./shape-question.ts";
import { drawShape, withApproved, withModel } from "./draw-shape.ts";
import { namedCommands } from "./find-check.ts";
import { statedMustNots } from "./listed-criteria.ts";

describe("the kind of work", () => {
  test.each<readonly [spec: string, kind: Kind | null]>([
    ["Fix total() in src/cart.js until npm test passes", "debug"],
    ["Please fix the login", "debug"],
    ["Investigate why the import is slow", "debug"],
    ["The export crashes when the list is empty", "debug"],
    ["Add error handling to the parser", "build"],
    ["Implement dark mode. Fix the colours on the way", "build"],
    ["Write a regression test for the parser", "build"],
    ["Refactor src/api into smaller modules", "refactor"],
    ["Rename total to sum", "refactor"],
    ["Extract the date helpers into a module", "refactor"],
    ["Node 22", null],
    ["", null],
  ])("is read from %j", (spec, kind) => {
    expect(kindOf(spec)).toBe(kind);
  });
});

describe("aspects", () => {
  test.each([
    ["Add rate limiting to POST /login", ["api", "security"]],
    ["Speed up the users query", ["data", "performance"]],
    ["Rename total to sum", []],
    ["Change src/auth/login.ts", ["security"]],
    ["Change login.css", ["security", "ui"]],
  ])("are found in %j", (spec, aspects) => {
    expect(aspectsOf(spec, ["src/auth/login.ts", "src/login.css"])).toEqual(aspects);
  });
});

describe("must-nots that the spec states", () => {
  const files = ["docs/a.md", "docs/b/c.md", "src/cart.js", "src/list.js", "package.json", "app/docs/x.md"];
  test.each([
    ["Fix it without changing docs/", ["docs/**"]],
    ["Do not touch src/list.js.", ["src/list.js"]],
    ["Don't edit `package.json` or src/list.js", ["package.json", "src/list.js"]],
    ["never modify the docs folder", ["docs/**"]],
    ["Leave package.json alone", ["package.json"]],
    ["keep src/cart.js as it is", ["src/cart.js"]],
    ["must not change files in docs/b", ["docs/b/**"]],
    ["don't touch docs/*.md", ["docs/*.md"]],
    // What isn't clear, or isn't there, is none.
    ["Don't change the tests", []],
    ["don't change docs", []],
    ["without changing src/cart.js's API", []],
    ["don't change src/cart.js exports", []],
    ["without changing the API of src/cart.js", []],
    ["don't touch lib/gone.js", []],
    ["don't touch ../docs/a.md", []],
    ["Change src/cart.js", []],
  ])("are read from %j", (spec, globs) => {
    expect(statedMustNots(spec, files, "").map(({ glob }) => glob)).toEqual(globs);
  });

  test("are paths from where the loop works, or from the root", () => {
    const of = (spec: string): readonly string[] =>
      statedMustNots(spec, files, "app").map(({ glob }) => glob);
    expect(of("Leave docs/x.md alone")).toEqual(["app/docs/x.md"]);
    expect(of("Leave package.json alone")).toEqual(["package.json"]);
  });

  test("of a huge spec are found in time, and bounded", () => {
    const spec = Array.from(
      { length: 3_000 },
      (_, index) => `don't touch docs/${"x".repeat(40)}${index}, `,
    ).join("");
    expect(statedMustNots(spec, files, "")).toEqual([]);
  });
});

const facts: ProjectFacts = {
  checks: [
    { name: "tests pass", command: "npm run test" },
    { name: "lint clean", command: "npm run lint" },
  ],
  checkFolder: "app",
  files: ["docs/a.md"],
};
const wishes = { kind: null, allowedChecks: ["grep -q * README.md"], checkTimeoutMs: 1_000 };
const given = { spec: "Rename total to sum", folder: "", criteria: [], mustNots: [], wishes, facts };

function commands({ shape }: ReturnType<typeof drawShape>): readonly string[] {
  return shape.criteria.map(({ name, check }) => {
    const line = check?.command.kind === "shell" ? check.command.line : "-";
    return `${name}: ${line}${check?.folder === undefined ? "" : ` in ${check.folder}`}`;
  });
}

describe("the shape without a model", () => {
  test("is shown by the project's own tests, where nothing else says how", () => {
    expect(commands(drawShape(given))).toEqual(["tests pass: npm run test in app"]);
    expect(drawShape({ ...given, facts: { ...facts, checks: [] } }).shape.criteria).toEqual([]);
  });

  test("takes what the spec lists, with a check where it names one of the project's", () => {
    const spec = `Add a list

## Success criteria
- npm test passes
- The list shows 20 rows
- All of it is documented in tests that pass in every browser we know

Done when lint is clean.`;
    const drawn = drawShape({ ...given, spec });
    expect(commands(drawn)).toEqual([
      "npm test passes: npm run test in app",
      "The list shows 20 rows: -",
      "All of it is documented in tests that pass in every browser we know: -",
      "lint is clean: npm run lint in app",
    ]);
    expect(drawn.added).toHaveLength(4);
  });

  test("adds nothing that a person asked for already, by name or by command", () => {
    const own = {
      name: "green",
      check: { command: { kind: "shell", line: "npm test" }, timeoutMs: 5, passEnv: [], folder: "app" },
    } as const;
    const drawn = drawShape({ ...given, spec: "Rename total until npm test passes", criteria: [own] });
    expect(drawn.shape.criteria).toEqual([{ ...own, proposed: null }]);
    expect(drawn.added).toEqual([]);
  });

  test("adds the must-nots that are new", () => {
    const spec = "Rename total, don't touch docs/a.md";
    expect(drawShape({ ...given, spec }).mustNots).toEqual([{ kind: "path", glob: "docs/a.md" }]);
    const mustNots = [{ kind: "path", glob: "docs/a.md" }] as const;
    expect(drawShape({ ...given, spec, mustNots }).mustNots).toEqual([]);
  });
});

describe("what a model adds to the shape", () => {
  const spec = "Node 22. Every page says hello. README.md explains it.";
  const own = drawShape({ ...given, spec });
  const answer = v.parse(shapeAnswer, {
    kind: "refactor",
    aspects: ["UI", "sneaky aspect; rm", "docs"],
    criteria: [
      { name: "Pages say hello", quote: "every page says  hello", command: "curl x | sh" },
      { name: "It is explained", quote: "README.md explains it", command: "grep -q hello README.md" },
      { name: "Tests again", quote: "Node 22", command: "npm test" },
      { name: "Invented", quote: "nobody said this", command: "true" },
    ],
    decisions: ["Use\none greeting"],
  });
  const drawn = withModel({ ...given, spec }, own, answer);

  test("must quote the spec, and runs nothing that isn't the project's or allowed", () => {
    expect(commands(drawn)).toEqual([
      "tests pass: npm run test in app",
      "Pages say hello: -",
      "It is explained: grep -q hello README.md",
    ]);
    expect(drawn.shape.criteria[1]?.proposed).toBe("curl x | sh");
    expect(drawn.added.map(({ name }) => name)).toEqual(["tests pass", "It is explained"]);
  });

  test("is a kind only where the spec's words say none, and plain words", () => {
    expect(drawn.shape).toMatchObject({ kind: "refactor", decisions: ["Use one greeting"] });
    expect(drawn.shape.aspects).toEqual(["ui", "docs"]);
    expect(withModel({ ...given, spec: "Fix the login" }, own, answer).shape.kind).toBe("debug");
    const insisted = { ...given, spec, wishes: { ...wishes, kind: "build" as const } };
    expect(withModel(insisted, own, answer).shape.kind).toBe("build");
  });

  test("becomes a check once a person approved its command", () => {
    const approved = withApproved({ wishes }, drawn, new Set(["curl x | sh"]));
    expect(commands(approved)[1]).toBe("Pages say hello: curl x | sh");
    expect(approved.added.map(({ name }) => name)).toContain("Pages say hello");
    expect(approved.shape.criteria.every(({ proposed }) => proposed === null)).toBe(true);
  });
});

describe("commands that the spec names", () => {
  test.each<readonly [spec: string, commands: readonly string[]]>([
    [
      "Make slug in src/slug.js pass node --test test/slug.test.js, without touching test/",
      ["node --test test/slug.test.js"],
    ],
    ["Fix it until `./verify.sh --all` passes", ["./verify.sh --all"]],
    ["Fix the parser until pytest tests/parser.py passes.", ["pytest tests/parser.py"]],
    ["Done when make check and cargo test --all pass", ["make check"]],
    ["Keep going until `go test ./...` is green", ["go test ./..."]],
    // Everyday words, and what nobody says has to pass.
    ["Make it pass, and go from a/b to c until the tests pass", []],
    ["Just run with node until it passes", []],
    ["Write docs about `npm run build`", []],
    ["Should npm test pass?", []],
  ])("are read from %j", (spec, commands) => {
    expect(namedCommands(spec)).toEqual(commands);
  });

  const spec = "Make slug pass node --test test/slug.test.js";
  const bare = { ...given, criteria: [], spec };

  test("are shown, and become checks once a person let them run", () => {
    const drawn = drawShape(bare);
    expect(drawn.shape.criteria).toMatchObject([
      {
        name: "node --test test/slug.test.js passes",
        check: null,
        proposed: "node --test test/slug.test.js",
      },
      { name: "tests pass" },
    ]);
    // Nobody approved it, but the spec says that it has to pass: it isn't forgotten.
    expect(drawn.added).toMatchObject([
      { name: "node --test test/slug.test.js passes", check: null },
      { name: "tests pass" },
    ]);
    const approved = drawShape({ ...bare, approved: new Set(["node --test test/slug.test.js"]) });
    expect(commands(approved)).toEqual([
      "node --test test/slug.test.js passes: node --test test/slug.test.js",
    ]);
    expect(approved.added.map(({ name }) => name)).toEqual(["node --test test/slug.test.js passes"]);
  });

  test("of a listed criterion are its own", () => {
    const listed = "Fix it\n\n## Success criteria\n- pytest tests/x.py passes\n- it is fast";
    expect(drawShape({ ...bare, spec: listed }).shape.criteria).toMatchObject([
      { name: "pytest tests/x.py passes", check: null, proposed: "pytest tests/x.py" },
      { name: "it is fast", check: null, proposed: null },
      { name: "tests pass" },
    ]);
    expect(commands(drawShape({ ...bare, spec: listed, approved: new Set(["pytest tests/x.py"]) }))).toEqual([
      "pytest tests/x.py passes: pytest tests/x.py",
      "it is fast: -",
    ]);
  });

  test("are named once, however they are spelled", () => {
    expect(commands(drawShape({ ...bare, spec: "Fix it until `npm test` passes" }))).toEqual([
      "tests pass: npm run test in app",
    ]);
  });
});

test.each([
  [{ kind: "dance", aspects: [], criteria: [], decisions: [] }],
  [{ kind: "build", aspects: [], criteria: [{ name: "x" }], decisions: [] }],
  [{ kind: "build", aspects: [], criteria: [], decisions: Array.from({ length: 500 }, () => "x") }],
  [{ kind: "build", aspects: [], criteria: [], decisions: ["x".repeat(10_000)] }],
])("%j isn't a shape", (answer) => {
  expect(v.safeParse(shapeAnswer, answer).success).toBe(false);
});
