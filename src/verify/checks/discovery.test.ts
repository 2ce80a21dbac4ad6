import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOnPath } from "../../system/files/find-on-path.ts";
import { discoverChecks, type Discovery } from "./discovery.ts";

type Files = Readonly<Record<string, string | object>>;

let root: string;
/** The one folder on PATH. */
let programs: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-discovery-"));
  root = join(folder, "project");
  programs = join(folder, "programs");
  mkdirSync(root);
  mkdirSync(programs);
});
afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

const ALL = [
  ..."node npm npx pnpm yarn bun bunx uv poetry python3 python pytest ruff mypy make go x".split(" "),
  ..."cargo cargo-clippy cargo-fmt vitest eslint tsc prettier".split(" "),
];

function write(files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, typeof content === "string" ? content : JSON.stringify(content));
    if (/bin\//.test(path)) chmodSync(whole, 0o755);
  }
}

function install(names: readonly string[]): NodeJS.ProcessEnv {
  for (const name of names) {
    writeFileSync(join(programs, name), "#!/bin/sh\n");
    chmodSync(join(programs, name), 0o755);
  }
  return { PATH: programs, HOME: dirname(root) };
}

/** A sample project, with these programs on PATH. */
async function discovery(files: Files, installed: readonly string[] = ALL): Promise<Discovery> {
  write(files);
  return discoverChecks(root, install(installed));
}

/** What is proposed for it. */
async function discover(files: Files): Promise<Discovery["checks"]> {
  return (await discovery(files)).checks;
}

async function commands(files: Files, installed: readonly string[] = ALL): Promise<Record<string, string>> {
  const { checks } = await discovery(files, installed);
  return Object.fromEntries(checks.map((check) => [check.name, check.command]));
}

async function obstacles(files: Files, installed: readonly string[]): Promise<readonly (string | null)[]> {
  const { checks, obstructed } = await discovery(files, installed);
  expect(checks).toEqual([]);
  return obstructed.map(({ obstacle }) => obstacle);
}

describe("a Node project", () => {
  const scripts = {
    test: "vitest run",
    lint: "eslint .",
    "type-check": "tsc --noEmit",
    build: "tsc",
    "format:check": "prettier --check .",
    check: "npm run lint",
    deploy: "rm -rf /",
  };

  it("has its scripts as checks, with their source", async () => {
    expect(await discover({ "package.json": { scripts } })).toEqual([
      { name: "tests pass", command: "npm run test", source: "package.json script test" },
      { name: "lint clean", command: "npm run lint", source: "package.json script lint" },
      { name: "no type errors", command: "npm run type-check", source: "package.json script type-check" },
      { name: "build succeeds", command: "npm run build", source: "package.json script build" },
      { name: "format clean", command: "npm run format:check", source: "package.json script format:check" },
      { name: "project check passes", command: "npm run check", source: "package.json script check" },
    ]);
  });

  it.each([
    ["package-lock.json", "npm run test"],
    ["pnpm-lock.yaml", "pnpm run test"],
    ["yarn.lock", "yarn run test"],
    ["bun.lock", "bun run test"],
    ["bun.lockb", "bun run test"],
  ])("with %s is checked by %s", async (lockFile, command) => {
    const found = await commands({ "package.json": { scripts: { test: "x" } }, [lockFile]: "" });
    expect(found).toEqual({ "tests pass": command });
  });

  it("names its package manager itself", async () => {
    const manifest = { packageManager: "pnpm@9.1.0", scripts: { test: "x" } };
    expect(await commands({ "package.json": manifest, "yarn.lock": "" })).toEqual({
      "tests pass": "pnpm run test",
    });
  });

  it("puts nothing of its package manager field into a command", async () => {
    const manifest = { packageManager: "npm; touch canary #@1", scripts: { test: "x" } };
    expect(await commands({ "package.json": manifest })).toEqual({ "tests pass": "npm run test" });
  });

  it.each([
    ["npm's placeholder", 'echo "Error: no test specified" && exit 1'],
    ["a watcher", "jest --watch"],
    ["an empty script", " "],
    ["no text", 1],
  ])("has no test in %s", async (_name, test) => {
    expect(await discover({ "package.json": { scripts: { test } } })).toEqual([]);
  });

  it("is type checked by its compiler where no script does it", async () => {
    const manifest = { devDependencies: { typescript: "5" } };
    const files = { "package.json": manifest, "tsconfig.json": "{}", "node_modules/.bin/tsc": "" };
    expect(await discover(files)).toEqual([
      { name: "no type errors", command: "npx --no-install tsc --noEmit", source: "tsconfig.json" },
    ]);
  });
});

