import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTrackedByGit } from "./written-here.ts";

const STATE = ".loop/state.json";

function repository(...files: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-index-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  mkdirSync(root);
  git(root, "init", "-q");
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file);
    git(root, "add", "-f", file);
  }
  return root;
}

function git(root: string, ...args: readonly string[]): void {
  execFileSync("git", args, { cwd: root, stdio: "pipe" });
}

test("a file that was added is tracked, and one that only lies there is not", () => {
  expect(isTrackedByGit(repository(STATE, "a.txt"), STATE)).toBe(true);
  expect(isTrackedByGit(repository("a.txt"), STATE)).toBe(false);
  expect(isTrackedByGit(repository(), STATE)).toBe(false);
});

test("the same path in another folder, or as a part of another name, is another file", () => {
  const root = repository("sub/.loop/state.json", ".loop/state.json.bak", "x.loop/state.json");
  expect(isTrackedByGit(root, STATE)).toBe(false);
  expect(isTrackedByGit(join(root, "sub"), STATE)).toBe(true);
});

test("upper and lower case are one file", () => {
  expect(isTrackedByGit(repository(".Loop/STATE.json"), STATE)).toBe(true);
});

test("an entry with extended flags is found", () => {
  const root = repository("a.txt");
  mkdirSync(join(root, ".loop"));
  writeFileSync(join(root, STATE), "{}");
  git(root, "add", "-f", "-N", STATE);
  expect(isTrackedByGit(root, STATE)).toBe(true);
});

test("a folder is tracked when anything in it is, or when it is a submodule", () => {
  expect(isTrackedByGit(repository(".jwz/messages.jsonl"), ".jwz/")).toBe(true);
  expect(isTrackedByGit(repository("a/.jwz/messages.jsonl", ".jwzx"), ".jwz/")).toBe(false);
  const root = repository("a.txt");
  git(root, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},.loop`);
  expect(isTrackedByGit(root, STATE)).toBe(true);
});

test("a linked worktree has an index of its own", () => {
  const root = repository(STATE);
  git(root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "x");
  const linked = join(root, "..", "linked");
  git(root, "worktree", "add", "-q", linked);
  expect(isTrackedByGit(realpathSync(linked), STATE)).toBe(true);
  git(linked, "rm", "-q", "--cached", STATE);
  expect(isTrackedByGit(realpathSync(linked), STATE)).toBe(false);
  expect(isTrackedByGit(root, STATE)).toBe(true);
});

test("an index that cannot be read tracks everything", () => {
  const compressed = repository("a.txt");
  git(compressed, "update-index", "--index-version", "4");
  expect(isTrackedByGit(compressed, STATE)).toBe(true);
  const damaged = repository("a.txt");
  writeFileSync(join(damaged, ".git", "index"), "no index");
  expect(isTrackedByGit(damaged, STATE)).toBe(true);
  const split = repository("a.txt");
  git(split, "update-index", "--split-index");
  expect(isTrackedByGit(split, STATE)).toBe(true);
});

test("outside of git nothing is tracked", () => {
  const root = repository();
  rmSync(join(root, ".git"), { recursive: true });
  expect(isTrackedByGit(root, STATE)).toBe(false);
});
