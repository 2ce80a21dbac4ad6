import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { changedDefinitions, type Definition } from "./definition.ts";
import { findDefinitions } from "./find-definitions.ts";

type Project = Readonly<Record<string, string | object>>;

async function definitionsOf(
  line: string,
  project: Project,
  known?: readonly Definition[],
): Promise<readonly Definition[]> {
  const command = { kind: "shell", line } as const;
  const files = filesInMemory(project);
  return (await findDefinitions({ command, files, ...(known === undefined ? {} : { known }) })).definitions;
}

/** The paths that count as tests. */
async function tests(line: string, project: Project): Promise<readonly string[]> {
  const found = await definitionsOf(line, project);
  return found.filter((each) => each.digest !== null && each.kind === "test").map(({ path }) => path);
}

describe("data of the tests", () => {
  it.each([
    ["pytest", "tests/golden/out.js"],
    ["node --test", "test/same.sh"],
    ["node --test", "fixtures/carts.json"],
    ["npx vitest run", "golden/out.txt"],
    ["pytest", "testdata/a.csv"],
    ["pytest", "expected/a.txt"],
    ["pytest", "pkg/cassettes/a.yaml"],
    ["npx vitest run", "mocks/handlers.ts"],
    ["npx jest", "src/__mocks__/db.js"],
  ])("of %s is found: %s", async (line, path) => {
    expect(await tests(line, { [path]: "x" })).toEqual([path]);
  });

  it.each([
    ["node --test", "src/fixtures/index.js"],
    ["npx vitest run", "src/mocks/server.js"],
    ["npx jest", "src/features/cart.jsx"],
    ["bundle exec rspec", "app/features/cart.tsx"],
    ["go test ./...", "fixtures/a.json"],
    ["npx vitest run", "src/expected/total.ts"],
  ])("%s: %s is source", async (line, path) => {
    expect(await tests(line, { [path]: "x" })).toEqual([]);
  });
});

describe("what tests name", () => {
  it.each<[string, string, string, string]>([
    ["an import", "src/a.test.js", 'import carts from "./data/cases.json";', "src/data/cases.json"],
    ["a file that is read", "src/a.test.js", 'readFile("../shared/rates.csv")', "shared/rates.csv"],
    ["a URL", "src/a.test.js", 'new URL("./golden.txt", import.meta.url)', "src/golden.txt"],
    ["joined words", "src/a.test.js", 'join(here, "..", "shared", "rates.csv")', "shared/rates.csv"],
    ["from where it runs", "src/a.test.js", 'readFileSync("data/rates.json")', "data/rates.json"],
    ["a helper", "src/a.test.js", 'import { all } from "./testing.js";', "src/testing.js"],
    [
      "a helper's folder",
      "src/a.test.ts",
      'import x from "./test-utils/cases.js";',
      "src/test-utils/cases.ts",
    ],
    [
      "cases that it lists",
      "src/a.test.js",
      'readdirSync(new URL("../cases/", import.meta.url))',
      "cases/a.in",
    ],
    ["without an ending", "src/a.test.ts", 'import x from "./fixtures/carts";', "src/fixtures/carts.ts"],
  ])("is theirs: %s", async (_name, test, text, path) => {
    expect(await tests("npx vitest run", { [test]: text, [path]: "x" })).toEqual([test, path].toSorted());
  });

  it.each<[string, string, string]>([
    ["a module", "from testing.cases import ALL", "testing/cases.py"],
    ["a module beside it", "from .fixtures import ALL", "pkg/fixtures.py"],
    ["a name in a package", "from . import fixtures", "pkg/fixtures.py"],
    ["a file", 'open("data/rates.json")', "data/rates.json"],
    ["a path", 'Path(__file__).parent / "data" / "rates.json"', "pkg/data/rates.json"],
  ])("in Python, %s", async (_name, text, path) => {
    expect(await tests("pytest", { "pkg/test_a.py": text, [path]: "x" })).toContain(path);
  });

  it.each<[string, string]>([
    ['import { total } from "../src/total.js";', "src/total.js"],
    ['readFile("package.json")', "package.json"],
    ['readFile("../index.html")', "index.html"],
    ['readFile("README.md")', "README.md"],
    ['readFile("../public/data.json")', "public/data.json"],
    ['readFile("../openapi.yaml")', "openapi.yaml"],
    ['import "./../src/locale.json"', "src/locale.json"],
    ['readFile("../../secret.json")', "secret.json"],
    ['import { open } from "../src/support/tickets.js"', "src/support/tickets.js"],
  ])("%s is the work", async (text, path) => {
    const found = await tests("node --test", { "test/a.test.js": text, [path]: "x" });
    expect(found).toEqual(["test/a.test.js"]);
  });

  it("is the work where the source reads it too", async () => {
    const project = {
      "test/a.test.js": 'readFile("data/products.json")',
      "shop.js": 'readFile("./data/products.json")',
      "data/products.json": "[]",
    };
    expect(await tests("node --test", project)).toEqual(["test/a.test.js"]);
  });

  it("and the work makes is no change; what was there is looked up", async () => {
    const before = { "a.test.js": 'read("out/result.csv"); read("data/rates.csv")', "data/rates.csv": "1" };
    const known = await definitionsOf("node --test", before);
    const now = { "a.test.js": before["a.test.js"], "out/result.csv": "x", "data/rates.csv": "2" };
    expect(changedDefinitions(known, await definitionsOf("node --test", now, known))).toEqual([
      { kind: "test", path: "data/rates.csv", part: null, change: "changed" },
    ]);
  });
});

