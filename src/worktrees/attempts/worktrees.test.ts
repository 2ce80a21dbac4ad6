import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { change, GitWorld } from "../../../test/support/git-world.ts";
import { Sandbox } from "../../../test/support/sandbox.ts";
import { parseLoopId } from "../../core/loop/id.ts";
import { keepResult, type KeptResult } from "../integration/keep-result.ts";
import { addWorktree, type AddedWorktree } from "./add-worktree.ts";
import { listWorktrees, worktreeState } from "./list-worktrees.ts";
import { attemptName, worktreePath, writeMarker, type WorktreeName } from "./marker.ts";
import { removeWorktree, type RemovedWorktree } from "./remove-worktree.ts";

const REF = "refs/loopwright/fix-ab12/tasks/T-001/1";
const STRAY = "refs/loopwright/fix-ab12/strays/T-001-1";
const FILES = { ".gitignore": "node_modules/\n", "a.txt": "a\n", "bin/run": "#!/bin/sh\n" };

let world: GitWorld;
let which: WorktreeName;
let path: string;

beforeEach(() => {
  world = new GitWorld(FILES);
  which = nameFor(world);
  path = worktreePath(which);
});

function nameFor({ root, home }: Sandbox, name = attemptName("T-001", 1)): WorktreeName {
  const loop = parseLoopId("fix-ab12");
  if (loop === null) throw new Error("no id");
  return { root, stateHome: join(home, "state", "loopwright"), loop, name };
}

async function add(commit = world.first): Promise<AddedWorktree> {
  return addWorktree({ ...which, commit });
}

async function remove(kept: string | null = null): Promise<RemovedWorktree> {
  return removeWorktree({ ...which, kept });
}

async function keep(): Promise<KeptResult> {
  return keepResult({
    ...world.repository,
    worktree: path,
    base: world.first,
    ref: REF,
    message: "Attempt 1",
    trailers: {},
  });
}

async function keptCommit(): Promise<string> {
  const kept = await keep();
  if (kept.type !== "kept") throw new Error(JSON.stringify(kept));
  return kept.commit;
}

function unlink(): void {
  rmSync(join(path, ".git"));
}