/** A virtual environment with these programs. */
function venv(...names: readonly string[]): Files {
  return Object.fromEntries(["python", ...names].map((name) => [`.venv/bin/${name}`, "#!/bin/sh\n"]));
}

describe("a Python project", () => {
  const python = process.platform === "win32" ? "python" : "python3";

  it.each([
    ["pyproject.toml [tool.pytest]", { "pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['t']\n" }],
    ["pytest.ini", { "pytest.ini": "[pytest]\n" }],
    ["tox.ini [pytest]", { "tox.ini": "[tox]\n[pytest]\n" }],
    ["setup.cfg [tool:pytest]", { "setup.cfg": "[metadata]\n[tool:pytest]\n" }],
    ["tests/test_one.py", { "tests/test_one.py": "", "tests/conftest.py": "" }],
    ["one_test.py", { "one_test.py": "" }],
  ])("is tested because of %s", async (source, files) => {
    expect(await discover(files)).toEqual([{ name: "tests pass", command: `${python} -m pytest`, source }]);
  });

  it("is linted and type checked when it is set up for that, in its own environment", async () => {
    const files = {
      "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n",
      "uv.lock": "",
      "tests/test_a.py": "",
      ...venv("pytest", "ruff", "mypy"),
    };
    expect(await commands(files)).toEqual({
      "tests pass": "uv run python -m pytest",
      "lint clean": "uv run ruff check .",
      "no type errors": "uv run mypy .",
    });
  });

  it("has no checks without any of it", async () => {
    const files = { "pyproject.toml": "[project]\nname = 'tool.pytest'\n", "tests/data.py": "" };
    expect(await discover(files)).toEqual([]);
  });
});

