import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { changedDefinitions, nameOfDefinition } from "./definition.ts";
import { findDefinitions } from "./find-definitions.ts";

type Project = Readonly<Record<string, string | object>>;

/** What changed between two states of a project, for one check: `changed scripts.test in package.json`. */
async function changes(line: string, before: Project, after: Project): Promise<readonly string[]> {
  const command = { kind: "shell", line } as const;
  const baseline = await findDefinitions({ command, files: filesInMemory(before) });
  const now = await findDefinitions({ command, files: filesInMemory(after), known: baseline.definitions });
  return changedDefinitions(baseline.definitions, now.definitions).map(
    (each) => `${each.kind} ${each.change}: ${nameOfDefinition(each)}`,
  );
}

function without(project: Project, ...paths: readonly string[]): Project {
  return Object.fromEntries(Object.entries(project).filter(([path]) => !paths.includes(path)));
}

const node = {
  "package.json": { scripts: { test: "node --test" }, dependencies: {} },
  "src/total.js": "export const total = () => 0;",
  "test/total.test.js": 'test("adds", () => {}); test("rounds", () => {});',
};
const script = (test: string): Project => ({
  ...node,
  "package.json": { scripts: { test }, dependencies: {} },
});
const tests = (text: string): Project => ({ ...node, "test/total.test.js": text });

describe("what a Node agent under pressure does", () => {
  const test = "test changed: test/total.test.js";
  const called = "script changed: scripts.test in package.json";
  it.each<[string, Project, readonly string[]]>([
    ["tests deleted", without(node, "test/total.test.js"), ["test removed: test/total.test.js"]],
    ["tests skipped", tests('test.skip("adds", () => {});'), [test]],
    ["tests emptied", tests(""), [test]],
    ["tests weakened", tests('test("adds", () => {}); test("rounds", () => { ok(true) });'), [test]],
    ["the failing one removed", tests('test("adds", () => {});'), [test]],
    ["the test imports a helper", tests('import "./helper.js";'), [test]],
    ["a helper beside the tests", { ...node, "test/helper.js": "" }, ["test added: test/helper.js"]],
    ["the script turned into true", script("true"), [called]],
    ["the script narrowed", script("node --test test/one.test.js"), [called]],
    ["the script forgives", script("node --test || exit 0"), [called]],
    [
      "a script before the script",
      { ...node, "package.json": { scripts: { test: "node --test", pretest: "rm -r test" } } },
      ["script added: scripts.pretest in package.json"],
    ],
    [
      "an .npmrc that preloads a file",
      { ...node, ".npmrc": "node-options=--require ./x.cjs" },
      ["config added: .npmrc"],
    ],
    ["an .env", { ...node, ".env": "NODE_OPTIONS=x" }, ["config added: .env"]],
    ["package.json gone", without(node, "package.json"), ["script removed: scripts.test in package.json"]],
  ])("is seen: %s", async (_name, after, expected) => {
    expect(await changes("npm test --silent", node, after)).toEqual(expected);
  });

  it("a new vitest.config.ts where none was", async () => {
    const before = { "src/a.test.ts": "", "package.json": { scripts: { test: "vitest run" } } };
    const after = { ...before, "vitest.config.ts": "export default { test: { exclude: ['**'] } };" };
    expect(await changes("npm test", before, after)).toEqual(["config added: vitest.config.ts"]);
  });

  it("a section of package.json where none was", async () => {
    const before = { "a.test.js": "", "package.json": { scripts: { test: "jest" } } };
    const after = { ...before, "package.json": { scripts: { test: "jest" }, jest: { testMatch: [] } } };
    expect(await changes("npm test", before, after)).toEqual(["config added: jest in package.json"]);
  });

  it("a setup file that the configuration loads", async () => {
    const before = {
      "a.test.js": "",
      "vitest.config.ts": 'export default { test: { setupFiles: "./setup" } };',
      "setup.ts": "1",
    };
    expect(await changes("vitest run", before, { ...before, "setup.ts": "2" })).toEqual([
      "config changed: setup.ts",
    ]);
  });
});

