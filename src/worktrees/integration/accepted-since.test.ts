import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { acceptedSince } from "./branch.ts";

const REF = "refs/heads/loop/fix-ab12";

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
