import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findGitFolders } from "./git-files.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-folders-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("the search for git's own folder finds a repository's own folder", async () => {
  mkdirSync(join(root, ".git"));
  const folder = join(root, ".git");
  expect(findGitFolders(root)).toEqual({ gitFolder: folder, commonFolder: folder });
});

it("the search for git's own folder follows a linked worktree to the folder that it shares", async () => {
  mkdirSync(join(root, "main/.git/worktrees/linked"), { recursive: true });
  mkdirSync(join(root, "linked"));
  writeFileSync(join(root, "linked/.git"), "gitdir: ../main/.git/worktrees/linked\n");
  writeFileSync(join(root, "main/.git/worktrees/linked/commondir"), "../..\n");
  expect(findGitFolders(join(root, "linked"))).toEqual({
    gitFolder: join(root, "main/.git/worktrees/linked"),
    commonFolder: join(root, "main/.git"),
  });
});

it.each(["", "gitdir: \n", "gitdir: /nowhere\n", "something else\n"])(
  "the search for git's own folder finds nothing for %j",
  async (text) => {
    writeFileSync(join(root, ".git"), text);
    expect(findGitFolders(root)).toBeNull();
  },
);
