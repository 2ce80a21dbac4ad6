import { beforeEach, expect, it } from "vitest";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { change, GitWorld } from "../../../test/support/git-world.ts";
import { commitOnto } from "./branch.ts";
import { foretellConflicts } from "./foretell-conflicts.ts";
import { layOver } from "./lay-over.ts";
import { mergeResult, revertedByEach, revertedFiles } from "./merge-result.ts";

const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

let world: GitWorld;

beforeEach(() => {
  world = new GitWorld({ "a.txt": TEN, "b.txt": "b\n", "c.txt": "c\n" });
});

it("a merge takes in a result that began before the tip, and touches no file, index or branch", async () => {
  const tip = world.commitOn(world.first, { "a.txt": TEN.replace("1\n", "one\n") });
  const result = world.commitOn(world.first, { "a.txt": TEN.replace("10\n", "ten\n"), "new.txt": "new\n" });
  world.write({ "a.txt": "the user's own\n" });
  const before = world.git("status", "--porcelain=v2", "--branch");
  const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
  if (merged.type !== "clean") throw new Error(JSON.stringify(merged));
  expect(world.filesOf(merged.tree)).toMatchObject({
    "a.txt": TEN.replace("1\n", "one\n").replace("10\n", "ten\n"),
    "new.txt": "new\n",
  });
  expect(world.git("status", "--porcelain=v2", "--branch")).toBe(before);
});

it("a merge shows both sides of a conflict, and names the files and what is wrong", async () => {
  const tip = world.commitOn(world.first, { "b.txt": "theirs\n", "c.txt": null });
  const result = world.commitOn(world.first, { "b.txt": "mine\n", "c.txt": "changed\n", "d.txt": "d\n" });
  const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
  if (merged.type !== "conflict") throw new Error(JSON.stringify(merged));
  expect(merged.files).toEqual(["b.txt", "c.txt"]);
  expect(merged.messages).toEqual([
    "CONFLICT (content): Merge conflict in b.txt",
    "CONFLICT (modify/delete): c.txt deleted in accepted and modified in result.  Version result of c.txt left in tree.",
  ]);
  const files = world.filesOf(merged.tree);
  expect(files["b.txt"]).toMatch(/^<{7} accepted.*\ntheirs\n\|{7} .*\nb\n={7}\nmine\n>{7} result.*\n$/);
  expect(files["c.txt"]).toBe("changed\n");
  expect(files["d.txt"]).toBe("d\n");
});

it("a merge needs no history, so a shallow clone will do", async () => {
  const clone = join(world.home, "clone");
  world.git("clone", "-q", "--depth", "1", `file://${world.root}`, clone);
  const result = world.commitOn(world.first, { "b.txt": "mine\n" });
  world.gitIn(clone, "fetch", "-q", "--depth", "1", "origin", result);
  const merged = await mergeResult({
    root: clone,
    stateHome: world.stateHome,
    tip: world.first,
    base: world.first,
    result,
  });
  expect(merged.type).toBe("clean");
});

it("a merge runs no merge driver of the repository's", async () => {
  world.write({ ".gitattributes": "*.txt merge=shout\n" });
  world.git("config", "merge.shout.driver", `touch ${join(world.home, "ran")}; false`);
  const tip = world.commitOn(world.first, { "a.txt": TEN.replace("1\n", "one\n") });
  const result = world.commitOn(world.first, { "a.txt": TEN.replace("10\n", "ten\n") });
  const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
  expect(merged.type).toBe("clean");
  expect(() => execFileSync("ls", [join(world.home, "ran")], { stdio: "ignore" })).toThrow("Command failed");
});

it("a merge says that a commit is gone", async () => {
  const merged = await mergeResult({
    ...world.repository,
    tip: world.first,
    base: world.first,
    result: "2".repeat(40),
  });
  expect(merged).toEqual({ type: "failed", why: "a commit of this merge is no longer in the repository" });
});

it("a merge is committed on a tip with trailers, in the user's name or else in ours", async () => {
  const tree = world.git("rev-parse", "HEAD^{tree}").trim();
  const options = {
    root: world.root,
    tip: world.first,
    tree,
    message: "Add it\n\nA body.",
    trailers: { Loop: "fix-ab12", "Loop-Task": "T-001" },
  };
  const said = async (): Promise<string> => {
    const made = await commitOnto(options);
    if (made.type !== "committed") throw new Error(made.why);
    return world.git("log", "-1", "--format=%an <%ae> %P%n%B", made.commit);
  };
  expect(await said()).toBe(
    `Loopwright <loop@localhost> ${world.first}\nAdd it\n\nA body.\n\nLoop: fix-ab12\nLoop-Task: T-001\n\n`,
  );
  world.git("config", "user.name", "Ada");
  world.git("config", "user.email", "ada@example.invalid");
  expect(await said()).toContain("Ada <ada@example.invalid>");
});