it("an attempt makes a detached worktree in the state home, which git finds clean, and which leaves the user's alone", async () => {
  const before = world.git("status", "--porcelain=v2", "--branch");
  expect(await add()).toEqual({ type: "there", path, isNew: true });
  expect(path).toMatch(/\/state\/loopwright\/worktrees\/[0-9a-f]{16}\/fix-ab12\/T-001-1$/);
  expect(world.gitIn(path, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)\n");
  expect(world.gitIn(path, "diff-files", "--name-only")).toBe("");
  expect(world.gitIn(path, "rev-parse", "HEAD").trim()).toBe(world.first);
  expect(readFileSync(join(path, "bin/run"), "utf8")).toBe("#!/bin/sh\n");
  expect(world.git("status", "--porcelain=v2", "--branch")).toBe(before);
});

it("an attempt runs neither hooks nor filters, and a result without changes has none", async () => {
  const ran = join(world.home, "ran");
  const hook = join(world.root, ".git", "hooks", "post-checkout");
  writeFileSync(hook, `#!/bin/sh\ntouch ${ran}\n`);
  chmodSync(hook, 0o755);
  world.git("config", "filter.shout.smudge", `touch ${ran}; tr a-z A-Z`);
  world.git("config", "core.autocrlf", "true");
  const commit = world.commitOn(world.first, { ".gitattributes": "*.txt filter=shout eol=crlf\n" });
  rmSync(ran, { force: true });
  expect(await add(commit)).toMatchObject({ type: "there" });
  expect(existsSync(ran)).toBe(false);
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("a\n");
  expect(
    await keepResult({
      ...world.repository,
      worktree: path,
      base: commit,
      ref: REF,
      message: "",
      trailers: {},
    }),
  ).toMatchObject({ type: "kept", isUnchanged: true });
});

it("an attempt goes on with one that is there, with all that was done in it", async () => {
  await add();
  change(path, { "a.txt": "half done\n" });
  expect(await add()).toEqual({ type: "there", path, isNew: false });
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("half done\n");
});

it("an attempt begins again where the process died while it was made", async () => {
  await add();
  rmSync(join(path, "a.txt"));
  writeMarker(which, { commit: world.first, stage: "making" });
  expect(await add()).toEqual({ type: "there", path, isNew: true });
  expect(world.gitIn(path, "status", "--porcelain")).toBe("");
});

it("leaves no draft of a marker whose writer was killed", async () => {
  await add();
  const dead = spawnSync("true").pid;
  writeFileSync(`${path}.json.${dead}.abc123.tmp`, "{");
  writeFileSync(`${path}.json.${process.pid}.abc123.tmp`, "{");
  expect(await remove()).toEqual({ type: "removed" });
  expect(readdirSync(dirname(path))).toEqual([`T-001-1.json.${process.pid}.abc123.tmp`]);
});

it("touches nothing that it has not made", async () => {
  change(path, { "mine.txt": "mine\n" });
  expect(await add()).toEqual({ type: "in-the-way", path });
  expect(await remove()).toEqual({ type: "not-ours" });
  expect(readFileSync(join(path, "mine.txt"), "utf8")).toBe("mine\n");
});

it("an attempt follows no link, neither to make nor to remove", async () => {
  await add();
  const elsewhere = join(world.home, "elsewhere");
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  expect(await add()).toEqual({ type: "in-the-way", path });
  expect(await remove()).toEqual({ type: "not-ours" });
  rmSync(path);
  const loop = dirname(path);
  renameSync(loop, `${loop}-moved`);
  symlinkSync(`${loop}-moved`, loop);
  expect(await remove()).toEqual({ type: "not-ours" });
  expect(existsSync(join(elsewhere, "a.txt"))).toBe(true);
});

it("removes the folder and what git knows of it, also twice", async () => {
  await add();
  change(path, { "node_modules/x/index.js": "x\n" });
  mkdirSync(join(path, "node_modules", "closed"), { mode: 0 });
  expect(await remove()).toEqual({ type: "removed" });
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(join(world.stateHome, "trees"))).toEqual([]);
  expect(world.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(await remove()).toEqual({ type: "not-ours" });
});

it("an attempt does not remove the last copy of a work", async () => {
  await add();
  change(path, { "a.txt": "done\n", "new.txt": "new\n" });
  expect(await remove()).toEqual({ type: "unkept", files: ["a.txt", "new.txt"] });
  const commit = await keptCommit();
  change(path, { "new.txt": "and more\n" });
  expect(await remove(commit)).toEqual({ type: "unkept", files: ["new.txt"] });
  expect(await remove("6".repeat(40))).toMatchObject({ type: "unkept" });
  change(path, { "new.txt": "new\n" });
  expect(await remove(commit)).toEqual({ type: "removed" });
});

it("an attempt goes on with a removal that was killed", async () => {
  await add();
  change(path, { "a.txt": "done\n" });
  rmSync(join(path, "bin"), { recursive: true });
  writeMarker(which, { commit: world.first, stage: "removing" });
  expect(await remove()).toEqual({ type: "removed" });
});

it("an attempt keeps commits that the agent made and no ref leads to", async () => {
  await add();
  change(path, { "a.txt": "committed\n" });
  world.gitIn(path, "commit", "-qam", "of the agent");
  const stray = world.gitIn(path, "rev-parse", "HEAD").trim();
  change(path, { "a.txt": "and changed\n" });
  expect(await remove(await keptCommit())).toEqual({ type: "removed" });
  expect(world.git("rev-parse", STRAY).trim()).toBe(stray);
});

it("an attempt is mended after its .git was deleted, also when git pruned it", async () => {
  await add();
  change(path, { "a.txt": "half done\n" });
  unlink();
  expect(await add()).toEqual({ type: "there", path, isNew: false });
  expect(world.gitIn(path, "status", "--porcelain")).toBe(" M a.txt\n");
  unlink();
  world.git("worktree", "prune", "--expire=now");
  world.git("gc", "-q", "--prune=now");
  expect(await add()).toEqual({ type: "there", path, isNew: false });
  expect(world.gitIn(path, "status", "--porcelain")).toBe(" M a.txt\n");
  expect(world.git("worktree", "list").trim().split("\n")).toHaveLength(2);
});

it("an attempt is made anew after it was deleted", async () => {
  await add();
  rmSync(path, { recursive: true });
  expect(await keep()).toEqual({ type: "worktree-gone" });
  expect(await add()).toEqual({ type: "there", path, isNew: true });
  rmSync(path, { recursive: true });
  world.git("worktree", "prune", "--expire=now");
  expect(await add()).toEqual({ type: "there", path, isNew: true });
});

it("an attempt says that an agent put a repository of its own in the place of .git, and still keeps its files", async () => {
  await add();
  unlink();
  world.gitIn(path, "init", "-q");
  change(path, { "a.txt": "done\n" });
  expect(await add()).toMatchObject({ type: "failed" });
  const commit = await keptCommit();
  expect(world.filesOf(commit)["a.txt"]).toBe("done\n");
  expect(await remove(commit)).toEqual({ type: "removed" });
});

it("survives what an agent does with git in it", async () => {
  await add();
  change(path, { "a.txt": "done\n" });
  world.gitIn(path, "checkout", "-qb", "agents-own");
  world.gitIn(path, "commit", "-qam", "mine");
  world.gitIn(path, "worktree", "prune", "--expire=now");
  world.gitIn(path, "gc", "-q", "--prune=now");
  world.gitIn(path, "checkout", "-q", "--detach", world.first);
  world.gitIn(path, "checkout", "-q", "agents-own", "--", "a.txt");
  const commit = await keptCommit();
  expect(world.filesOf(commit)["a.txt"]).toBe("done\n");
  expect(await remove(commit)).toEqual({ type: "removed" });
  expect(world.git("rev-parse", "--verify", "-q", "agents-own")).not.toBe("");
});

it("an attempt says when there is nothing to make a worktree of", async () => {
  const empty = new Sandbox();
  const into = (name: WorktreeName): Promise<AddedWorktree> => addWorktree({ ...name, commit: world.first });
  expect(await into(nameFor(empty))).toEqual({ type: "no-repository" });
  empty.git("init", "-q");
  expect(await into(nameFor(empty))).toEqual({ type: "no-commit" });
  const bare = new Sandbox();
  bare.git("init", "-q", "--bare");
  expect(await into(nameFor(bare))).toEqual({ type: "no-repository" });
});

it("an attempt makes worktrees of a repository with submodules, and leaves those empty", async () => {
  const inner = new GitWorld({ "inner.txt": "inner\n" });
  world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "lib");
  world.git("commit", "-qm", "submodule");
  expect(await add(world.head())).toMatchObject({ type: "there" });
  expect(world.gitIn(path, "status", "--porcelain")).toBe("");
  expect(await remove()).toEqual({ type: "removed" });
});

