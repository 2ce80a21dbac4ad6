import { beforeEach, expect, it } from "vitest";
import { GitCounter } from "../../../test/support/git-counter.ts";
import { GitWorld } from "../../../test/support/git-world.ts";
import { changesOfCommits, commitsBetween } from "./commit-changes.ts";

let world: GitWorld;
let commits: readonly string[];

beforeEach(() => {
  world = new GitWorld({ a: "a\n" });
  const one = world.commitOn(world.first, { "src/x": `${Math.random()}\n` });
  const two = world.commitOn(one, { "src/y": "y\n", a: null });
  commits = [two, one];
  world.git("branch", "work", two);
});

async function read(): Promise<readonly string[]> {
  return new GitCounter().during(async () => {
    expect(await commitsBetween(world.root, world.first, commits[0] ?? "")).toEqual(commits);
    const changes = await changesOfCommits(world.root, commits);
    const paths = commits.map((commit) => changes?.get(commit)?.map(({ path }) => path));
    expect(paths).toEqual([["a", "src/y"], ["src/x"]]);
  });
}

it("what each commit of a branch changed is read without git", async () => {
  expect(await read()).toEqual([]);
});

it("and with it where they are packed", async () => {
  world.git("gc", "-q");
  expect(await read()).toEqual(["diff-tree", "rev-list"]);
});

it("of a branch that was read, nothing is read again, even if it was packed since", async () => {
  await read();
  world.git("gc", "-q");
  expect(await read()).toEqual([]);
});

it("a branch that doesn't come from there is git's affair", async () => {
  const elsewhere = world.commitOn(world.first, { b: "b\n" });
  expect(await commitsBetween(world.root, elsewhere, commits[0] ?? "")).toEqual(commits);
});
