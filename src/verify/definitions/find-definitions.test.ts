import { describe, expect, it } from "vitest";
import { filesInMemory } from "../../../test/support/files-in-memory.ts";
import { nameOfDefinition, type Definition } from "./definition.ts";
import { findDefinitions } from "./find-definitions.ts";
import { isTestPath } from "./test-files.ts";

type Project = Readonly<Record<string, string | object>>;

async function definitionsOf(command: string, project: Project): Promise<readonly Definition[]> {
  const line = { kind: "shell", line: command } as const;
  return (await findDefinitions({ command: line, files: filesInMemory(project), root: "/work/project" }))
    .definitions;
}

/** What is there, by kind: `script scripts.test in package.json`. */
async function present(command: string, project: Project): Promise<readonly string[]> {
  const found = await definitionsOf(command, project);
  return found.filter((each) => each.digest !== null).map((each) => `${each.kind} ${nameOfDefinition(each)}`);
}

async function absent(command: string, project: Project): Promise<readonly string[]> {
  return (await definitionsOf(command, project)).filter((each) => each.digest === null).map(nameOfDefinition);
}

const nodeProject = {
  "package.json": {
    type: "module",
    scripts: { test: "node --test", lint: "eslint ." },
    dependencies: { a: "1" },
  },
  "src/total.js": "export const total = 1;",
  "test/total.test.js": "test",
  "test/helpers/data.json": "{}",
  "README.md": "test",
};

