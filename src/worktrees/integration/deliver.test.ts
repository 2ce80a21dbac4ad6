import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import { deliver, type Delivered } from "./deliver.ts";
import { variant } from "../../../test/support/variant.ts";

let world: GitWorld;
let tip: string;
/** The commits from which the user's branch was about to be moved. */
let begun: string[];

beforeEach(() => {
  begun = [];
  world = new GitWorld({ ".gitignore": "*.log\n", "a.txt": "a\n", "b.txt": "b\n" });
  tip = world.commitOn(world.first, { "a.txt": "done\n", "new.txt": "new\n" });
  world.git("branch", "loop/fix-ab12", tip);
});

async function toMain(userBranch: string | null = "main", isBegunBefore = false): Promise<Delivered> {
  const where = { root: world.root, branch: "loop/fix-ab12", tip, userBranch };
  return deliver({ ...where, isBegunBefore, begin: async (from) => (begun.push(from), true) });
}

function branch(name = "main"): string {
  return world.git("rev-parse", name).trim();
}

it("the delivery moves the user's branch and files, and leaves every other change of theirs as it is", async () => {
  world.write({ "b.txt": "half\r\nwritten", "notes.md": "untracked\n", "x.log": "ignored\n" });
  world.write({ "staged.txt": "staged\n" });
  world.git("add", "staged.txt");
  const before = statSync(join(world.root, "b.txt")).mtimeMs;
  expect(await toMain()).toEqual({ type: "moved" });
  expect(branch()).toBe(tip);
  expect(world.read("a.txt")).toBe("done\n");
  expect(world.read("b.txt")).toBe("half\r\nwritten");
  expect(statSync(join(world.root, "b.txt")).mtimeMs).toBe(before);
  expect(world.git("status", "--porcelain")).toBe(" M b.txt\nA  staged.txt\n?? notes.md\n");
  expect(await toMain()).toEqual({ type: "moved" });
  expect(begun).toEqual([world.first]);
});

it("the delivery touches nothing when it may not begin", async () => {
  const where = { root: world.root, branch: "loop/fix-ab12", tip, userBranch: "main", isBegunBefore: false };
  expect(await deliver({ ...where, begin: async () => false })).toMatchObject({ type: "left" });
  expect(branch()).toBe(world.first);
  expect(world.git("status", "--porcelain")).toBe("");
});

