import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverChecks } from "./discovery.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-discovery-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A sample project; returns what is proposed for it. */
async function discover(files: Readonly<Record<string, string | object>>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return discoverChecks(root);
}

async function commands(files: Readonly<Record<string, string | object>>): Promise<Record<string, string>> {
  return Object.fromEntries((await discover(files)).map((check) => [check.name, check.command]));
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
    expect(await discover({ "package.json": manifest, "tsconfig.json": "{}" })).toEqual([
      { name: "no type errors", command: "npx --no-install tsc --noEmit", source: "tsconfig.json" },
    ]);
  });
});

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
    const files = { "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n", "uv.lock": "", "tests/test_a.py": "" };
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
    expect(await discoverChecks(join(root, "missing"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("does not wait for a pipe", async () => {
    execFileSync("mkfifo", [join(root, "package.json")]);
    expect(await discover({})).toEqual([]);
  });
});
