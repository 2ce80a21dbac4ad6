import { readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { change, GitWorld } from "../../../test/support/git-world.ts";
import { readTree } from "../../system/tree/tree-digest.ts";
import { keepResult, type KeptResult } from "./keep-result.ts";

const REF = "refs/loopwright/fix-ab12/tasks/T-001/1";
const FILES = { ".gitignore": "*.log\nforced.txt\n", "a.txt": "a\n", "b/c.txt": "c\n", "gone.txt": "x\n" };

let world: GitWorld;
let worktree: string;

beforeEach(() => {
  world = new GitWorld(FILES);
  worktree = world.plainWorktree("attempt");
});

async function keep(options: { base?: string; worktree?: string } = {}): Promise<KeptResult> {
  return keepResult({
    ...world.repository,
    worktree,
    base: world.first,
    ref: REF,
    message: "Attempt 1",
    trailers: { "Loop-Task": "T-001" },
    ...options,
  });
}

function commitIn(result: KeptResult): string {
  if (result.type !== "kept") throw new Error(JSON.stringify(result));
  return result.commit;
}

const DONE = { "a.txt": "changed\n", "new/file.txt": "new\n", "gone.txt": null, "noise.log": "no\n" };
const RESULT = {
  ".gitignore": FILES[".gitignore"],
  "a.txt": "changed\n",
  "b/c.txt": "c\n",
  "new/file.txt": "new\n",
};

it("the commit of a result keeps changed, new and deleted files as one commit on the base, and nothing that is ignored", async () => {
  change(worktree, DONE);
  const before = world.gitIn(worktree, "status", "--porcelain");
  const commit = commitIn(await keep());
  expect(world.filesOf(commit)).toEqual(RESULT);
  expect(world.git("rev-parse", `${commit}^`).trim()).toBe(world.first);
  expect(world.git("rev-parse", REF).trim()).toBe(commit);
  expect(world.git("log", "-1", "--format=%(trailers:key=Loop-Task,valueonly)", commit).trim()).toBe("T-001");
  expect(world.gitIn(worktree, "status", "--porcelain")).toBe(before);
});

it("the commit of a result has what changed since the files were last read, also at the same time and of the same size", async () => {
  await readTree({ root: worktree, stateHome: world.repository.stateHome });
  change(worktree, { "a.txt": "b\n" });
  expect(world.filesOf(commitIn(await keep()))["a.txt"]).toBe("b\n");
});

it("the commit of a result keeps the same files whatever was committed, staged or checked out meanwhile", async () => {
  change(worktree, DONE);
  const plain = world.git("rev-parse", `${commitIn(await keep())}^{tree}`);
  world.gitIn(worktree, "checkout", "-qb", "elsewhere");
  world.gitIn(worktree, "add", "-A");
  world.gitIn(worktree, "commit", "-qm", "of the agent");
  world.gitIn(worktree, "rm", "-q", "--cached", "a.txt");
  const again = commitIn(await keep());
  expect(world.git("rev-parse", `${again}^{tree}`)).toBe(plain);
  expect(world.git("rev-parse", `${again}^`).trim()).toBe(world.first);
});

it("the commit of a result is the same commit when it is done again, and never replaces another one", async () => {
  change(worktree, DONE);
  const commit = commitIn(await keep());
  expect(commitIn(await keep())).toBe(commit);
  change(worktree, { "a.txt": "changed once more\n" });
  expect(await keep()).toEqual({ type: "ref-taken", by: commit });
});

it("the commit of a result keeps a file that is tracked though ignored", async () => {
  world.write({ "forced.txt": "one\n" });
  world.git("add", "-f", "forced.txt");
  world.git("commit", "-qm", "forced");
  worktree = world.plainWorktree("second", world.head());
  change(worktree, { "forced.txt": "two\n" });
  const commit = commitIn(await keep({ base: world.head() }));
  expect(world.filesOf(commit)["forced.txt"]).toBe("two\n");
});

it("the commit of a result says that nothing changed", async () => {
  expect(await keep()).toMatchObject({ type: "kept", isUnchanged: true, leftOut: [] });
});

it("the commit of a result does without the worktree's .git, also when it was pruned or is another repository by now", async () => {
  change(worktree, DONE);
  rmSync(join(worktree, ".git"));
  world.git("worktree", "prune");
  world.git("gc", "-q", "--prune=now");
  expect(world.filesOf(commitIn(await keep()))).toEqual(RESULT);
  world.gitIn(worktree, "init", "-q");
  expect((await keep()).type).toBe("kept");
});

it("the commit of a result keeps bytes as they lie, whatever the attributes say", async () => {
  world.write({ ".gitattributes": "*.txt text eol=crlf filter=shout\n" });
  world.git("config", "filter.shout.clean", `touch ${join(world.home, "ran")}; cat`);
  change(worktree, { ".gitattributes": "*.txt text eol=crlf filter=shout\n", "a.txt": "one\r\ntwo\n" });
  const commit = commitIn(await keep());
  expect(world.filesOf(commit)["a.txt"]).toBe("one\r\ntwo\n");
  expect(() => readFileSync(join(world.home, "ran"))).toThrow("ENOENT");
});

it("the commit of a result leaves submodules as the base has them, and names repositories that it can't keep", async () => {
  const inner = new GitWorld({ "inner.txt": "inner\n" });
  world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "lib/inner");
  world.git("commit", "-qm", "submodule");
  const base = world.head();
  worktree = world.plainWorktree("with-submodule", base);
  change(worktree, { "a.txt": "changed\n", "own/x.txt": "x\n" });
  world.gitIn(join(worktree, "own"), "init", "-q");
  world.gitIn(join(worktree, "own"), "add", "-A");
  world.gitIn(join(worktree, "own"), "commit", "-qm", "own");
  const result = await keep({ base });
  expect(result).toMatchObject({ type: "kept", leftOut: ["own"] });
  const link = (tree: string): string => world.git("ls-tree", tree, "lib/inner");
  expect(link(commitIn(result))).toBe(link(base));
  expect(link(base)).toContain("160000");
});

it("the commit of a result says when the worktree is gone, emptied or a link, and when the base is not known", async () => {
  const moved = join(world.home, "moved");
  expect(await keep({ base: "1".repeat(40) })).toEqual({ type: "base-unknown" });
  expect(await keep({ base: world.first.slice(0, 12) })).toEqual({ type: "base-unknown" });
  renameSync(worktree, moved);
  expect(await keep()).toEqual({ type: "worktree-gone" });
  symlinkSync(moved, worktree);
  expect(await keep()).toEqual({ type: "worktree-gone" });
  rmSync(worktree);
  change(worktree, { "x.log": "ignored" });
  change(worktree, { "x.log": null });
  expect(await keep()).toEqual({ type: "worktree-gone" });
});

it("the commit of a result has nothing to keep in where the user's folder is no repository", async () => {
  change(worktree, DONE);
  expect(
    await keepResult({
      ...world.repository,
      root: world.home,
      worktree,
      base: world.first,
      ref: REF,
      message: "",
      trailers: {},
    }),
  ).toMatchObject({ type: "failed", why: `${world.home} has no usable .git` });
  expect(readFileSync(join(worktree, "a.txt"), "utf8")).toBe("changed\n");
});