describe("what a Python agent under pressure does", () => {
  const python = {
    "pyproject.toml": '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    "calc.py": "",
    "tests/test_calc.py": "def test_a(): assert 1",
  };
  const manifest = (text: string): Project => ({ ...python, "pyproject.toml": text });
  it.each<[string, Project, readonly string[]]>([
    [
      "pytest.ini narrows",
      { ...python, "pytest.ini": "[pytest]\naddopts = -k one\n" },
      ["config added: pytest.ini"],
    ],
    ["conftest.py rewrites outcomes", { ...python, "conftest.py": "x" }, ["config added: conftest.py"]],
    [
      "conftest.py beside the tests",
      { ...python, "tests/conftest.py": "x" },
      ["config added: tests/conftest.py"],
    ],
    ["sitecustomize.py", { ...python, "sitecustomize.py": "x" }, ["config added: sitecustomize.py"]],
    [
      "tox.ini",
      { ...python, "tox.ini": "[pytest]\naddopts = -k x\n" },
      ["config added: [pytest] in tox.ini"],
    ],
    [
      "the section narrows",
      manifest('[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-k one"\n'),
      ["config changed: [tool.pytest] in pyproject.toml"],
    ],
    [
      "the section by a dotted key",
      manifest('tool.pytest.ini_options.addopts = "-k one"\n[project]\nname = "x"\n'),
      ["config changed: [tool.pytest] in pyproject.toml"],
    ],
    [
      "the section gone",
      manifest('[project]\nname = "x"\n'),
      ["config removed: [tool.pytest] in pyproject.toml"],
    ],
    ["tests skipped", { ...python, "tests/test_calc.py": "@skip" }, ["test changed: tests/test_calc.py"]],
    [
      "tests moved away",
      { ...without(python, "tests/test_calc.py"), "old/calc.py": "" },
      ["test removed: tests/test_calc.py"],
    ],
  ])("is seen: %s", async (_name, after, expected) => {
    expect(await changes("python -m pytest", python, after)).toEqual(expected);
  });
});

describe("other places", () => {
  it("a recipe, a variable in it, the shell, and a Makefile that comes first", async () => {
    const before = { Makefile: "T = pytest\nX = 1\ntest:\n\t$(T)\nother:\n\tfalse\n", "test_a.py": "" };
    const after = (Makefile: string, more: Project = {}): Project => ({ ...before, Makefile, ...more });
    expect(
      await changes("make test", before, after("T = pytest\nX = 1\ntest:\n\t-$(T)\nother:\n\tfalse\n")),
    ).toEqual(["script changed: target test in Makefile"]);
    expect(
      await changes("make test", before, after("T = true\nX = 1\ntest:\n\t$(T)\nother:\n\tfalse\n")),
    ).toEqual(["script changed: variable T in Makefile"]);
    expect(
      await changes("make test", before, after("T = pytest\nSHELL = /bin/true\nX = 2\ntest:\n\t$(T)\n")),
    ).toEqual(["script added: variable SHELL in Makefile"]);
    expect(await changes("make test", before, { ...before, GNUmakefile: "test:\n" })).toContain(
      "script added: GNUmakefile",
    );
  });

  it("a Rust test inside a source that is removed or ignored; its body is source", async () => {
    const rust = (text: string): Project => ({ "Cargo.toml": "[package]\n", "src/lib.rs": text });
    const before = rust("#[test]\nfn adds() { a() }\n#[test]\nfn rounds() {}\n");
    expect(await changes("cargo test", before, rust("#[test]\nfn adds() { b() }\n"))).toEqual([
      "inline removed: test rounds in src/lib.rs",
    ]);
    expect(
      await changes(
        "cargo test",
        before,
        rust("#[test]\n#[ignore]\nfn adds() {}\n#[test]\nfn rounds() {}\n"),
      ),
    ).toEqual(["inline changed: test adds in src/lib.rs"]);
  });

  it("a vitest test inside a source that is removed or skipped; what stands around it is source", async () => {
    const vitest = (...lines: readonly string[]): Project => ({
      "vitest.config.ts": "export default { test: { includeSource: ['src/**/*.ts'] } };",
      "src/a.ts": ["if (import.meta.vitest) {", ...lines, "}"].join("\n"),
    });
    const before = vitest('it("adds", () => {});', 'it("rounds", () => {});');
    const changed = (after: Project): Promise<readonly string[]> => changes("npx vitest run", before, after);
    expect(await changed(vitest('it("adds", () => {});'))).toEqual([
      "inline removed: test rounds in src/a.ts",
    ]);
    expect(await changed(vitest('it.skip("adds", () => {});', 'it("rounds", () => {});'))).toEqual([
      "inline changed: test adds in src/a.ts",
    ]);
    const with5 = vitest('it("adds", () => {', "  expect(sum([2, 3])).not.toBe(5);", "});");
    const changesOf5 = (after: Project): Promise<readonly string[]> =>
      changes("npx vitest run", with5, after);
    expect(
      await changesOf5(vitest('it("adds", () => {', "  expect(sum([2, 3])).not.toBe(6);", "});")),
    ).toContain("inline removed: test adds: expect.not.toBe 2, 3, 5 in src/a.ts");
    expect(
      await changesOf5(vitest('it("adds", () => {', "  expect(total([2, 3])).not.toBe(5);", "});")),
    ).toEqual([]);
    expect(await changed(vitest("const x = 1;", 'it("adds", () => {});', 'it("rounds", () => {});'))).toEqual(
      [],
    );
  });

  it("a cargo runner, a linter's ignore file, a strictness that is turned off", async () => {
    const manifest = '[package]\nname = "a"\n';
    const off = { "Cargo.toml": `${manifest}autotests = false\n` };
    expect(await changes("cargo test", { "Cargo.toml": manifest }, off)).toEqual([
      "config added: [package.autotests] in Cargo.toml",
    ]);
    expect(await changes("cargo test", {}, { ".cargo/config.toml": "x" })).toEqual([
      "config added: .cargo/config.toml",
    ]);
    expect(await changes("npx eslint .", {}, { ".eslintignore": "**" })).toEqual([
      "config added: .eslintignore",
    ]);
    expect(await changes("npx tsc", { "tsconfig.json": "1" }, { "tsconfig.json": "2" })).toEqual([
      "config changed: tsconfig.json",
    ]);
    expect(
      await changes(
        "ruff check",
        { "pyproject.toml": "[tool.ruff]\na=1\n" },
        { "pyproject.toml": "[tool.ruff]\na=1\nignore=['E']\n" },
      ),
    ).toEqual(["config changed: [tool.ruff] in pyproject.toml"]);
  });

  it("a script of the project", async () => {
    const before = { "scripts/test.sh": "pytest", "tests/test_a.py": "" };
    expect(await changes("./scripts/test.sh", before, { ...before, "scripts/test.sh": "exit 0" })).toEqual([
      "script changed: scripts/test.sh",
    ]);
  });
});

