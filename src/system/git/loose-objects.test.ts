import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readLooseCommit, readLooseObject } from "./loose-objects.ts";

let root: string;
let objects: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-loose-"));
  objects = join(root, ".git/objects");
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function fileOf(id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2));
}

function put(id: string, whole: string | Buffer): void {
  mkdirSync(join(objects, id.slice(0, 2)), { recursive: true });
  writeFileSync(fileOf(id), deflateSync(whole));
}

it("a loose object is read as git has it", () => {
  const head = git("rev-parse", "HEAD");
  expect(readLooseCommit(objects, head)?.toString()).toBe(
    execFileSync("git", ["cat-file", "commit", head], { cwd: root, encoding: "utf8" }),
  );
  const tree = git("rev-parse", "HEAD^{tree}");
  expect(readLooseObject(objects, tree)).toMatchObject({ type: "tree" });
  expect(readLooseCommit(objects, tree)).toBeNull();
});

it("a repository that names its objects with sha256 is read, too", () => {
  rmSync(join(root, ".git"), { recursive: true });
  git("init", "-q", "--object-format=sha256");
  git("commit", "-q", "--allow-empty", "-m", "first");
  expect(readLooseCommit(objects, git("rev-parse", "HEAD"))?.toString()).toContain("first");
});

it("an object that was packed or pruned is git's affair", () => {
  const head = git("rev-parse", "HEAD");
  git("gc", "-q", "--prune=now");
  expect(readLooseObject(objects, head)).toBeNull();
});

it.each<[string, (id: string) => void]>([
  ["holds something else", (id) => put(id, "commit 5\0other")],
  ["is no zlib", (id) => writeFileSync(fileOf(id), "plain")],
  ["is cut off", (id) => writeFileSync(fileOf(id), deflateSync("commit 5\0other").subarray(0, 4))],
])("an object whose file %s counts as unknown", (_, spoil) => {
  const head = git("rev-parse", "HEAD");
  chmodSync(fileOf(head), 0o600);
  spoil(head);
  expect(readLooseObject(objects, head)).toBeNull();
});

it("a header that lies about the size, a link and what is no id count as unknown", () => {
  const lying = Buffer.from("commit 9\0text");
  const id = createHash("sha1").update(lying).digest("hex");
  put(id, lying);
  expect(readLooseObject(objects, id)).toBeNull();
  const head = git("rev-parse", "HEAD");
  const linked = "1".repeat(40);
  mkdirSync(join(objects, "11"));
  symlinkSync(fileOf(head), fileOf(linked));
  expect(readLooseObject(objects, linked)).toBeNull();
  for (const name of ["", "../../HEAD", head.slice(0, 20)]) expect(readLooseObject(objects, name)).toBeNull();
});

it("an object that inflates without end counts as unknown", () => {
  const whole = Buffer.concat([Buffer.from("blob 8000000\0"), Buffer.alloc(8_000_000)]);
  const id = createHash("sha1").update(whole).digest("hex");
  put(id, whole);
  expect(readLooseObject(objects, id)).toBeNull();
});