it("a look at a merge finds files that it puts back to what they were before an accepted commit", async () => {
  const second = world.commitOn(world.first, { "b.txt": "better\n", "new.txt": "new\n" });
  const tip = world.commitOn(second, { "c.txt": "better\n" });
  const tree = (files: { [path: string]: string | null }): string =>
    world.git("rev-parse", `${world.commitOn(tip, files)}^{tree}`).trim();
  const reverted = (merged: string): ReturnType<typeof revertedFiles> =>
    revertedFiles({ root: world.root, from: world.first, tip, tree: merged });
  expect(await reverted(tree({ "b.txt": "b\n", "new.txt": null, "a.txt": "other\n" }))).toEqual([
    { path: "b.txt", undoes: second },
    { path: "new.txt", undoes: second },
  ]);
  expect(await reverted(tree({ "b.txt": "best\n", "c.txt": "c\n" }))).toEqual([
    { path: "c.txt", undoes: tip },
  ]);
  expect(await reverted(tree({ "b.txt": "best\n" }))).toEqual([]);
});

it("what each commit of a branch silently puts back is told for all of them at once", async () => {
  const second = world.commitOn(world.first, { "b.txt": "better\n", "new.txt": "new\n" });
  const third = world.commitOn(second, { "b.txt": "best\n" });
  const fourth = world.commitOn(third, { "b.txt": "better\n", "new.txt": null });
  const fifth = world.commitOn(fourth, { "b.txt": "best\n" });
  const commits = [second, third, fourth, fifth];
  const each = await revertedByEach(world.root, commits);
  for (const [place, commit] of commits.entries()) {
    const tip = commits[place - 1] ?? world.first;
    expect(each?.get(commit)).toEqual(
      await revertedFiles({ root: world.root, from: world.first, tip, tree: commit }),
    );
  }
  expect(each?.get(fifth)).toEqual([{ path: "b.txt", undoes: fourth }]);
});

it("a conflict is laid over a worktree as uncommitted changes, on top of what was accepted since", async () => {
  const tip = world.commitOn(world.first, { "b.txt": "theirs\n" });
  const result = world.commitOn(world.first, { "b.txt": "mine\n", "c.txt": null, "deep/d.txt": "d\n" });
  const merged = await mergeResult({ ...world.repository, tip, base: world.first, result });
  if (merged.type !== "conflict") throw new Error(JSON.stringify(merged));
  const made = await commitOnto({ root: world.root, tip, tree: merged.tree, message: "m", trailers: {} });
  if (made.type !== "committed") throw new Error(made.why);
  const later = world.commitOn(tip, { "later.txt": "later\n", "a.txt": "accepted since\n" });
  const worktree = world.plainWorktree("next", later);
  change(worktree, { "b.txt": "left by the setup\n" });
  const laid = await layOver({
    ...world.repository,
    worktree,
    commit: made.commit,
    onto: later,
    ifUntouched: false,
  });
  expect(laid).toEqual({ type: "laid", files: ["b.txt", "c.txt", "deep/d.txt"], left: [] });
  expect(world.gitIn(worktree, "status", "--porcelain", "-uall")).toBe(" M b.txt\n D c.txt\n?? deep/d.txt\n");
  expect(world.gitIn(worktree, "grep", "-c", "<<<<<<<", "b.txt")).toBe("b.txt:1\n");
  expect(
    await layOver({ ...world.repository, worktree, commit: "3".repeat(40), onto: later, ifUntouched: false }),
  ).toEqual({
    type: "commit-unknown",
  });
});

it("the forecast says which results conflict with the tip, and which with each other", async () => {
  const tip = world.commitOn(world.first, { "c.txt": "accepted\n" });
  const one = world.commitOn(world.first, { "b.txt": "one\n" });
  const two = world.commitOn(tip, { "b.txt": "two\n" });
  const three = world.commitOn(world.first, { "c.txt": "three\n" });
  const four = world.commitOn(world.first, { "a.txt": "four\n" });
  const objects = world.git("count-objects");
  const base = world.first;
  expect(
    await foretellConflicts({
      ...world.repository,
      tip,
      results: [
        { commit: one, base },
        { commit: two, base: tip },
        { commit: three, base },
        { commit: four, base },
      ],
    }),
  ).toEqual({ type: "foretold", withTip: [three], pairs: [[one, two]] });
  expect(world.git("count-objects")).toBe(objects);
});

it("a commit is laid over untouched files alone, if asked to, and what is in the way is named", async () => {
  const made = world.commitOn(world.first, { "b.txt": "carried\n", deep: "a file\n" });
  const worktree = world.plainWorktree("next", world.first);
  const over = { ...world.repository, worktree, commit: made, onto: world.first };
  change(worktree, { "c.txt": "somebody's work\n" });
  expect(await layOver({ ...over, ifUntouched: true })).toEqual({ type: "worked-in" });
  expect(world.gitIn(worktree, "status", "--porcelain", "-uall")).toBe(" M c.txt\n");
  world.gitIn(worktree, "checkout", "-q", ".");
  expect(await layOver({ ...over, ifUntouched: true })).toMatchObject({ type: "laid", left: [] });
  expect(world.gitIn(worktree, "status", "--porcelain", "-uall")).toBe(" M b.txt\n?? deep\n");
  change(worktree, { deep: null, "deep/d.txt": "d\n" });
  expect(await layOver({ ...over, ifUntouched: false })).toMatchObject({ type: "laid", left: ["deep"] });
});