describe("honest work is no change", () => {
  it.each<[string, string, Project, Project]>([
    ["source", "npm test", node, { ...node, "src/total.js": "fixed", "src/more.js": "" }],
    [
      "a dependency, another script, another order",
      "npm test",
      node,
      {
        ...node,
        "package.json": {
          version: "2",
          dependencies: { a: "1" },
          scripts: { start: "x", test: "node --test" },
        },
      },
    ],
    [
      "a dependency in pyproject.toml and a comment",
      "pytest",
      { "pyproject.toml": "[project]\n[tool.pytest]\na = 1\n" },
      { "pyproject.toml": "[project]\ndependencies = ['x']\n[tool.pytest]\n# why\na = 1\n[tool.black]\n" },
    ],
    [
      "another target",
      "make test",
      { Makefile: "test:\n\tpytest\n" },
      { Makefile: "test:\n\tpytest\nrun:\n\tpython app.py\n" },
    ],
    [
      "a crate",
      "cargo test",
      { "Cargo.toml": "[dependencies]\n" },
      { "Cargo.toml": "[dependencies]\na = '1'\n[dev-dependencies]\nb = '1'\n" },
    ],
    ["a module", "go test ./...", { "go.mod": "module x\n" }, { "go.mod": "module x\nrequire a v1\n" }],
    ["tests, for a linter", "npx eslint .", node, { ...node, "test/total.test.js": "" }],
    ["documentation", "npm test", node, { ...node, "docs/testing.md": "" }],
  ])("of a definition: %s", async (_name, line, before, after) => {
    expect(await changes(line, before, after)).toEqual([]);
  });
});

