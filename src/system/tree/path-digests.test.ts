import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changedPaths, combinedDigest, pathDigests } from "./path-digests.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-paths-"));
  root = join(folder, "project");
  for (const path of [
    "src/a.ts",
    "src/deep/b.ts",
    "src/deep/.hidden",
    "src/deep/.git/config",
    "src/[x]/c.ts",
    "tests/one.test.ts",
    "tests-old/two.test.ts",
    "ignored/made.js",
    ".loop/state.json",
    ".git/config",
    "README.md",
  ]) {
    write(path, path);
  }
  write(".gitignore", "ignored/\n");
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/secret.ts"), "outside");
  symlinkSync(join(folder, "outside"), join(root, "src/out"));
  symlinkSync("../tests", join(root, "src/in"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

async function paths(...globs: string[]): Promise<string[]> {
  return Object.keys(await pathDigests({ root, globs }));
}

describe("the paths of a glob", () => {
  const inSource = ["src/[x]/c.ts", "src/a.ts", "src/deep/.hidden", "src/deep/b.ts", "src/in", "src/out"];
  it.each([
    ["src/**", inSource],
    ["src", inSource],
    ["src/", inSource],
    ["./src//", inSource],
    ["src/*/", ["src/[x]/c.ts", "src/deep/.hidden", "src/deep/b.ts"]],
    ["src/*", ["src/a.ts", "src/in", "src/out"]],
    ["**/*.test.ts", ["tests-old/two.test.ts", "tests/one.test.ts"]],
    ["{README,LICENSE}.md", ["README.md"]],
    ["README.md", ["README.md"]],
    ["ignored/**", ["ignored/made.js"]],
    ["tests", ["tests/one.test.ts"]],
    [String.raw`src/\[x\]/*.ts`, ["src/[x]/c.ts"]],
    ["missing/**", []],
    [".loop/**", []],
    [".git/**", []],
    ["src/out/**", ["src/out"]],
    ["src/out/*.ts", ["src/out"]],
    ["src/in/**", ["src/in", "src/in/one.test.ts"]],
  ])("are those that %s stands for", async (glob, expected) => {
    expect(await paths(glob)).toEqual(expected);
  });

  it("are everything but git's and our own folders for a dot", async () => {
    const all = await paths(".");
    expect(all).toContain(".gitignore");
    expect(all).toContain("README.md");
    expect(all.filter((path) => /\.git\/|^\.loop|outside|secret/.test(path))).toEqual([]);
  });

  it("are collected once from several globs", async () => {
    expect(await paths("README.md", "*.md", "tests")).toEqual(["README.md", "tests/one.test.ts"]);
  });

  it.each(["../outside/**", "src/../../outside", "/etc/passwd", "", "!src/**", "./"])(
    "%j is refused",
    async (glob) => {
      await expect(pathDigests({ root, globs: [glob] })).rejects.toThrow(/"/);
    },
  );

  it("do not wait for a pipe", async () => {
    execFileSync("mkfifo", [join(root, "tests/pipe")]);
    expect(await paths("tests", "tests/pipe")).toEqual(["tests/one.test.ts"]);
  });
});

describe("changedPaths", () => {
  it("tells added, changed and removed files", async () => {
    const before = await pathDigests({ root, globs: ["src"] });
    write("src/new.ts", "new");
    write("src/a.ts", "changed");
    chmodSync(join(root, "src/deep/b.ts"), 0o755);
    rmSync(join(root, "src/deep/.hidden"));
    rmSync(join(root, "src/in"));
    symlinkSync("../tests-old", join(root, "src/in"));
    const after = await pathDigests({ root, globs: ["src"] });
    expect(changedPaths(before, after)).toEqual([
      { path: "src/a.ts", change: "changed" },
      { path: "src/deep/.hidden", change: "removed" },
      { path: "src/deep/b.ts", change: "changed" },
      { path: "src/in", change: "changed" },
      { path: "src/new.ts", change: "added" },
    ]);
  });

  it("is empty for what stayed the same", async () => {
    const before = await pathDigests({ root, globs: ["."] });
    expect(changedPaths(before, await pathDigests({ root, globs: ["."] }))).toEqual([]);
  });

  it("sees files that are named like what every object has", async () => {
    write("odd/__proto__", "x");
    write("odd/constructor", "x");
    const before = await pathDigests({ root, globs: ["odd/*"] });
    expect(changedPaths({}, before)).toHaveLength(2);
    expect(
      changedPaths(
        {},
        Object.fromEntries([
          ["constructor", "1"],
          ["__proto__", "2"],
        ]),
      ),
    ).toHaveLength(2);
  });
});

describe("combinedDigest", () => {
  it("does not depend on the order", () => {
    expect(combinedDigest({ a: "1", b: "2" })).toBe(combinedDigest({ b: "2", a: "1" }));
  });

  it.each([{ a: "1" }, { a: "1", b: "3" }, { a: "1", c: "2" }, {}])("differs for %j", (other) => {
    expect(combinedDigest(other)).not.toBe(combinedDigest({ a: "1", b: "2" }));
  });
});
