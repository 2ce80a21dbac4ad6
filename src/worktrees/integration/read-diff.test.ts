import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { readDiff } from "./read-diff.ts";

const FILES = {
  "a.js": "one\ntwo\nthree\n",
  "gone.js": "old\n",
  "same.js": "same\n",
  'odd "name"\té.js': "x\n",
  "-p": "dash\n",
  "*.js": "star\n",
};
const CHANGED = {
  "a.js": "one\n2\nthree\ndiff --git a/x b/x\n@@ -1 +1 @@\n",
  "gone.js": null,
  "new.js": "no line end",
  'odd "name"\té.js': "y\r\n",
  "-p": "dashed\n",
};

test("each line of a changed file is read with its number of now", async () => {
  const world = new GitWorld(FILES);
  const to = world.commitOn(world.first, CHANGED);
  const files = await readDiff(
    world.repository,
    { from: world.first, to },
    Object.keys({ ...FILES, ...CHANGED }),
  );
  const byPath = new Map(files?.map(({ path, lines }) => [path, lines]));

  expect(byPath.get("a.js")).toEqual([
    { kind: "context", line: 1, text: "one" },
    { kind: "removed", line: null, text: "two" },
    { kind: "added", line: 2, text: "2" },
    { kind: "context", line: 3, text: "three" },
    { kind: "added", line: 4, text: "diff --git a/x b/x" },
    { kind: "added", line: 5, text: "@@ -1 +1 @@" },
  ]);
  expect(byPath.get("gone.js")).toEqual([{ kind: "removed", line: null, text: "old" }]);
  expect(byPath.get("new.js")).toEqual([{ kind: "added", line: 1, text: "no line end" }]);
  expect(byPath.get('odd "name"\té.js')?.at(-1)).toEqual({ kind: "added", line: 1, text: "y" });
  expect(byPath.get("-p")?.at(-1)).toEqual({ kind: "added", line: 1, text: "dashed" });
  expect([...byPath.keys()]).not.toContain("same.js");
});

test("no text in a file, and no file that becomes a link, hides what changed", async () => {
  const world = new GitWorld({ "a.js": "one\n", "b.js": "two\n", "c.js": "three\n" });
  const text = "x\rdiff --git a/a.js b/a.js\u2028diff --git a/a.js b/a.js\n";
  const changed = world.commitOn(world.first, { "a.js": text, "c.js": "3\n" });
  const worktree = world.plainWorktree("linking", changed);
  rmSync(join(worktree, "b.js"));
  symlinkSync("a.js", join(worktree, "b.js"));
  world.gitIn(worktree, "commit", "-qam", "link");
  const to = world.gitIn(worktree, "rev-parse", "HEAD").trim();
  const files = await readDiff(world.repository, { from: world.first, to }, ["a.js", "b.js", "c.js"]);
  expect(
    files?.map(({ path, lines }) => [path, ...lines.map((each) => `${each.kind} ${each.text}`)]),
  ).toEqual([
    ["a.js", "removed one", `added ${text.trimEnd()}`],
    ["b.js", "removed two", "added a.js"],
    ["c.js", "removed three", "added 3"],
  ]);
});

test("a path is a path and no pattern, and a name isn't a commit", async () => {
  const world = new GitWorld(FILES);
  const to = world.commitOn(world.first, CHANGED);
  expect(await readDiff(world.repository, { from: world.first, to }, ["*.js"])).toEqual([]);
  expect(await readDiff(world.repository, { from: world.first, to }, [])).toEqual([]);
  expect(await readDiff(world.repository, { from: "HEAD", to }, ["a.js"])).toBeNull();
  expect(await readDiff(world.repository, { from: "0".repeat(40), to }, ["a.js"])).toBeNull();
});