it("the list of worktrees has what is ours, how much it takes and what can become of it", async () => {
  await add();
  change(path, { "node_modules/big.bin": "x".repeat(100_000) });
  const gone = nameFor(world, attemptName("T-002", 1));
  await addWorktree({ ...gone, commit: world.first });
  rmSync(worktreePath(gone), { recursive: true });
  change(worktreePath(nameFor(world, "stranger")), { "x.txt": "x\n" });
  const listed = await listWorktrees(which, () => ({ isDriven: false, hasEnded: false }));
  expect(listed).toMatchObject([
    { name: "T-001-1", state: "resumable", isThere: true, isLinked: true, use: { isAtLeast: false } },
    { name: "T-002-1", state: "dead", isThere: false, isLinked: false, use: { bytes: 0 } },
  ]);
  expect(listed[0]?.use.bytes).toBeGreaterThan(100_000);
});

it.each([
  [{ isThere: true, isDriven: true, hasEnded: false }, "live"],
  [{ isThere: true, isDriven: false, hasEnded: false }, "resumable"],
  [{ isThere: true, isDriven: false, hasEnded: true }, "dead"],
  [{ isThere: false, isDriven: true, hasEnded: false }, "dead"],
] as const)("%j is %s", (facts, state) => {
  expect(worktreeState(facts)).toBe(state);
});