describe("what is not installed is not proposed", () => {
  it.each([
    ["a script's program", "vitest run", "vitest"],
    ["one behind variables and others", "CI=1 cross-env A=b true && vitest", "cross-env"],
    ["the second of two", "x --all && vitest run", "vitest"],
    ["one that npx would download", "npx vitest", "vitest"],
    ["one of a script that it calls", "npm run unit", "vitest"],
    ["a file of the project", "./bin/test.sh", "./bin/test.sh"],
  ])("%s", async (_name, test, missing) => {
    const manifest = { scripts: { test, unit: "vitest" } };
    expect(await obstacles({ "package.json": manifest }, ["node", "npm", "npx", "x"])).toEqual([
      `Run npm install first: package.json script test needs ${missing}.`,
    ]);
  });

  it("but a program that its packages brought is, here or above", async () => {
    const manifest = { scripts: { pretest: "tsc", test: "vitest run -t 'a; b'" } };
    const files = {
      "package.json": manifest,
      "node_modules/.bin/tsc": "",
      "../node_modules/.bin/vitest": "",
    };
    expect(await commands(files, ["npm"])).toEqual({ "tests pass": "npm run test" });
  });

  it("and one that only a shell could name is believed", async () => {
    const manifest = { scripts: { test: '"$RUNNER" --all; for f in a b; do node "$f"; done' } };
    expect(await commands({ "package.json": manifest }, ["npm", "node"])).toEqual({
      "tests pass": "npm run test",
    });
  });

  it("a script that calls itself ends the look", async () => {
    const manifest = { scripts: { test: "npm run test" } };
    expect(await commands({ "package.json": manifest }, ["npm"])).toEqual({ "tests pass": "npm run test" });
  });

  it.each<[string, Files, readonly string[], string]>([
    [
      "its package manager",
      { "package.json": { scripts: { test: "node ." } }, "pnpm-lock.yaml": "" },
      ["node", "npm"],
      "package.json needs pnpm, which is not installed.",
    ],
    ["pytest", { "pytest.ini": "" }, ["python3"], "pytest.ini needs pytest, which is not installed."],
    [
      "uv",
      { "pytest.ini": "", "uv.lock": "", ...venv("pytest") },
      ["pytest"],
      "uv.lock needs uv, which is not installed.",
    ],
    [
      "what uv would fetch",
      { "pytest.ini": "", "uv.lock": "" },
      ["uv"],
      "Run uv sync first: pytest.ini needs pytest.",
    ],
    [
      "what poetry would fetch",
      { "pyproject.toml": '[project]\nname = "Shop"\n[tool.mypy]\n', "poetry.lock": "" },
      ["poetry"],
      "Run poetry install first: pyproject.toml [tool.mypy] needs mypy.",
    ],
    ["cargo", { "Cargo.toml": "[package]\n" }, ["go"], "Cargo.toml needs cargo, which is not installed."],
    ["make", { Makefile: "test:\n\ttrue\n" }, [], "Makefile target test needs make, which is not installed."],
    [
      "what a recipe calls",
      { Makefile: "test: deps\n\t@pytest -q\n" },
      ["make"],
      "Makefile target test needs pytest, which is not installed.",
    ],
  ])("%s", async (_name, files, installed, obstacle) => {
    expect(await obstacles(files, installed)).toEqual([obstacle]);
  });

  it("go: neither of its checks", async () => {
    const obstacle = "go.mod needs go, which is not installed.";
    expect(await obstacles({ "go.mod": "module x\n" }, ["make"])).toEqual([obstacle, obstacle]);
  });

  it("a make target steps in for a tool that is not there", async () => {
    const files = { "go.mod": "module x\n", Makefile: "test:\n\tdocker/test.sh\n" };
    expect(await commands(files, ["make"])).toEqual({ "tests pass": "make test" });
  });

  it.each<[string, Files, string]>([
    ["beside the sources", { "test_cart.py": "import unittest\n" }, "python3 -m unittest"],
    [
      "in a folder",
      { "tests/test_cart.py": "from unittest import TestCase\n" },
      "python3 -m unittest discover -s tests",
    ],
    [
      "in a package",
      { "tests/__init__.py": "", "tests/test_cart.py": "import unittest\n" },
      "python3 -m unittest discover -s tests -t .",
    ],
    [
      "by other names",
      { "cart_test.py": "import unittest\n" },
      'python3 -m unittest discover -p "*_test.py"',
    ],
    [
      "with a Python of their own",
      { "test_cart.py": "import unittest\n", ...venv() },
      ".venv/bin/python -m unittest",
    ],
  ])("tests of Python's own kind need no pytest: %s", async (_name, files, command) => {
    if (process.platform === "win32") return;
    expect(await commands(files, ["python3"])).toEqual({ "tests pass": command });
  });

  it("tests that use pytest need it, whatever else they use", async () => {
    const files = { "test_cart.py": "import unittest\nimport pytest\n" };
    expect(await obstacles(files, ["python3"])).toEqual([
      "test_cart.py needs pytest, which is not installed.",
    ]);
  });

  it("a recipe's own PATH is believed", async () => {
    const files = { Makefile: "export PATH := $(PWD)/tools:$(PATH)\ntest:\n\tpytest\n" };
    expect(await commands(files, ["make"])).toEqual({ "tests pass": "make test" });
  });
});