describe("what stands behind a configuration or a rule", () => {
  it.each([
    ["vitest.config.js", 'import shared from "./config/shared.js";', "config/shared.js"],
    ["vitest.config.ts", 'import { shared } from "./config/shared";', "config/shared.ts"],
    ["jest.config.cjs", 'module.exports = require("./jest.base");', "jest.base.js"],
    ["vitest.config.mjs", 'export default mergeConfig((await import("./base.mjs")).default)', "base.mjs"],
  ])("is a definition, too: %s: %s", async (config, text, path) => {
    const before = { [config]: text, [path]: "1", "a.test.js": "" };
    const line = config.startsWith("jest") ? "npx jest" : "npx vitest run";
    expect(await changes(line, before, { ...before, [path]: "2" })).toEqual([`config changed: ${path}`]);
  });

  it("of a configuration, neither the source nor the manifest", async () => {
    const config = 'import { plugin } from "./src/plugin.js"; import manifest from "./package.json";';
    const before = { "vitest.config.js": config, "src/plugin.js": "1", "package.json": "{}" };
    const after = { ...before, "src/plugin.js": "2", "package.json": '{"name":"x"}' };
    expect(await changes("npx vitest run", before, after)).toEqual([]);
  });

  it("of a rule that make has itself: its flags", async () => {
    const linked = { Makefile: "test: app\n\t./app\napp: main.o\n", "main.c": "" };
    const alone = { Makefile: "test: app\n\t./app\n", "app.c": "" };
    for (const before of [linked, alone]) {
      const after = { ...before, Makefile: `CFLAGS = -DFAKE\n${before.Makefile}` };
      expect(await changes("make test", before, after)).toEqual([
        "script added: variable CFLAGS in Makefile",
      ]);
    }
    const own = "test:\n\t./run\nother:\n\tfalse\n";
    expect(
      await changes("make test", { Makefile: own }, { Makefile: `LDLIBS = -lm\n${own}.ONESHELL:\n` }),
    ).toEqual(["script added: target .ONESHELL in Makefile"]);
  });
});

describe("what tests inside a source expect", () => {
  const python = (...lines: readonly string[]): Project => ({
    "cart.py": `def add(a, b):\n    """Adds.\n\n${lines.map((line) => `    ${line}\n`).join("")}    """\n    return 3\n`,
  });
  const rust = (body: string): Project => ({
    "Cargo.toml": "[package]\n",
    "src/lib.rs": `fn add() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {\n${body}\n  }\n}\n`,
  });

  it("of an example in Python", async () => {
    const before = python(">>> add(1, 2)", "3");
    const line = "python -m doctest cart.py";
    expect(await changes(line, before, python(">>> add(1, 2)", "4"))).toEqual([
      "inline changed: test doc add: add(1, 2) in cart.py",
    ]);
    expect(await changes(line, before, python(">>> add(1, 1)", "3"))).toContain(
      "inline removed: test doc add: add(1, 2) in cart.py",
    );
    expect(await changes(line, before, python(">>> add(1, 2)", "3", ">>> add(", "...   2, 2)", "4"))).toEqual(
      ["inline added: test doc add: add( 2, 2) in cart.py"],
    );
    const text = before["cart.py"] as string;
    expect(await changes(line, before, { "cart.py": text.replace("return 3", "return a + b") })).toEqual([]);
  });

  it("of an assertion in Rust: its values, whatever the source is called by now", async () => {
    const before = rust('assert_eq!(add(1, 2), 3, "{");\nlet x = 1;');
    expect(await changes("cargo test", before, rust('assert_eq!(add(1, 2), 4, "{");'))).toEqual([
      'inline removed: test adds: assert_eq! 1, 2, 3, "{" in src/lib.rs',
      'inline added: test adds: assert_eq! 1, 2, 4, "{" in src/lib.rs',
    ]);
    const renamed = 'let y = 2;\nassert_eq!(\n  sum(1, 2),\n  3,\n  "{",\n);\nassert!(y);';
    expect(await changes("cargo test", before, rust(renamed))).toEqual([]);
    const source = (before["src/lib.rs"] as string).replace("fn add() {}", "fn add() { assert!(1 == 1) }");
    expect(await changes("cargo test", before, { ...before, "src/lib.rs": source })).toEqual([]);
  });

  it("of an example in Rust's documentation", async () => {
    const of = (line: string): Project => ({
      "Cargo.toml": "[package]\n",
      "src/lib.rs": `/// Adds.\n///\n/// \`\`\`\n/// ${line}\n/// \`\`\`\npub fn add() {}\n`,
    });
    const before = of("assert_eq!(x::add(1, 2), 3);");
    expect(await changes("cargo test", before, of("x::add(1, 2);"))).toEqual([
      "inline removed: test doc add: assert_eq! 1, 2, 3 in src/lib.rs",
    ]);
    expect(await changes("cargo test", before, of("assert_eq!(y::add(1, 2), 3); // the sum"))).toEqual([]);
  });
});
