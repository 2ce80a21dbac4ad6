import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropCheckpoints } from "../src/worktrees/checkpoints/refs.ts";
import { changesSince } from "../src/worktrees/checkpoints/changes.ts";
import { takeCheckpoint } from "../src/worktrees/checkpoints/take.ts";
import { headCommit } from "../src/system/git/run-git.ts";
import { readTree } from "../src/system/tree/tree-digest.ts";
import { treeDigest } from "./support/tree-digest.ts";
import { GitCounter } from "./support/git-counter.ts";

let folder: string;
let root: string;
let place: { readonly root: string; readonly stateHome: string };
let counter: GitCounter;

beforeEach(() => {
  counter = new GitCounter();
  folder = mkdtempSync(join(tmpdir(), "loopwright-processes-"));
  root = join(folder, "project");
  place = { root, stateHome: join(folder, "state") };
  mkdirSync(join(root, "src/deep"), { recursive: true });
  for (const path of ["a.ts", "src/b.ts", "src/deep/c.ts"]) write(path, path);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function write(path: string, content: string): void {
  writeFileSync(join(root, path), content);
}

let number = 0;
async function take(reading?: Awaited<ReturnType<typeof readTree>>): Promise<string> {
  const ref = `refs/loopwright/x/${(number += 1)}`;
  const { commit } = await takeCheckpoint({
    ...place,
    ref,
    message: "x",
    ...(reading === undefined ? {} : { reading }),
  });
  if (commit === null) throw new Error("no checkpoint");
  return commit;
}

it("counts every git, by its command", async () => {
  const started = await counter.during(async () => {
    for (const args of [["status"], ["-c", "a.b=c d", "--no-pager", "log"], ["status"]])
      execFileSync("git", args, { cwd: root });
  });
  expect(started).toEqual(["log", "status", "status"]);
});

describe("a digest, once the tree was seen", () => {
  beforeEach(async () => {
    await treeDigest(place);
  });

  it("starts one", async () => {
    expect(await counter.during(() => treeDigest(place))).toEqual(["add"]);
  });

  it("starts one after an edit, a new file and a deletion", async () => {
    write("a.ts", "edited");
    write("new.ts", "new");
    rmSync(join(root, "src/b.ts"));
    expect(await counter.during(() => treeDigest(place))).toEqual(["add"]);
  });

  it("starts one after git was used in the project: an index that tracks the same, or what is there", async () => {
    write("a.ts", "edited");
    write("new.ts", "new");
    git("add", "a.ts");
    expect(await counter.during(() => treeDigest(place))).toEqual(["add"]);
    git("add", "-A");
    git("commit", "-qm", "second");
    expect(await counter.during(() => treeDigest(place))).toEqual(["add"]);
  });

  it("looks again at what is ignored when the project tracks something else", async () => {
    write(".gitignore", "ignored\n");
    write("ignored", "one");
    await treeDigest(place);
    git("add", "-f", "ignored");
    expect(await counter.during(() => treeDigest(place))).toContain("ls-files");
    git("rm", "-q", "--cached", "ignored");
    expect(await counter.during(() => treeDigest(place))).toContain("ls-files");
  });

  it("starts one while the user's settings name another file of excludes, which git is asked for once", async () => {
    const settings = join(homedir(), ".gitconfig");
    writeFileSync(join(folder, "included"), `[core]\n\texcludesFile = ${join(folder, "mine")}\n`);
    writeFileSync(settings, `[include]\n\tpath = ${join(folder, "included")}\n`);
    writeFileSync(join(folder, "mine"), "mine.ts\n");
    try {
      const before = await treeDigest(place);
      write("mine.ts", "ignored");
      expect(await counter.during(async () => expect(await treeDigest(place)).toBe(before))).toEqual(["add"]);
      // What they say is noticed while the process goes on.
      writeFileSync(join(folder, "included"), "");
      expect(await treeDigest(place)).not.toBe(before);
      writeFileSync(settings, `[Core]\n\tExcludesFile = ${join(folder, "mine")}\n`);
      expect(await treeDigest(place)).toBe(before);
      writeFileSync(join(folder, "mine"), "");
      expect(await treeDigest(place)).not.toBe(before);
    } finally {
      rmSync(settings);
    }
  });
});

describe("the first digest of a worktree beside one that was read", () => {
  const beside = { root: "", stateHome: "" };
  beforeEach(async () => {
    write(".gitignore", "ignored\n");
    await treeDigest(place);
    Object.assign(beside, { root: join(folder, "beside"), stateHome: place.stateHome });
    git("worktree", "add", "-q", "--detach", beside.root);
    writeFileSync(join(beside.root, ".gitignore"), "ignored\n");
  });

  it("starts one, as the same is ignored in both", async () => {
    expect(await counter.during(() => treeDigest(beside))).toEqual(["add"]);
  });

  it("looks at what is ignored where it tracks something else", async () => {
    writeFileSync(join(beside.root, "ignored"), "one");
    execFileSync("git", ["add", "-f", "ignored"], { cwd: beside.root });
    const before = await treeDigest(beside);
    writeFileSync(join(beside.root, "ignored"), "two");
    expect(await treeDigest(beside)).not.toBe(before);
  });
});

it("the commit that is checked out is known without any", async () => {
  expect(await counter.during(() => headCommit(root))).toEqual([]);
});

it("that there is no commit yet is known without any", async () => {
  git("checkout", "-q", "--orphan", "new");
  expect(
    await counter.during(async () => {
      expect(await headCommit(root)).toBeNull();
    }),
  ).toEqual([]);
});

describe("a checkpoint", () => {
  it("starts none but a digest the first time", async () => {
    await treeDigest(place);
    expect(await counter.during(() => take())).toEqual(["add"]);
  });

  it("starts none but a digest after the first", async () => {
    await take();
    expect(await counter.during(() => take())).toEqual(["add"]);
  });

  it("starts no more when there is something new", async () => {
    await take();
    write("a.ts", "edited");
    write("src/new.ts", "new");
    const started = await counter.during(() => take());
    expect(started).toEqual(["add"]);
  });

  it("starts none to look at the files when it is handed what was just read", async () => {
    await take();
    write("a.ts", "edited");
    const reading = await readTree(place);
    const started = await counter.during(() => take(reading));
    expect(started).toEqual([]);
  });

  it("leaves the writing to git in a repository of several people", async () => {
    git("config", "core.sharedRepository", "group");
    await take();
    write("a.ts", "edited");
    const reading = await readTree(place);
    expect(await counter.during(() => take(reading))).toEqual(["unpack-objects", "update-ref"]);
  });

  it("leaves the contents to git when there are many of them", async () => {
    await take();
    for (let each = 0; each < 210; each += 1) write(`src/${each}.ts`, `${each}`);
    const reading = await readTree(place);
    const started = await counter.during(() => take(reading));
    expect(started).toEqual(["update-index"]);
  });

  it("leaves the contents to git when one is not as it was read", async () => {
    await take();
    write("a.ts", "edited");
    const reading = await readTree(place);
    write("a.ts", "edited again");
    const started = await counter.during(() => take(reading));
    expect(started).toEqual(["update-index"]);
    expect(git("show", `refs/loopwright/x/${number}:a.ts`)).toBe("edited again");
  });

  it("leaves the ref to git where it keeps refs in another way, and asks for hooks again when settings change", async () => {
    git("config", "core.sharedRepository", "group");
    await take();
    expect(await counter.during(() => take())).toEqual(["add", "unpack-objects", "update-ref"]);
    git("config", "hook.more.command", "false");
    expect(await counter.during(() => take())).toContain("config");
    expect(await counter.during(() => take())).not.toContain("config");
  });
});

it("what changed since a checkpoint is told without listing its files, unless they are packed", async () => {
  const commit = await take();
  const started = async (): Promise<readonly string[]> =>
    counter.during(async () => expect(await changesSince({ ...place, commit })).toEqual([]));
  expect(await started()).not.toContain("ls-tree");
  git("gc", "-q");
  expect(await started()).toContain("ls-tree");
});

it("all checkpoints of a loop are dropped by one, once the settings name no hooks", async () => {
  const first = number + 1;
  await take();
  await take();
  const refs = [first, first + 1].map((each) => `refs/loopwright/x/${each}`);
  expect(await counter.during(() => dropCheckpoints(root, refs))).toEqual(["config", "update-ref"]);
  expect(execFileSync("git", ["for-each-ref", "refs/loopwright"], { cwd: root }).toString()).toBe("");
});
