import { expect, test } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { createLoopId } from "../../core/loop/id.ts";
import { createMachine } from "../../storage/loops/machine.ts";
import { projectAt } from "../../storage/home/project.ts";
import { setUp } from "./fresh-worktree.ts";

test("a file that can't be copied and a program that isn't installed are named", async () => {
  const world = new GitWorld({ ".gitignore": ".env\n", "composer.lock": "{}\n", "notes.md": "notes\n" });
  world.write({ ".env": "KEY=1\n" });
  const told: string[] = [];
  const options = {
    machine: createMachine({ ...world.env, PATH: world.home }, world.root),
    project: projectAt(world.root),
    loop: createLoopId("a plan", "a1b2"),
    folder: "",
    how: { setup: null, copies: [".env", ".env.local", "notes.md"], diskBytes: 20e9 },
  };
  const { signal } = new AbortController();
  const worktree = world.plainWorktree("attempt");

  expect(await setUp(options, worktree, {}, signal, (sentence) => told.push(sentence))).toBe(null);

  expect(told).toEqual([
    "Worktrees get no copy of .env.local (not there), notes.md (not ignored by git).",
    expect.stringMatching(/^A lock file asks for composer, which isn't installed\./),
  ]);
});
