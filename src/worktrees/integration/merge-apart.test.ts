import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { GitCounter } from "../../../test/support/git-counter.ts";
import { GitWorld } from "../../../test/support/git-world.ts";
import { gitObject, treeRow, writeLooseObjects, type GitObject } from "../checkpoints/git-objects.ts";
import { mergeApart } from "./merge-apart.ts";
import { mergeResult } from "./merge-result.ts";

type Files = { readonly [path: string]: string | null };

let world: GitWorld;

beforeEach(() => {
  world = new GitWorld({
    a: "a\n",
    "a.b": "b\n",
    "a-b": "b\n",
    "src/x": "x\n",
    "src/y": "y\n",
    "deep/er/z": "z\n",
  });
});

function sides(ours: Files, theirs: Files): { readonly tip: string; readonly result: string } {
  return { tip: world.commitOn(world.first, ours), result: world.commitOn(world.first, theirs) };
}

function apart(tip: string, result: string): string | null {
  const tree = (commit: string): string => world.git("rev-parse", `${commit}^{tree}`).trim();
  const trees = { base: tree(world.first), accepted: tree(tip), result: tree(result) };
  return mergeApart("sha1", [join(world.root, ".git/objects")], trees)?.tree ?? null;
}

/** As git merges them; null: they conflict. */
function byGit(tip: string, result: string): string | null {
  try {
    return world.git("merge-tree", "--write-tree", tip, result).split("\n", 1)[0] ?? "";
  } catch {
    return null;
  }
}

describe("what two sides did to different files", () => {
  it.each<[string, Files, Files]>([
    ["an edit each in one folder", { "src/x": "ours\n" }, { "src/y": "theirs\n" }],
    ["a new file each", { "src/new": "ours\n" }, { "src/other": "theirs\n" }],
    [
      "new folders, whose names git sorts with a slash",
      { "a.c/n": "1\n", a0: "2\n" },
      { "a-c/n": "3\n", "src.d/e/f": "4\n" },
    ],
    [
      "folders at different depths",
      { "deep/n": "1\n", "deep/er/n/m": "2\n" },
      { "deep/er/n/o": "3\n", "deep/er/z": "4\n" },
    ],
    ["one side alone", {}, { "src/x": "theirs\n", "src/y": null }],
    ["the same on both", { "src/x": "same\n" }, { "src/x": "same\n" }],
  ])("is merged as git does it, without git: %s", async (_, ours, theirs) => {
    const { tip, result } =
      Object.keys(ours).length === 0
        ? { ...sides({ n: "" }, theirs), tip: world.first }
        : sides(ours, theirs);
    expect(apart(tip, result)).toBe(byGit(tip, result));
    const started = await new GitCounter().during(async () => {
      const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
      expect(merged).toEqual({ type: "clean", tree: byGit(tip, result) });
    });
    expect(started).not.toContain("merge-tree");
    expect(() => world.git("fsck", "--strict")).not.toThrow();
  });
});

describe("git merges", () => {
  it.each<[string, Files, Files]>([
    ["one file that both edit", { "src/x": "ours\n" }, { "src/x": "theirs\n" }],
    ["a file where the other side has a folder", { place: "ours\n" }, { "place/in": "theirs\n" }],
    ["a folder where the other side has a file", { "place/in": "ours\n" }, { place: "theirs\n" }],
    ["what one side removes", { "src/x": null }, { "src/y": "theirs\n" }],
    ["what one side renames", { "src/x": null, "src/new": "x\n" }, { "src/x": "x\nand more\n" }],
    [
      "a new file in a folder that the other side moves",
      { "deep/er/z": null, "elsewhere/z": "z\n" },
      { "deep/er/new": "n\n" },
    ],
  ])("%s", async (_, ours, theirs) => {
    const { tip, result } = sides(ours, theirs);
    expect(apart(tip, result)).toBeNull();
    const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
    expect(merged.type === "clean" ? merged.tree : null).toBe(byGit(tip, result));
  });
});

describe("a folder that git itself wouldn't write", () => {
  const blob = (text: string): GitObject => gitObject("sha1", "blob", Buffer.from(text));
  const tree = (...rows: readonly Buffer[]): GitObject => gitObject("sha1", "tree", Buffer.concat(rows));
  const [one, other, empty] = [blob("1\n"), blob("2\n"), tree()];
  const [a, changed] = [treeRow("100644", "a", one.id), treeRow("100644", "a", other.id)];
  const folder = tree(a);
  const plain = { base: folder, ours: tree(changed) };

  it.each([
    ["a name that leads elsewhere", { ...plain, theirs: tree(treeRow("100644", "../b", one.id), a) }],
    ["a file without a name", { ...plain, theirs: tree(treeRow("100644", "", one.id), a) }],
    [
      "a name twice",
      { ...plain, theirs: tree(a, treeRow("100644", "b", one.id), treeRow("100644", "b", other.id)) },
    ],
    [
      "a file and a folder of one name",
      { ...plain, theirs: tree(a, treeRow("100644", "b", one.id), treeRow("40000", "b", folder.id)) },
    ],
    ["another order", { ...plain, theirs: tree(treeRow("100644", "b", one.id), a) }],
    [
      "a folder with nothing in it, which becomes a file",
      {
        base: tree(a, treeRow("40000", "x", empty.id)),
        ours: tree(changed, treeRow("40000", "x", empty.id)),
        theirs: tree(a, treeRow("100644", "x", one.id)),
      },
    ],
  ])("is left to git: %s", async (_, { base, ours, theirs }) => {
    const objects = join(world.root, ".git/objects");
    await writeLooseObjects(objects, [one, other, empty, folder, base, ours, theirs]);
    const trees = { base: base.id, accepted: ours.id, result: theirs.id };
    expect(mergeApart("sha1", [objects], trees)).toBeNull();
  });
});

it("a link and a program are taken as they are", () => {
  const worktree = world.plainWorktree("links");
  symlinkSync("a", join(worktree, "link"));
  world.gitIn(worktree, "add", "-A");
  world.gitIn(worktree, "update-index", "--chmod=+x", "a");
  world.gitIn(worktree, "commit", "-qm", "link");
  const result = world.gitIn(worktree, "rev-parse", "HEAD").trim();
  const tip = world.commitOn(world.first, { "src/x": "ours\n" });
  expect(apart(tip, result)).toBe(byGit(tip, result));
  expect(apart(tip, result)).not.toBeNull();
});
