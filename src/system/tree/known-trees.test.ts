import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GitCounter } from "../../../test/support/git-counter.ts";
import { treeDigest } from "../../../test/support/tree-digest.ts";

let folder: string;
let root: string;
let place: { readonly root: string; readonly stateHome: string };
let counter: GitCounter;

beforeEach(() => {
  counter = new GitCounter();
  folder = mkdtempSync(join(tmpdir(), "loopwright-known-"));
  root = join(folder, "project");
  place = { root, stateHome: join(folder, "state") };
  mkdirSync(join(root, "src"), { recursive: true });
  write("src/a.ts", "one");
  write(".gitignore", "ignored/\n");
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string): void {
  writeFileSync(join(root, path), content);
}

/** Read often enough that the next reading needs no git. */
async function settle(): Promise<string | null> {
  await treeDigest(place);
  // Longer than the clock by which the kernel dates changes takes for a step.
  await sleep(30);
  return treeDigest(place);
}

const startedFor = async (): Promise<readonly string[]> => counter.during(async () => treeDigest(place));

it("starts no git for a tree that is as it was", async () => {
  const digest = await settle();
  expect(await counter.during(async () => expect(await treeDigest(place)).toBe(digest))).toEqual([]);
});

it.each<[string, () => void]>([
  ["an edit", () => write("src/a.ts", "two")],
  ["a new file", () => write("src/b.ts", "new")],
  ["a file that is gone", () => rmSync(join(root, "src/a.ts"))],
  ["another rule", () => write(".gitignore", "src/\n")],
  ["another rule of the repository", () => write(".git/info/exclude", "src/\n")],
])("and one after %s", async (_, change) => {
  const before = await settle();
  change();
  expect(await treeDigest(place)).not.toBe(before);
});

it("and one for a file in a folder that was empty", async () => {
  mkdirSync(join(root, "empty"));
  const before = await settle();
  write("empty/new.ts", "new");
  expect(await treeDigest(place)).not.toBe(before);
});

it("a repository inside is looked at each time", async () => {
  mkdirSync(join(root, "inner"));
  execFileSync("git", ["init", "-q"], { cwd: join(root, "inner") });
  write("inner/c.ts", "one");
  const before = await settle();
  write("inner/c.ts", "two");
  expect(await treeDigest(place)).not.toBe(before);
});

it.runIf(process.platform === "linux")(
  "so is a name that isn't UTF-8, which reads like another one",
  async () => {
    const odd = Buffer.concat([Buffer.from(`${root}/src/`), Buffer.from([0xff])]);
    write("src/\uFFFD", "the other");
    writeFileSync(odd, "one");
    const before = await settle();
    writeFileSync(odd, "longer than before");
    expect(await treeDigest(place)).not.toBe(before);
  },
);

it("so is a tree of more files than are looked at one by one", async () => {
  mkdirSync(join(root, "ignored"));
  for (let each = 0; each < 1_000; each += 1) write(`ignored/${each}`, "");
  await settle();
  expect(await startedFor()).toEqual(["add"]);
});

it("notices an edit of the same length at any moment", async () => {
  let before = await treeDigest(place);
  for (let round = 0; round < 100; round += 1) {
    write("src/a.ts", String(round).padStart(3));
    const after = await treeDigest(place);
    expect([round, after === before]).toEqual([round, false]);
    before = after;
  }
});