describe("source that is called like tests", () => {
  const importing = (path: string): Project => ({
    "test/a.test.js": `import x from "../${path}"; test("a")`,
  });
  it.each(["src/spec/parser.js", "src/test-runner.js", "lib/test-case.js"])("is source: %s", async (path) => {
    const text = "export const run = (name) => /a/.test(name);";
    expect(await tests("node --test", { ...importing(path), [path]: text })).toEqual(["test/a.test.js"]);
  });

  it("in Python", async () => {
    const project = {
      "tests/test_a.py": "from runner.test_plan import Plan\ndef test_a(): pass\n",
      "src/runner/test_plan.py": "class Plan: pass\n",
    };
    expect(await tests("pytest", project)).toEqual(["tests/test_a.py"]);
  });

  it.each([
    ["src/spec/parser.js", 'test("a", () => {});'],
    ["src/test-runner.js", "describe('a', () => {});"],
    ["src/test/render.js", ""],
    ["src/__tests__/render.js", ""],
    ["src/test-utils.js", ""],
    ["spec/parser.js", ""],
  ])("%s with %j is not", async (path, text) => {
    expect(await tests("node --test", { ...importing(path), [path]: text })).toContain(path);
  });

  it("is not what only its neighbours import, or nobody", async () => {
    const helper = { "src/spec/render.js": "" };
    expect(await tests("node --test", helper)).toEqual(["src/spec/render.js"]);
    const neighbour = { ...helper, "src/spec/a.spec.js": 'import "./render.js"; it("a")' };
    expect(await tests("node --test", neighbour)).toContain("src/spec/render.js");
  });
});

describe("data that a command compares with", () => {
  it.each([
    ["node app.js | diff - golden/out.txt", "golden/out.txt"],
    ["node app.js | diff - golden/out.js", "golden/out.js"],
    ['for each in a b; do ./app $each | diff "right/$each.txt" -; done', "right/a.txt"],
    ["for each in a b; do ./app $each | cmp - right/${each%.in}.dat; done", "right/a.dat"],
    ["diff <(node app.js) src/answers.csv", "src/answers.csv"],
    ["node app.js > out.txt && cmp out.txt right.bin", "right.bin"],
    ["node app.js | grep -qf wanted.txt", "wanted.txt"],
    ["node app.js | grep -F --file=wanted.txt", "wanted.txt"],
    ["node build.js && diff -r out expected", "expected/a/b.html"],
    ["git diff --no-index out.json right.json", "right.json"],
  ])("is found in %s", async (line, path) => {
    expect(await tests(line, { [path]: "x", "app.js": "", "build.js": "" })).toEqual([path]);
  });

  it.each([
    ["node app.js > out.txt && diff out.txt golden.txt", "out.txt"],
    ["node app.js | tee out.txt | diff - golden.txt", "out.txt"],
    ["node docs.js | diff - README.md", "README.md"],
    ["node app.js | diff - package-lock.json", "package-lock.json"],
    ["grep -q done notes.txt", "notes.txt"],
    ["diff a.js b.js", "a.js"],
    ['diff "$right" -', "right.txt"],
    ["node app.js > out/a.txt; diff out/$each.txt -", "out/a.txt"],
  ])("%s: %s is the work", async (line, path) => {
    expect(await tests(line, { [path]: "x" })).toEqual([]);
  });

  it("is no change where it was made after the opening", async () => {
    const known = await definitionsOf("diff out.txt right.txt", { "right.txt": "x" });
    const now = await definitionsOf("diff out.txt right.txt", { "right.txt": "x", "out.txt": "x" }, known);
    expect(changedDefinitions(known, now)).toEqual([]);
  });
});