describe("the project's own settings", () => {
  it("its own virtual environment is called, whatever is on PATH", async () => {
    const files = {
      "pyproject.toml": "[tool.pytest]\n[tool.ruff]\n[tool.mypy]\n",
      ...venv("pytest", "ruff", "mypy"),
    };
    expect(await commands(files)).toEqual({
      "tests pass": ".venv/bin/python -m pytest",
      "lint clean": ".venv/bin/ruff check .",
      "no type errors": ".venv/bin/mypy .",
    });
  });

  it("poetry's environments are found where it keeps them", async () => {
    const files = {
      "pyproject.toml": '[tool.poetry]\nname = "Shop"\n[tool.pytest.ini_options]\n',
      "poetry.lock": "",
      "../.cache/pypoetry/virtualenvs/shop-Ab1_2-py3.12/bin/pytest": "",
    };
    const expected = process.platform === "linux" ? { "tests pass": "poetry run python -m pytest" } : {};
    expect(await commands(files, ["poetry"])).toEqual(expected);
  });

  it("a pytest that is none of the interpreter's modules is called by its name", async () => {
    const elsewhere = join(dirname(root), "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "pytest"), "");
    chmodSync(join(elsewhere, "pytest"), 0o755);
    write({ "pytest.ini": "" });
    const env = install(["python3", "python"]);
    const { checks } = await discoverChecks(root, { ...env, PATH: `${programs}${delimiter}${elsewhere}` });
    expect(checks).toMatchObject([{ command: "pytest" }]);
  });

  it.each<[string, Files, string]>([
    ["files of pyproject.toml", { "pyproject.toml": '[tool.mypy]\nfiles = ["shop"]\n' }, "mypy"],
    ["files of mypy.ini", { "mypy.ini": "[mypy]\nfiles = shop\n" }, "mypy"],
    ["packages of setup.cfg", { "setup.cfg": "[mypy]\npackages: shop\n" }, "mypy"],
    ["files of another section", { "mypy.ini": "[mypy]\nstrict = true\n[mypy-x]\nfiles = no\n" }, "mypy ."],
    ["none, but a folder src", { "mypy.ini": "[mypy]\n", "src/a.py": "" }, "mypy src"],
  ])("mypy looks at %s", async (_name, files, command) => {
    expect(await commands(files)).toEqual({ "no type errors": command });
  });

  it.each<[string, Files, string]>([
    ["pyproject.toml", { "pyproject.toml": "[tool.ruff]\nfix = true\n" }, "ruff check --no-fix ."],
    ["ruff.toml", { "ruff.toml": "fix = true # always\n[lint]\n" }, "ruff check --no-fix ."],
    ["ruff.toml, of formats", { "ruff.toml": "fix = false\n[lint]\nfix = true\n" }, "ruff check ."],
  ])("ruff mends nothing, whatever %s says", async (_name, files, command) => {
    expect(await commands(files)).toEqual({ "lint clean": command });
  });

  it.each<[string, string, string | undefined]>([
    ["a program of the packages", "eslint . --fix", "npx --no-install eslint ."],
    ["a program on PATH", "ruff check --fix src", "ruff check src"],
    ["another flag", "eslint . --fix-dry-run", "npm run lint"],
    ["several programs", "eslint --fix . && x", undefined],
    ["what has no other way", "prettier --write .", undefined],
  ])("a script that mends: %s", async (_name, lint, command) => {
    const files = { "package.json": { scripts: { lint } }, "node_modules/.bin/eslint": "" };
    expect((await commands(files))["lint clean"]).toBe(command);
  });

  it("a make target that mends is no check", async () => {
    expect(await commands({ Makefile: "lint:\n\truff check --fix .\n" })).toEqual({});
  });
});

describe.skipIf(process.platform === "win32")("every line runs as it stands, from the folder", () => {
  /** The real ones, alone on PATH. */
  function installReal(...names: readonly string[]): NodeJS.ProcessEnv {
    for (const name of names) {
      const found = name === "node" ? process.execPath : findOnPath(name, process.env);
      if (found !== null) symlinkSync(found, join(programs, name));
    }
    return { PATH: programs, HOME: dirname(root) };
  }

  it.each<[string, Files, readonly string[], readonly string[]]>([
    [
      "npm",
      {
        "package.json": { scripts: { test: "node --version", lint: "mend --fix ." } },
        "node_modules/.bin/mend": '#!/bin/sh\n[ "$*" = . ]\n',
      },
      ["node", "npm", "npx", "sh"],
      ["npm run test", "npx --no-install mend ."],
    ],
    [
      "a virtual environment",
      { "pytest.ini": "", "ruff.toml": "", ...venv("pytest", "ruff") },
      ["sh"],
      [".venv/bin/python -m pytest", ".venv/bin/ruff check ."],
    ],
    [
      "make",
      { Makefile: "test:\n\t@sh -c true\ncheck: test\n" },
      ["make", "sh"],
      ["make test", "make check"],
    ],
  ])("%s", async (_name, files, names, lines) => {
    write(files);
    const env = installReal(...names);
    const { checks } = await discoverChecks(root, env);
    expect(checks.map(({ command }) => command)).toEqual(lines);
    for (const line of lines) {
      const ran = spawnSync("/bin/sh", ["-c", line], { cwd: root, env, encoding: "utf8" });
      expect({ line, status: ran.status }).toEqual({ line, status: 0 });
    }
  });
});

describe("projects of other kinds", () => {
  it("Rust: tests, and clippy and rustfmt where they are configured", async () => {
    expect(await commands({ "Cargo.toml": '[package]\nname = "x"\n' })).toEqual({
      "tests pass": "cargo test",
    });
    const files = {
      "Cargo.toml": "[workspace]\n[workspace.lints.clippy]\nall = 'deny'\n",
      "rustfmt.toml": "",
    };
    expect(await commands(files)).toEqual({
      "tests pass": "cargo test --workspace",
      "lint clean": "cargo clippy --workspace --all-targets -- -D warnings",
      "format clean": "cargo fmt --all --check",
    });
  });

  it("Go: tests and vet", async () => {
    expect(await commands({ "go.mod": "module example.com/x\n\ngo 1.22\n" })).toEqual({
      "tests pass": "go test ./...",
      "lint clean": "go vet ./...",
    });
  });

  it("make: the targets that are rules", async () => {
    const makefile = "build := out\nlint = x\n.PHONY: test check\ntest check: deps\n\tbuild: no\n# lint:\n";
    expect(await discover({ Makefile: makefile })).toEqual([
      { name: "tests pass", command: "make test", source: "Makefile target test" },
      { name: "project check passes", command: "make check", source: "Makefile target check" },
    ]);
  });

  it("several kinds: a name of its own for each, and make only for what is left", async () => {
    const files = {
      "package.json": { scripts: { test: "x" } },
      "go.mod": "module x\n",
      Makefile: "test:\nbuild:\n",
    };
    expect(await commands(files)).toEqual({
      "tests pass": "npm run test",
      "tests pass (go test ./...)": "go test ./...",
      "lint clean": "go vet ./...",
      "build succeeds": "make build",
    });
  });
});

describe("what cannot be read", () => {
  it.each([
    ["an empty folder", {}],
    ["broken JSON", { "package.json": '{ "scripts": { "test": ' }],
    ["JSON of another shape", { "package.json": [1] }],
    ["scripts of another shape", { "package.json": { scripts: ["test"] } }],
    ["inherited names", { "package.json": '{ "scripts": { "__proto__": { "test": "x" } } }' }],
    ["a file of more than 1 MB", { "package.json": { scripts: { test: "x" }, pad: "x".repeat(1 << 20) } }],
    ["bytes", { Makefile: "\0\u0001", "Cargo.toml": "\0", "go.mod": "\uFFFD", "setup.cfg": "[" }],
    ["folders instead of files", { "package.json/x": "", "Makefile/x": "", "go.mod/x": "" }],
  ])("gives no proposals: %s", async (_name, files) => {
    expect(await discover(files)).toEqual([]);
  });

  it("gives no proposals: a folder that does not exist", async () => {
    expect((await discoverChecks(join(root, "missing"), install(ALL))).checks).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
    execFileSync("mkfifo", [join(root, "package.json")]);
    expect(await discover({})).toEqual([]);
  });
});