describe("a Node project", () => {
  it("by its script: the script, its test files with their data, and nothing else of package.json", async () => {
    expect(await present("npm test --silent", nodeProject)).toEqual([
      "script scripts.test in package.json",
      "test test/helpers/data.json",
      "test test/total.test.js",
    ]);
  });

  it("of mocha: the files that package.json publishes are no tests, those of its own part are", async () => {
    const project = (mocha: object): Project => ({
      "package.json": { main: "index.js", files: ["index.js"], mocha },
      "index.js": "module.exports = 1;",
      "test.js": "it('is one', () => {});",
      "more/checks.js": "it('is one', () => {});",
    });
    expect(await present("npx mocha", project({}))).not.toContain("test index.js");
    expect(await present("npx mocha", project({ spec: ["more/*.js"] }))).toContain("test more/checks.js");
  });

  it("of make: the source of a program that is named after tests is a test", async () => {
    const found = await present("make test", {
      Makefile: "test: xmltest\n\t./xmltest\n\nxmltest: xmltest.cpp lib.a\n\nlib.a: xml.o\n\tar cr $@ $^\n",
      "xmltest.cpp": "int main() { return 0; }",
      "xml.cpp": "int x;",
    });
    expect(found).toContain("test xmltest.cpp");
    expect(found).not.toContain("test xml.cpp");
  });

  it("of a script that loads them by names of its language's own", async () => {
    const found = await present("lua5.4 test/init.lua", {
      "test/init.lua": "require 'glob_test'\n",
      "test/tiny.lua": "return {}\n",
      "test/glob_test.lua": "local t = require 'tiny'\n",
      "src/glob.lua": "return {}\n",
    });
    expect(found).toEqual(["test test/glob_test.lua", "test test/init.lua", "test test/tiny.lua"]);
  });

  it.each(["t/tok.c", "specs/tok.cpp", "selftest/tok.c", "lib/parse_spec.cpp"])("%s, by its name", (path) => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each(["latest/tok.c", "unit/tok.c", "spectrum.c"])("but not %s", (path) => {
    expect(isTestPath(path)).toBe(false);
  });

  describe("of a C program that the check builds and runs", () => {
    const driver =
      '#include "ring.h"\n#define CHECK(x) if (!(x)) failed++\nint main(void) { CHECK(pop() == 1); return failed; }';
    const ring = { "ring.h": "int pop(void);", "ring.c": '#include "ring.h"\nint pop(void) { return 1; }' };
    const makefile = "check: driver\n\t./driver\ndriver: driver.o ring.o\n\t$(CC) -o $@ $^\n";
    const cases = '#include "../ring.h"\n#include "cases.h"\nint main(void) { return check(cases); }';
    const cmake = "add_executable(unit unit.cc ring.cc)\nadd_test(NAME unit COMMAND unit)\n";

    it.each<[string, string, Project, readonly string[]]>([
      [
        "linked from objects",
        "make check",
        { Makefile: makefile, "driver.c": driver, ...ring },
        ["driver.c"],
      ],
      [
        "made by the recipe's own variables",
        "make selftest",
        {
          Makefile: "selftest: out/selftest\n\t$<\nout/selftest: ring.c selftest/main.c\n\t$(CC) $^ -o $@\n",
          "selftest/main.c": cases,
          "selftest/cases.h": "int cases[] = { 1 };",
          ...ring,
        },
        ["selftest/cases.h", "selftest/main.c"],
      ],
      [
        "compiled by the command",
        "cc -o check driver.c ring.c && ./check",
        { "driver.c": driver, ...ring },
        ["driver.c"],
      ],
      [
        "linked with a library",
        "ctest",
        {
          "CMakeLists.txt":
            "add_executable(unit unit.cc)\ntarget_link_libraries(unit ring)\nadd_test(NAME unit COMMAND unit)\n",
          "unit.cc": driver,
          "include/ring.h": "",
        },
        ["unit.cc"],
      ],
      [
        "registered for ctest",
        "ctest",
        { "CMakeLists.txt": cmake, "unit.cc": driver, "ring.cc": "" },
        ["unit.cc"],
      ],
      [
        "of tests that register themselves",
        "ctest",
        { "CMakeLists.txt": cmake, "unit.cc": "TEST(Ring, Pops) { EXPECT_EQ(pop(), 1); }", "ring.cc": "" },
        ["unit.cc"],
      ],
    ])("%s: what it begins with is a test", async (_, command, project, tests) => {
      const found = (await present(command, project)).filter((each) => each.startsWith("test "));
      expect(found).toEqual(tests.map((path) => `test ${path}`));
    });

    it.each<[string, string, Project]>([
      ["told what to do", "cc -o tool driver.c ring.c && ./tool --check", { "driver.c": driver, ...ring }],
      [
        "compared with something else",
        'make tool && test "$(./tool)" = "check"',
        { "tool.c": driver, ...ring },
      ],
      ["alone", "cc -o tool tool.c && ./tool # check", { "tool.c": "int main(void) { return check(); }" }],
      [
        "whose exit code is lost",
        "cc -o tool driver.c ring.c && (./tool || true) # test",
        { "driver.c": driver, ...ring },
      ],
    ])("%s: it is the work", async (_, command, project) => {
      expect((await present(command, project)).filter((each) => each.startsWith("test "))).toEqual([]);
    });
  });

  it("says what is absent and would count", async () => {
    expect(await absent("npm test", nodeProject)).toEqual(
      expect.arrayContaining([
        ".npmrc",
        ".env",
        "scripts.pretest in package.json",
        "scripts.posttest in package.json",
      ]),
    );
  });

  it.each([
    ["npm t", "scripts.test in package.json"],
    ["npm run test -- --only", "scripts.test in package.json"],
    ["npm run --silent test", "scripts.test in package.json"],
    ["npm --prefix . test", "scripts.test in package.json"],
    ["pnpm test", "scripts.test in package.json"],
    ["yarn test", "scripts.test in package.json"],
    ["bun run test", "scripts.test in package.json"],
    ["CI=1 npm test", "scripts.test in package.json"],
    ["env CI=1 timeout 60 npm test", "scripts.test in package.json"],
    ["cd /work/project && npm test", "scripts.test in package.json"],
    ["(cd src; npm test)", "scripts.test in package.json"],
    ["bash -lc 'set -o pipefail; npm test'", "scripts.test in package.json"],
    ["if npm test; then echo ok; fi", "scripts.test in package.json"],
    ["result=$(npm test)", "scripts.test in package.json"],
  ])("%s calls the script", async (command, script) => {
    expect(await present(command, nodeProject)).toEqual(
      expect.arrayContaining([`script ${script}`, "test test/total.test.js"]),
    );
  });

  it("follows scripts that call scripts, with what runs before and after them", async () => {
    const scripts = {
      test: "npm run build && npm run -s unit",
      build: "tsc -p tsconfig.build.json",
      preunit: "node scripts/check-env.mjs",
      unit: "vitest run",
      unused: "rm -rf /",
    };
    const project = {
      "package.json": { scripts, vitest: { globals: true }, name: "x" },
      "scripts/check-env.mjs": "",
      "tsconfig.base.json": "{}",
      "tsconfig.build.json": '{ "extends": "./config/strict.json" /* more */ }',
      "config/strict.json": '{ "extends": "./base" }',
      "config/base.json": "{}",
      "vitest.config.ts":
        'export default { test: { setupFiles: ["./setup/global.ts"], include: ["checks/**/*.ts"] } };',
      "setup/global.ts": "",
      "checks/a.ts": "",
      "src/a.ts": "",
      "src/a.test.ts": "",
      "src/__snapshots__/a.test.ts.snap": "",
    };
    expect(await present("npm test", project)).toEqual([
      "script scripts.build in package.json",
      "script scripts.preunit in package.json",
      "script scripts.test in package.json",
      "script scripts.unit in package.json",
      "script scripts/check-env.mjs",
      "config config/base.json",
      "config config/strict.json",
      "config vitest in package.json",
      "config setup/global.ts",
      "config tsconfig.base.json",
      "config tsconfig.build.json",
      "config vitest.config.ts",
      "test checks/a.ts",
      "test src/__snapshots__/a.test.ts.snap",
      "test src/a.test.ts",
    ]);
  });

  it("takes no source for tests because its coverage is measured", async () => {
    const config =
      'export default { test: { coverage: { include: ["src/**", "core/**"], x: {} }, include: ["src/**/*.check.ts"] } };';
    const project = { "vitest.config.ts": config, "src/a.ts": "", "core/b.ts": "", "src/a.check.ts": "" };
    expect(await present("npx vitest run", project)).toEqual([
      "config vitest.config.ts",
      "test src/a.check.ts",
    ]);
  });

  it.each([
    ["npx vitest run", "vitest.config.mts"],
    ["pnpm exec vitest", "vite.config.ts"],
    ["npx jest --ci", "jest.config.cjs"],
    ["npx mocha", ".mocharc.yml"],
    ["npx ava", "ava.config.js"],
    ["npx playwright test", "playwright.config.ts"],
    ["npx cypress run", "cypress.config.js"],
    ["npx karma start --single-run", "karma.conf.js"],
    ["bun test", "bunfig.toml"],
    ["node --test", "node.config.json"],
    ["npx c8 node --test", ".c8rc.json"],
    ["node_modules/.bin/jest", "jest.config.ts"],
    ["./node_modules/.bin/vitest run", "vitest.config.js"],
    ["npx --no-install vitest run --config ci/vitest.mjs", "ci/vitest.mjs"],
  ])("%s is configured by %s, there or not, and runs the tests", async (command, config) => {
    const tests = { "src/a.test.ts": "" };
    expect(await absent(command, tests)).toContain(config);
    expect(await present(command, { ...tests, [config]: "" })).toEqual([
      `config ${config}`,
      "test src/a.test.ts",
    ]);
  });

  it.each([
    ["node --import ./hooks.mjs --test", "hooks.mjs"],
    ["node --require=./hooks.cjs --test", "hooks.cjs"],
    ["NODE_OPTIONS='--require ./hooks.cjs' npx jest", "hooks.cjs"],
    ["node --env-file=.env.ci --test", ".env.ci"],
  ])("%s loads %s first", async (command, file) => {
    expect(await present(command, { [file]: "x" })).toEqual([`config ${file}`]);
  });

  it("is restricted to what the command names; helpers count all the same", async () => {
    const project = { "a/one.test.js": "", "b/two.test.js": "", "test/helper.js": "", "odd.js": "" };
    expect(await present("npx vitest run a", project)).toEqual(["test a/one.test.js", "test test/helper.js"]);
    expect(await present("node --test odd.js", project)).toEqual(["test odd.js", "test test/helper.js"]);
    expect(await present("node --test 'b/*.js'", project)).toEqual([
      "test b/two.test.js",
      "test test/helper.js",
    ]);
    expect(await present("npx vitest run $FILES", project)).toContain("test b/two.test.js");
    expect(await present("npx vitest --reporter dot", project)).toContain("test b/two.test.js");
  });

  it("in a workspace: the scripts of the packages", async () => {
    const project = {
      "package.json": { scripts: { test: "npm test --workspaces" } },
      "packages/a/package.json": { scripts: { test: "vitest run" } },
      "packages/a/src/a.test.ts": "",
      "packages/b/package.json": { scripts: { test: "jest" } },
      "packages/b/b.test.js": "",
    };
    const inA = ["script scripts.test in packages/a/package.json", "test packages/a/src/a.test.ts"];
    const inB = ["script scripts.test in packages/b/package.json", "test packages/b/b.test.js"];
    expect(await present("npm test", project)).toEqual([
      "script scripts.test in package.json",
      inA[0],
      inB[0],
      inA[1],
      inB[1],
    ]);
    expect(await present("pnpm --filter a test", project)).toEqual(inA);
    expect(await present("cd packages/b && yarn test", project)).toEqual(inB);
    expect(await present("npm test -w packages/a", project)).toEqual(inA);
  });

  it("with a runner of its own: what the test script runs", async () => {
    const project = {
      "package.json": { scripts: { test: "node run.js && node src/index.js" } },
      "run.js": "",
      "src/index.js": "",
      "test/a.js": "",
    };
    expect(await present("npm test", project)).toEqual([
      "script scripts.test in package.json",
      "script run.js",
      "test test/a.js",
    ]);
  });
});

describe("tests whose names don't say so", () => {
  const test = 'it("a", () => {});';

  it.each<[string, Project, readonly string[]]>([
    [
      "npx mocha suites",
      { "suites/a.js": test, "suites/help.js": "", "a.js": "" },
      ["suites/a.js", "suites/help.js"],
    ],
    ["npx mocha proofs", { "proofs/a.js": test, "proofs/b.js": "", "a.js": test }, ["proofs/a.js"]],
    ["npx vitest run proofs", { "proofs/a.js": test }, []],
    ["npx nyc --check-coverage --lines 90 mocha proofs", { "proofs/a.js": test }, ["proofs/a.js"]],
    ["npx c8 --check-coverage --lines 90 uvu proofs", { "proofs/a.js": test }, ["proofs/a.js"]],
  ])("%s: a runner runs all of a folder", async (command, files, tests) => {
    expect(await present(command, files)).toEqual(tests.map((path) => `test ${path}`));
  });

  it.each<[object, readonly string[]]>([
    [{ roots: ["<rootDir>/mail"], testRegex: String.raw`\.examples\.ts$` }, ["mail/a.examples.ts"]],
    [{ testRegex: "/cases/.*" }, ["cases/b.ts"]],
    [{ roots: ["<rootDir>/checks"] }, ["checks/c.ts"]],
  ])("jest with %j", async (jest, tests) => {
    const files = { "mail/a.ts": "", "mail/a.examples.ts": test, "cases/b.ts": test, "checks/c.ts": test };
    const found = await present("npx jest", { ...files, "package.json": { jest } });
    expect(found.filter((each) => each.startsWith("test "))).toEqual(tests.map((path) => `test ${path}`));
  });
});

describe("a Python project", () => {
  const project = {
    "pyproject.toml":
      '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\nline-length = 1\n',
    "calc/__init__.py": "",
    "calc/total.py": "",
    "conftest.py": "",
    "tests/conftest.py": "",
    "tests/test_total.py": "",
    "tests/data/input.csv": "",
  };
  const expected = [
    "config conftest.py",
    "config [tool.pytest] in pyproject.toml",
    "config tests/conftest.py",
    "test tests/data/input.csv",
    "test tests/test_total.py",
  ];

  it.each([
    "pytest",
    "python -m pytest -q",
    "python3.12 -X dev -m pytest",
    "uv run pytest",
    "uv run --group dev python -m pytest",
    "poetry run pytest tests",
    "pytest -x tests/test_total.py::test_one",
  ])("is decided by its tests and settings with %s", async (command) => {
    expect(await present(command, project)).toEqual(expected);
  });

  it.each([
    ["pytest.ini", "pytest.ini"],
    ["[pytest] in tox.ini", "tox.ini"],
    ["[tool:pytest] in setup.cfg", "setup.cfg"],
    ["sitecustomize.py", "sitecustomize.py"],
    ["usercustomize.py", "usercustomize.py"],
    ["[tool.coverage] in pyproject.toml", "pyproject.toml"],
  ])("would be changed by %s", async (name) => {
    expect(await absent("pytest", { "test_a.py": "" })).toContain(name);
  });

  it("keeps its tests where its configuration says", async () => {
    const files = {
      "pytest.ini": "[pytest]\ntestpaths = qa\npython_files = check_*.py\n",
      "qa/a.py": "",
      "src/check_b.py": "",
      "src/b.py": "",
    };
    expect(await present("pytest", files)).toEqual([
      "config pytest.ini",
      "test qa/a.py",
      "test src/check_b.py",
    ]);
  });

  it("where the command says, with what they use there", async () => {
    const files = {
      "checks/base.py": "",
      "checks/check_a.py": "",
      "shop/cart.py": "",
      "shop/check_b.py": "",
    };
    expect(await present('python -m unittest discover -s checks -p "check_*.py" -t .', files)).toEqual([
      "test checks/base.py",
      "test checks/check_a.py",
    ]);
    expect(await present("python -m unittest discover -s shop -p 'check_*.py'", files)).toEqual([
      "test shop/check_b.py",
    ]);
  });

  it("by tox, nox, unittest and coverage", async () => {
    const tests = { "tests/test_a.py": "" };
    const tox = "[tox]\nenvlist = py\n[testenv]\ncommands =\n    pytest {posargs:tests}\n[flake8]\nx = 1\n";
    expect(await present("tox", { ...tests, "tox.ini": tox })).toEqual([
      "script [testenv] in tox.ini",
      "script [tox] in tox.ini",
      "test tests/test_a.py",
    ]);
    expect(
      await present("nox -s tests", { ...tests, "noxfile.py": 'def tests(s):\n  s.run("pytest", "-q")\n' }),
    ).toEqual(["script noxfile.py", "test tests/test_a.py"]);
    expect(await present("python -m unittest discover", tests)).toEqual(["test tests/test_a.py"]);
    expect(await present("coverage run -m pytest", { ...tests, ".coveragerc": "" })).toEqual([
      "config .coveragerc",
      "test tests/test_a.py",
    ]);
  });

  it("with doctests: by the name of what they document, and by example", async () => {
    const files = {
      "calc.py": 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n',
      "other.py": "",
    };
    expect(await present("pytest --doctest-modules", files)).toEqual([
      "inline test doc add in calc.py",
      "inline test doc add: add(1, 2) in calc.py",
    ]);
    expect(await present("pytest", files)).toEqual([]);
  });
});

describe("other languages", () => {
  it("Go: tests and data, and of go.mod what is replaced", async () => {
    const project = {
      "go.mod": "module x\n\nreplace a => ./fake\n\nrequire a v1\n",
      "a.go": "",
      "a_test.go": "",
      "testdata/x.json": "",
    };
    expect(await present("go test ./...", project)).toEqual([
      "config replacements in go.mod",
      "test a_test.go",
      "test testdata/x.json",
    ]);
  });

  it("Rust: tests in files, tests in sources by name, and of Cargo.toml what says which tests run", async () => {
    const project = {
      "Cargo.toml": '[package]\nname = "x"\n[dependencies]\na = "1"\n[[test]]\nname = "slow"\n',
      "src/lib.rs":
        "/// Adds.\n/// ```\n/// assert_eq!(1, 1);\n/// ```\npub fn add() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {}\n  #[tokio::test]\n  #[ignore]\n  async fn waits() {}\n}\n",
      "tests/slow.rs": "#[test] fn slow() {}",
    };
    expect(await present("cargo test --workspace", project)).toEqual([
      "config [test] in Cargo.toml",
      "test tests/slow.rs",
      "inline test adds in src/lib.rs",
      "inline test doc add in src/lib.rs",
      "inline test doc add: assert_eq! 1, 1 in src/lib.rs",
      "inline test waits in src/lib.rs",
    ]);
    expect(await absent("cargo test", project)).toContain(".cargo/config.toml");
  });

  it("Rust: what a module says about itself stays the same test, whatever is declared first in it", async () => {
    const of = (first: string): Project => ({
      "Cargo.toml": "[package]\n",
      "src/lib.rs": `//! Adds.\n//! \`\`\`\n//! assert!(true);\n//! \`\`\`\n\n${first}mod other;\n`,
    });
    const expected = [
      "inline test doc itself in src/lib.rs",
      "inline test doc itself: assert! true in src/lib.rs",
    ];
    expect(await present("cargo test", of(""))).toEqual(expected);
    expect(await present("cargo test", of("pub mod more;\n"))).toEqual(expected);
  });

  it("a language and a runner that nothing else is known of: tests by their names and folders", async () => {
    const ocaml = { "lib/cart.ml": "", "test/dune": "", "test/test_cart.ml": "", "lib/contest.ml": "" };
    expect(await present("dune test", ocaml)).toEqual(["test test/dune", "test test/test_cart.ml"]);
    const haskell = { "src/Cart.hs": "", "src/CartSpec.hs": "" };
    expect(await present("cabal test", haskell)).toEqual(["test src/CartSpec.hs"]);
    const r = { "R/cart.R": "", "tests/testthat/test-cart.R": "" };
    expect(await present("R CMD check .", r)).toEqual(["test tests/testthat/test-cart.R"]);
  });

  it("Perl and Lua, with the version in the interpreter's name", async () => {
    const perl = { "lib/Sum.pm": "", "t/sum.t": "", "t/data/a.txt": "", ".proverc": "-l" };
    expect(await present("prove -l t", perl)).toEqual([
      "config .proverc",
      "test t/data/a.txt",
      "test t/sum.t",
    ]);
    const lua = { "sum.lua": "", "spec/sum_spec.lua": "", "test/test.lua": "" };
    expect(await present("busted", lua)).toEqual(["test spec/sum_spec.lua", "test test/test.lua"]);
    expect(await present("lua5.4 test/test.lua", lua)).toContain("test test/test.lua");
  });

  it("Ruby", async () => {
    const project = { ".rspec": "", "spec/spec_helper.rb": "", "spec/a_spec.rb": "", "lib/a.rb": "" };
    expect(await present("bundle exec rspec", project)).toEqual([
      "config .rspec",
      "test spec/a_spec.rb",
      "test spec/spec_helper.rb",
    ]);
  });

  it("Java: of a build file only what is about tests", async () => {
    const pom =
      "<project><dependencies/><plugin><artifactId>maven-surefire-plugin</artifactId></plugin><plugin>other</plugin></project>";
    const project = { "pom.xml": pom, "src/test/java/ATest.java": "", "src/main/java/A.java": "" };
    expect(await present("./mvnw -q test", project)).toEqual([
      "config surefire plugins in pom.xml",
      "test src/test/java/ATest.java",
    ]);
  });

  it("make: the targets that are used, what they need first, and their variables", async () => {
    const makefile =
      "PYTHON ?= python3\nFLAGS = -q $(MORE)\nMORE = -x\nCC = gcc\n.PHONY: test\ntest: build ## runs\n\t@$(PYTHON) -m pytest $(FLAGS)\nbuild:\n\t./scripts/build.sh\ndeploy:\n\trm -rf /\n";
    const project = { Makefile: makefile, "scripts/build.sh": "true", "tests/test_a.py": "" };
    expect(await present("make -s test", project)).toEqual([
      "script target build in Makefile",
      "script target test in Makefile",
      "script variable FLAGS in Makefile",
      "script variable MORE in Makefile",
      "script variable PYTHON in Makefile",
      "script scripts/build.sh",
      "test tests/test_a.py",
    ]);
    expect(await absent("make test", project)).toEqual(
      expect.arrayContaining(["GNUmakefile", "variable SHELL in Makefile", "target .IGNORE in Makefile"]),
    );
  });

  it("just and task", async () => {
    const tests = { "a_test.go": "" };
    expect(
      await present("just test", { ...tests, justfile: "test:\n    go test ./...\nother:\n    false\n" }),
    ).toEqual(["script target test in justfile", "test a_test.go"]);
    expect(
      await present("task test", {
        ...tests,
        "Taskfile.yml": "tasks:\n  test:\n    cmds:\n      - go test ./...\n",
      }),
    ).toEqual(["script Taskfile.yml", "test a_test.go"]);
  });
});

describe("checks of the source", () => {
  const files = { "src/a.ts": "", "src/a.test.ts": "", "tests/test_a.py": "" };
  it.each([
    ["npx eslint .", "eslint.config.js"],
    ["npx oxlint", ".oxlintrc.json"],
    ["npx biome check", "biome.json"],
    ["npx prettier --check .", ".prettierrc"],
    ["npx tsc --noEmit", "tsconfig.json"],
    ["ruff check .", "ruff.toml"],
    ["mypy .", "mypy.ini"],
    ["cargo clippy -- -D warnings", "clippy.toml"],
    ["go vet ./...", "go.work"],
  ])("%s rests on %s alone", async (command, config) => {
    expect(await present(command, { ...files, [config]: "{}" })).toEqual([`config ${config}`]);
  });

  it.each(["node --check src/a.js", "node -c src/a.js"])("%s rests on no test", async (command) => {
    expect(await present(command, { ...files, "src/a.js": "", "test/a.test.js": "" })).toEqual([]);
  });

  it("by a script that is called check", async () => {
    const project = {
      ...files,
      "package.json": { scripts: { check: "eslint . && tsc --noEmit" } },
      "tsconfig.json": "{}",
    };
    expect(await present("npm run check", project)).toEqual([
      "script scripts.check in package.json",
      "config tsconfig.json",
    ]);
  });
});

describe("commands that nobody knows", () => {
  const project = {
    "verify.py": "",
    "app.py": "",
    "README.md": "",
    "tests/test_a.py": "",
    "scripts/smoke.sh": "#!/bin/sh\ncurl x\n",
  };
  it.each([
    ["./scripts/smoke.sh", ["script scripts/smoke.sh"]],
    ["sh scripts/smoke.sh", ["script scripts/smoke.sh"]],
    ["python app.py", []],
    ["grep -q done README.md", []],
    ["test -f README.md", []],
    ["./bin/unknown --all", []],
    ['node "$root/scripts/check.mjs"', ["test tests/test_a.py"]],
    ["bazel test //...", ["test tests/test_a.py"]],
    ["docker compose run app run-tests", ["test tests/test_a.py"]],
    ["", []],
  ])("are decided by the files that they name: %s", async (command, expected) => {
    expect(await present(command, project)).toEqual(expected);
  });

  it("a file that judges by its name is locked, a file that is the work is not", async () => {
    expect(await present("python verify.py", project)).toContain("script verify.py");
    expect(await present("node src/check.js", { "src/check.js": "" })).toContain("script src/check.js");
  });
});

describe("bounds", () => {
  it("keeps the most that it is told to, and says how many were left out", async () => {
    const files = filesInMemory(
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}.test.js`, ""])),
    );
    const meaning = await findDefinitions({ command: { kind: "argv", argv: ["vitest"] }, files, most: 60 });
    expect(meaning.definitions).toHaveLength(60);
    expect(meaning.leftOut).toBeGreaterThan(0);
  });

  it("ends with scripts that call each other", async () => {
    const project = {
      "package.json": { scripts: { test: "npm run b", b: "npm test && sh x.sh" } },
      "x.sh": "sh x.sh; make a",
      Makefile: "a: b\n\tmake b\nb: a\n\tmake a\n",
    };
    expect(await present("npm test", project)).toContain("script scripts.b in package.json");
  });

  it("takes a file that is too large to be read by part as a whole", async () => {
    const files = {
      ...filesInMemory({}),
      read: async () => null,
      digest: async (path: string) => `digest of ${path}`,
    };
    const { definitions } = await findDefinitions({
      command: { kind: "argv", argv: ["npm", "test"] },
      files,
    });
    expect(definitions).toContainEqual({
      kind: "script",
      path: "package.json",
      part: "scripts.test",
      digest: "digest of package.json",
    });
  });

  it("is the same whatever the order of the files", async () => {
    const reversed = Object.fromEntries(Object.entries(nodeProject).toReversed());
    expect(await definitionsOf("npm test", reversed)).toEqual(await definitionsOf("npm test", nodeProject));
  });
});

describe("the work that something else compares", () => {
  it.each([
    ['test "$(node calc.js 1 2)" = 3', { "calc.js": "" }],
    ['[ "$(python3 calc.py 1 2)" = 3 ]', { "calc.py": "" }],
    [`sh -c 'test "$(node calc.js)" = 3'`, { "calc.js": "" }],
    ["sh backup.sh --dry-run | grep -q 'would copy'", { "backup.sh": "cp a b" }],
    ["timeout 5 ./backup.sh | sort | grep -q 'would test'", { "backup.sh": "#!/bin/sh\ncp a b" }],
    ["out=$(bash calc.sh 1 2) && [ $out = 3 ]", { "calc.sh": "echo 3" }],
    ["sh build.sh > log && test -f out.js", { "build.sh": "cp a b" }],
    ['got=$(echo 1 2 | ./add.sh)\nif [ "$got" != 3 ]; then exit 1; fi', { "add.sh": "echo 3" }],
    ["got=$(sh add.sh)\nlast=${got##* }\nif [[ $last != 3 ]]; then exit 1; fi", { "add.sh": "echo 3" }],
    ['case "$(python3 add.py 1 2)" in 3) ;; *) exit 1 ;; esac', { "add.py": "" }],
    ['is3() { [ "$1" = 3 ] || exit 1; }\nis3 "$(node add.js)"', { "add.js": "" }],
    ['. ./lib.sh\nlocal got="$(sh add.sh)"\nassert_equal 3 "$got"', { "add.sh": "echo 3" }],
    ["sh add.sh > out\nif ! cmp -s out want; then exit 1; fi", { "add.sh": "echo 3" }],
  ])("decides nothing in %s", async (command, project) => {
    expect(await present(command, project)).toEqual([]);
  });

  it("in a recipe", async () => {
    const project = { Makefile: 'test:\n\ttest "$$(sh calc.sh)" = 3\n', "calc.sh": "echo 3" };
    expect(await present("make test", project)).toEqual(["script target test in Makefile"]);
  });

  it.each([
    ["sh check.sh", "check.sh"],
    ["./verify.sh", "verify.sh"],
    ["bash scripts/ci.sh", "scripts/ci.sh"],
    ["sh run.sh", "run.sh"],
    ["sh run.sh && echo fine", "run.sh"],
    ["sh check.sh | grep -q passed", "check.sh"],
    ["sh all.sh | grep -q passed", "all.sh"],
    ["out=$(sh all.sh) || exit 1; echo $out", "all.sh"],
    ['out=$(sh all.sh); code=$?; [ -n "$CI" ] && echo "$out"; exit $code', "all.sh"],
    ["npm test -- $(sh packages.sh)", "packages.sh"],
  ])("is not the script that judges: %s", async (command, script) => {
    expect(await present(command, { [script]: "npx eslint ." })).toEqual([`script ${script}`]);
  });

  it("is a source that is loaded before the tests which call it, and not what sets them up", async () => {
    const files = {
      "src/cart.php": "<?php\nfunction total($price) {}\n",
      "src/bootstrap.php": "<?php\nfunction total($price) {}\n",
      "other.php": "<?php\nerror_reporting(0);\n",
      "tests/CartTest.php": "<?php\n$this->assertSame(1, total(1));\n",
    };
    const loading = async (path: string): Promise<readonly string[]> =>
      present(`phpunit --bootstrap ${path} tests`, files);
    expect(await loading("src/cart.php")).toEqual(["test tests/CartTest.php"]);
    expect(await loading("src/bootstrap.php")).toContain("test src/bootstrap.php");
    expect(await loading("other.php")).toContain("test other.php");
  });

  it("is a file with doctests, by its doctests", async () => {
    const files = { "cart.py": 'def add():\n    """\n    >>> add()\n    """\n', "README.txt": ">>> 1\n1\n" };
    for (const command of ["python3 -m doctest cart.py", "pytest --doctest-modules cart.py"]) {
      const found = await present(command, files);
      expect(found).toContain("inline test doc add in cart.py");
      expect(found).not.toContain("test cart.py");
    }
    expect(await present("python3 -m doctest README.txt", files)).toContain("test README.txt");
    expect(await present("pytest --doctest-modules odd.py", { "odd.py": "def test_a(): pass" })).toEqual([
      "test odd.py",
    ]);
  });
});
