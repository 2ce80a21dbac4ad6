import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { filesAt } from "./project-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-meaning-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("the reader of a project's files reads and digests files, also those that are not listed", async () => {
  writeFileSync(join(root, ".npmrc"), "a");
  const files = filesAt(root, []);
  expect(await files.read(".npmrc")).toBe("a");
  const before = await files.digest(".npmrc");
  chmodSync(join(root, ".npmrc"), 0o755);
  expect(await files.digest(".npmrc")).not.toBe(before);
});

it("believes the digests that the caller has", async () => {
  writeFileSync(join(root, "a"), "a");
  expect(await filesAt(root, ["a"], new Map([["a", "known"]])).digest("a")).toBe("known");
});

it("digests what is too large to be read", async () => {
  writeFileSync(join(root, "large.json"), "x".repeat(2 * 1024 * 1024));
  const files = filesAt(root, ["large.json"]);
  expect(await files.read("large.json")).toBeNull();
  expect(await files.digest("large.json")).toMatch(/^[0-9a-f]{64}$/);
});

it.skipIf(process.platform === "win32")("knows what is missing, a folder, a pipe or a link", async () => {
  mkdirSync(join(root, "folder"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  symlinkSync("nowhere", join(root, "link"));
  const files = filesAt(root, []);
  for (const path of ["missing", "folder", "pipe"]) {
    expect(await files.read(path)).toBeNull();
    expect(await files.digest(path)).toBeNull();
  }
  expect(await files.digest("link")).toMatch(/^[0-9a-f]{64}$/);
});
