import { expect, test } from "vitest";
import { change, GitWorld } from "../../../test/support/git-world.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Attempt } from "../../core/plan/workflow.ts";
import { keepResult } from "../../worktrees/integration/keep-result.ts";
import { unfinishedRef } from "../../worktrees/attempts/list-worktrees.ts";
import { keptWork } from "./open-attempts.ts";

test("what an attempt left is shown, unless that is nothing", async () => {
  const world = new GitWorld({ "a.txt": "a\n" });
  const loop = "fix-ab12" as LoopId;
  const look = async (number: number, files: { readonly [path: string]: string }): Promise<string | null> => {
    const worktree = world.plainWorktree(`attempt-${number}`);
    change(worktree, files);
    const ref = unfinishedRef({ loop, task: "T-1", number });
    const of = { worktree, base: world.first, ref, message: "Unfinished", trailers: {} };
    await keepResult({ ...world.repository, ...of });
    const attempt = { task: "T-1", number, base: world.first, state: { type: "running" } } as Attempt;
    return keptWork(world.root, loop, attempt);
  };
  expect(await look(1, {})).toBeNull();
  expect(await look(2, { "a.txt": "b\n" })).toMatch(/^git diff [0-9a-f]{12} [0-9a-f]{12}$/);
});
