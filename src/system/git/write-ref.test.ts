import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { findGitFolders, type GitFolders } from "./git-files.ts";
import { writeOwnRef } from "./write-ref.ts";

const REF = "refs/loopwright/a-loop/1";

let root = "";
let folders: GitFolders;
let first = "";
let second = "";

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-ref-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  git("init", "--quiet");
  [first, second] = ["First", "Second"].map((message) => {
    git("commit", "--quiet", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  }) as [string, string];
  const found = findGitFolders(root);
  if (found === null) throw new Error("no repository");
  folders = found;
});

/** Whether it was written, and what git then says of it and of the whole repository. */
function written(ref: string, change: Parameters<typeof writeOwnRef>[2]): readonly [boolean, string] {
  const isDone = writeOwnRef(folders, ref, change);
  expect(existsSync(join(root, ".git", `${ref}.lock`))).toBe(false);
  git("fsck");
  return [isDone, git("for-each-ref", "--format=%(refname) %(objectname)", "refs/loopwright")];
}

test("a ref of ours leads where it is told, in a file or packed before", () => {
  expect(written(REF, { to: first, from: null })).toEqual([true, `${REF} ${first}`]);
  git("pack-refs", "--all");
  expect(written(REF, { to: second })).toEqual([true, `${REF} ${second}`]);
  expect(written(REF, { to: first, from: second })).toEqual([true, `${REF} ${first}`]);
});

test.each<[string, () => void, string, () => Parameters<typeof writeOwnRef>[2]]>([
  ["leads elsewhere", () => git("update-ref", REF, second), REF, () => ({ to: first, from: null })],
  ["is somebody else's", () => undefined, "refs/heads/topic", () => ({ to: first })],
  ["has a name that leads out", () => undefined, "refs/loopwright/../heads/topic", () => ({ to: first })],
  ["is to lead nowhere", () => undefined, REF, () => ({ to: "1".repeat(first.length) })],
  ["is a folder of others", () => git("update-ref", `${REF}/2`, first), REF, () => ({ to: first })],
  [
    "is a folder of others that are packed",
    () => void [git("update-ref", `${REF}/2`, first), git("pack-refs", "--all")],
    REF,
    () => ({ to: first }),
  ],
  [
    "lies in another one that is packed",
    () => void [git("update-ref", dirname(REF), first), git("pack-refs", "--all")],
    REF,
    () => ({ to: first }),
  ],
  [
    "is in a repository of several people",
    () => git("config", "core.sharedRepository", "group"),
    REF,
    () => ({ to: first }),
  ],
  [
    "keeps its history",
    () => {
      mkdirSync(dirname(join(root, ".git/logs", REF)), { recursive: true });
      writeFileSync(join(root, ".git/logs", REF), "");
    },
    REF,
    () => ({ to: first }),
  ],
])("one that %s is left to git, as it was", (_, prepare, ref, change) => {
  prepare();
  const before = git("for-each-ref");
  expect(written(ref, change())[0]).toBe(false);
  expect(git("for-each-ref")).toBe(before);
});

test("one whose lock somebody has is left to git, and the lock to them", () => {
  const lock = join(root, ".git", `${REF}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, "");
  expect(writeOwnRef(folders, REF, { to: first })).toBe(false);
  expect(existsSync(lock)).toBe(true);
});