it("the delivery says whose changes may be in the way when an earlier process was killed on the way", async () => {
  world.write({ "a.txt": "done\n" });
  expect(await toMain("main", true)).toMatchObject({
    type: "left",
    why: expect.stringMatching(/^You have changes in a\.txt; .* may be the loop's work and not yours/),
  });
});

it("the delivery is there already when the user has gone on from it, wherever they are now", async () => {
  expect(await toMain()).toEqual({ type: "moved" });
  world.write({ "b.txt": "mine\n" });
  world.commitAll();
  const mine = branch();
  expect(mine).not.toBe(tip);
  expect(await toMain()).toEqual({ type: "moved" });
  world.git("switch", "-qc", "elsewhere");
  expect(await toMain()).toEqual({ type: "moved" });
  expect(branch()).toBe(mine);
});

it("the delivery is not led astray by settings for merges, nor runs a hook", async () => {
  world.git("config", "merge.autoStash", "true");
  world.git("config", "branch.main.mergeOptions", "--squash --no-commit");
  world.git("config", "merge.ff", "false");
  const hook = join(world.root, ".git", "hooks", "post-merge");
  writeFileSync(hook, `#!/bin/sh\ntouch ${join(world.home, "ran")}\n`);
  chmodSync(hook, 0o755);
  world.write({ "b.txt": "mine\n" });
  expect(await toMain()).toEqual({ type: "moved" });
  expect(branch()).toBe(tip);
  expect(world.read("b.txt")).toBe("mine\n");
  expect(existsSync(join(world.home, "ran"))).toBe(false);
});

const MERGE = "git merge loop/fix-ab12";

/** What came of it, and whether all is as it was before. */
async function tried(userBranch?: string | null): Promise<unknown> {
  const look = (): unknown => [branch(), world.git("status", "--porcelain", "--ignored", "-uall")];
  const before = look();
  const delivered = await toMain(userBranch);
  return { ...delivered, isUntouched: isDeepStrictEqual(look(), before) };
}

function left(why: string, command = MERGE): unknown {
  return { type: "left", why, command, isUntouched: true };
}

it("the delivery is left when a change of the user's is in the way", async () => {
  world.git("config", "merge.autoStash", "true");
  world.write({ "a.txt": "mine\n" });
  expect(await tried()).toEqual(left("You have changes in a.txt; commit or stash them first."));
  expect(world.read("a.txt")).toBe("mine\n");
});

it("the delivery is left when an untracked or an ignored file is in the way", async () => {
  world.write({ "new.txt": "mine\n" });
  expect(await tried()).toEqual(
    left("A file that git doesn't track is in the way: new.txt; move it away first."),
  );
  writeFileSync(join(world.root, ".git", "info", "exclude"), "new.txt\n");
  expect(await tried()).toEqual(
    left("A file that git doesn't track is in the way: new.txt; move it away first."),
  );
  expect(world.read("new.txt")).toBe("mine\n");
});

variant("the delivery is left when the user went on meanwhile", async () => {
  world.git("commit", "--allow-empty", "-qm", "of the user");
  expect(await tried()).toEqual(
    left("main has commits that loop/fix-ab12 doesn't have, so it can't be fast-forwarded."),
  );
  world.git("commit", "--amend", "--allow-empty", "-qm", "start, reworded");
  expect(await tried()).toEqual(
    left("main has commits that loop/fix-ab12 doesn't have, so it can't be fast-forwarded."),
  );
});

it("the delivery is left when another branch is checked out, or none", async () => {
  world.git("checkout", "-qb", "other");
  expect(await tried()).toEqual(
    left("other is checked out, and not main any more.", `git switch main && ${MERGE}`),
  );
  world.git("checkout", "-q", "--detach");
  expect(await tried()).toEqual(
    left("HEAD is detached, and not on main any more.", `git switch main && ${MERGE}`),
  );
  expect(await tried(null)).toEqual(
    left("HEAD was detached when the work began, so there is no branch to move."),
  );
});

it("the delivery is left with the command that takes this work alone, when its branch was moved or deleted", async () => {
  world.write({ "a.txt": "mine\n" });
  const why = "You have changes in a.txt; commit or stash them first.";
  world.git("update-ref", "refs/heads/loop/fix-ab12", world.commitOn(tip, { "evil.txt": "evil\n" }));
  expect(await tried()).toEqual(left(why, `git merge ${tip}`));
  world.git("branch", "-D", "loop/fix-ab12");
  expect(await tried()).toEqual(left(why, `git merge ${tip}`));
});

variant("the delivery is left on a branch without a commit", async () => {
  world.git("checkout", "-q", "--orphan", "fresh");
  expect(await tried("fresh")).toEqual(left("fresh has no commit."));
  expect(begun).toEqual([]);
});

variant("the delivery is left in the middle of a merge", async () => {
  world.git("branch", "side", world.commitOn(world.first, { "b.txt": "side\n" }));
  world.git("merge", "-q", "--no-ff", "--no-commit", "side");
  expect(await tried()).toEqual(left("A merge or a cherry-pick of yours is not finished; finish it first."));
});

variant("the delivery is left while another git is at work", async () => {
  const lock = join(world.root, ".git", "index.lock");
  writeFileSync(lock, "");
  expect(await tried()).toEqual(left(`Another git is at work here, or left ${lock} behind.`));
});

variant("the delivery is left when a submodule changes", async () => {
  const inner = new GitWorld({ "inner.txt": "inner\n" });
  world.git("checkout", "-q", "loop/fix-ab12");
  world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "lib");
  world.git("commit", "-qm", "submodule");
  tip = world.head();
  world.git("checkout", "-q", "main");
  expect(await tried()).toEqual(
    left("The submodule lib changes, which needs `git submodule update` afterwards."),
  );
});

it("the delivery is left when a filter has a say in a file, and runs none", async () => {
  world.git("config", "filter.shout.smudge", `touch ${join(world.home, "ran")}; cat`);
  tip = world.commitOn(tip, { ".gitattributes": "*.txt filter=shout\n" });
  world.git("branch", "-f", "loop/fix-ab12", tip);
  const ran = (): boolean => existsSync(join(world.home, "ran"));
  expect(await tried()).toEqual(
    left(".gitattributes goes through a filter of your git's, which is not run for you."),
  );
  expect(ran()).toBe(false);
});

it("the delivery is left when the work is no longer there", async () => {
  tip = "4".repeat(40);
  expect(await tried()).toEqual(
    left("The last commit of loop/fix-ab12 is no longer in the repository.", `git merge ${tip}`),
  );
  expect(readFileSync(join(world.root, "a.txt"), "utf8")).toBe("a\n");
});
