import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { headCommit, runGit } from "./run-git.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-git-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

describe("headCommit", () => {
  it("is the commit that is checked out", async () => {
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    expect(await headCommit(root)).toBe(git("rev-parse", "HEAD").trim());
  });

  it("is null before the first commit", async () => {
    git("init", "-q");
    expect(await headCommit(root)).toBeNull();
  });

  it("is null without a repository, also when a folder above has one", async () => {
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("init", "-q", "below");
    rmSync(join(root, "below/.git"), { recursive: true });
    expect(await headCommit(join(root, "below"))).toBeNull();
  });
});

describe("runGit", () => {
  it("inherits no variable that steers git", async () => {
    git("init", "-q");
    process.env["GIT_DIR"] = "/nowhere";
    process.env["GIT_INDEX_FILE"] = "/nowhere/index";
    try {
      const outcome = await runGit({ root, args: ["rev-parse", "--git-path", "index"] });
      expect(outcome).toMatchObject({ ok: true });
      expect(outcome.stdout.toString().trim()).toBe(join(root, ".git/index"));
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_INDEX_FILE"];
    }
  });

  it("ends at the time limit", async () => {
    git("init", "-q");
    const outcome = await runGit({ root, args: ["cat-file", "--batch"], timeoutMs: 0 });
    expect(outcome.ok).toBe(false);
  });

  it("says what went wrong", async () => {
    git("init", "-q");
    const outcome = await runGit({ root, args: ["rev-parse", "--verify", "nothing"] });
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining("fatal:") });
  });
});
