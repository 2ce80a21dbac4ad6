import { beforeEach, describe, expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { moveBranch, removeBranch, acceptedSince } from "./branch.ts";
import { keepCommit } from "../checkpoints/refs.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAME = "loop/fix-ab12";

let world: GitWorld;
let one: string;
let two: string;

beforeEach(() => {
  world = new GitWorld({ "a.txt": "a\n" });
  one = world.commitOn(world.first, { "a.txt": "1\n" }, "One\n\nLoop: fix-ab12\nLoop-Task: T-001");
  two = world.commitOn(
    one,
    { "a.txt": "2\n" },
    "Two: it says\n\nLoop-Task: T-009 in a text\n\nLoop-Task: T-002",
  );
});

async function move(from: string | null, to: string): ReturnType<typeof moveBranch> {
  return moveBranch({ root: world.root, name: NAME, from, to });
}

it("the loop's branch is made, and moved only from where it is expected", async () => {
  expect(await move(null, world.first)).toEqual({ type: "moved" });
  expect(await move(world.first, one)).toEqual({ type: "moved" });
  expect(await move(world.first, two)).toEqual({ type: "taken", by: one });
  expect(await move(null, two)).toEqual({ type: "taken", by: one });
  expect(world.git("rev-parse", NAME).trim()).toBe(one);
});

it("the loop's branch has moved when it was moved before", async () => {
  await move(null, one);
  expect(await move(null, one)).toEqual({ type: "moved" });
});

it("the loop's branch that was deleted isn't brought back, which is said", async () => {
  await move(null, world.first);
  world.git("branch", "-D", NAME);
  expect(await move(world.first, one)).toEqual({ type: "taken", by: null });
  expect(world.git("branch", "--list", NAME)).toBe("");
});

it("the loop's branch is removed only from where it is expected, and not while it is checked out", async () => {
  await move(null, one);
  const remove = async (at: string): Promise<void> => removeBranch({ root: world.root, name: NAME, at });
  const branches = (): string => world.git("branch", "--list", "--format=%(refname:short)", NAME).trim();
  await remove(two);
  expect(branches()).toBe(NAME);
  world.git("checkout", "-q", NAME);
  await remove(one);
  expect(branches()).toBe(NAME);
  world.git("checkout", "-q", "-");
  await remove(one);
  expect(branches()).toBe("");
});

it("the loop's branch does not move while the user has it checked out", async () => {
  await move(null, world.first);
  world.git("checkout", "-q", NAME);
  expect(await move(world.first, one)).toEqual({ type: "checked-out" });
  expect(world.git("status", "--porcelain")).toBe("");
});

it("the loop's branch moves to no commit that is gone, and takes no odd name", async () => {
  expect(await move(null, "5".repeat(40))).toMatchObject({ type: "failed" });
  expect(await moveBranch({ root: world.root, name: "a..b", from: null, to: one })).toMatchObject({
    type: "failed",
  });
});

it("a ref of the loop's keeps a commit through a gc, and one ref for one commit", async () => {
  const ref = "refs/loopwright/fix-ab12/carry/T-001/1";
  expect(await keepCommit({ root: world.root, ref, commit: two })).toEqual({ type: "kept" });
  expect(await keepCommit({ root: world.root, ref, commit: two })).toEqual({ type: "kept" });
  expect(await keepCommit({ root: world.root, ref, commit: one })).toEqual({ type: "ref-taken", by: two });
  world.git("reflog", "expire", "--expire=all", "--all");
  world.git("gc", "-q", "--prune=now");
  expect(world.git("cat-file", "-t", two)).toBe("commit\n");
});

describe("what was accepted since", () => {
  const REF = "refs/heads/loop/fix-ab12";

  beforeEach(() => {
    world = new GitWorld({ "a.txt": "a\n" });
    one = world.commitOn(world.first, { "a.txt": "1\n" }, "One\n\nLoop: fix-ab12\nLoop-Task: T-001");
    two = world.commitOn(
      one,
      { "a.txt": "2\n" },
      "Two: it says\n\nLoop-Task: T-009 in a text\n\nLoop-Task: T-002",
    );
    world.git("update-ref", REF, two);
  });

  async function since(from: string, ref = REF): ReturnType<typeof acceptedSince> {
    return acceptedSince({ ...world.repository, from, ref });
  }

  const accepted = (): unknown => [
    { commit: one, trailers: { Loop: "fix-ab12", "Loop-Task": "T-001" } },
    { commit: two, trailers: { "Loop-Task": "T-002" } },
  ];

  it("tells what was accepted since, by trailers, the oldest first", async () => {
    expect(await since(world.first)).toEqual(accepted());
    expect(await since(two)).toEqual([]);
    const other = world.commitOn(world.first, { "b.txt": "b\n" });
    expect(await since(other)).toBeNull();
    expect(await since(one, "refs/heads/none")).toBeNull();
  });

  it.each<readonly [what: string, spoil: () => void]>([
    ["another separator of trailers", () => void world.git("config", "trailer.separators", "#")],
    ["another encoding", () => void world.git("config", "i18n.logOutputEncoding", "UTF-16")],
    ["the end of history", () => writeFileSync(join(world.root, ".git", "shallow"), `${one}\n`)],
    ["other parents", () => writeFileSync(join(world.root, ".git", "info", "grafts"), `${one}\n`)],
  ])("is told the same where an agent sets %s", async (_, spoil) => {
    mkdirSync(join(world.root, ".git", "info"), { recursive: true });
    spoil();
    expect(await since(world.first)).toEqual(accepted());
  });

  it("is told of a clone without its history, too", async () => {
    world.git("update-ref", "refs/heads/main", one);
    const clone = join(world.home, "clone");
    world.git("clone", "-q", "--depth", "1", "--branch", "main", `file://${world.root}`, clone);
    const made = world
      .git("-C", clone, "commit-tree", "-p", one, "-m", "Three", "-m", "Loop-Task: T-003", `${one}^{tree}`)
      .trim();
    expect(await acceptedSince({ root: clone, stateHome: world.stateHome, from: one, ref: made })).toEqual([
      { commit: made, trailers: { "Loop-Task": "T-003" } },
    ]);
  });
});
