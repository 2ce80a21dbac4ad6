import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { changedFrom } from "./worktree-files.ts";

it("files of a commit that differ in the worktree are named, and none besides them", async () => {
  const world = new GitWorld({ "a.txt": "a\n", "b.txt": "b\n", "c.sh": "c\n", ".gitignore": "*.log\n" });
  const worktree = world.plainWorktree("work");
  const changed = async (): ReturnType<typeof changedFrom> =>
    changedFrom(world.repository, worktree, world.first);
  writeFileSync(join(worktree, "new.txt"), "new\n");
  writeFileSync(join(worktree, "x.log"), "ignored\n");
  expect(await changed()).toEqual([]);
  writeFileSync(join(worktree, "a.txt"), "other\n");
  rmSync(join(worktree, "b.txt"));
  chmodSync(join(worktree, "c.sh"), 0o755);
  expect(await changed()).toEqual(["a.txt", "b.txt", "c.sh"]);
  expect(await changedFrom(world.repository, worktree, "4".repeat(40))).toBeNull();
});
