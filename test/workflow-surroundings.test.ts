import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { DONE } from "./support/driven.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const ONE = plan(["T-001", "test -f one.txt"]);
const TWO = plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt", "T-001"]);
const WRITES = { "T-001": [writes("one.txt")], "T-002": [writes("two.txt")] };

describe("where a plan is run", () => {
  test("a repository without a commit: says so, and opens nothing", () => {
    const stage = new PlanStage(ONE);
    rmSync(join(stage.root, ".git"), { recursive: true });
    stage.git("init", "-q");
    const ran = stage.work(WRITES);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("This repository has no commit yet");
    expect(ran.out).toBe("");
    expect(stage.loops).toEqual([]);
  });

  test("a folder that isn't in the last commit: says so, and opens nothing", () => {
    const stage = new PlanStage(ONE);
    mkdirSync(join(stage.root, "sub"));
    const ran = stage.loopWith({ cwd: join(stage.root, "sub") }, ...stage.working(WRITES));
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("The tasks start from the last commit, which has no folder sub;");
    expect(stage.loops).toEqual([]);
  });

  variant("a detached HEAD: the branch is left, with the command that takes the work", () => {
    const stage = new PlanStage(ONE);
    stage.git("checkout", "-q", "--detach");
    const before = stage.userState();
    const ran = stage.work(WRITES);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain(
      `The work is on the branch loop/${stage.id}: HEAD was detached when the work began, so there is no branch to move. Take it with: git merge loop/${stage.id}`,
    );
    expect(stage.userState()).toBe(before);
    expect(stage.loop("undo").err).toContain("your files are as they were");
    stage.git("merge", "-q", `loop/${stage.id}`);
    expect(stage.read("one.txt")).toBe("one.txt\n");
    expect(stage.loop("status", "--all").out).toContain("Your branch has the work of all tasks.");
    expect(stage.loop("undo").err).toContain("you merged their work since");
  });

  variant("work that is there already: nothing is said to be moved, and no commit is named", () => {
    const stage = new PlanStage(ONE, { "one.txt": "one\n" });
    const ran = stage.work({ "T-001": [{ say: DONE }] });
    expectCode(ran, 6);
    expect(ran.out).toContain("The tasks changed nothing, so master stays as it was.");
    expect(ran.out).not.toContain("fast-forwarded");
    expect(ran.out).not.toContain(stage.git("rev-parse", "HEAD").slice(0, 8));
  });

  variant("a folder without git: one at a time, in place, and says so", () => {
    const stage = new PlanStage(TWO);
    rmSync(join(stage.root, ".git"), { recursive: true });
    const ran = stage.work(WRITES);
    expectCode(ran, 0);
    expect(ran.out).toContain("Without git the tasks run one at a time, in place.");
    expect(stage.read("one.txt")).toBe("one.txt\n");
    expect(stage.read("two.txt")).toBe("two.txt\n");
    expect(stage.folders()).toEqual([]);
  });

  test("a bare repository: says so, and writes nothing into it", () => {
    const stage = new PlanStage(ONE);
    const bare = join(stage.home, "bare.git");
    stage.git("clone", "-q", "--bare", stage.root, bare);
    const before = readdirSync(bare);
    const ran = stage.spawnLoopWith({ cwd: bare }, ...stage.working(WRITES));
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("This is a bare git repository, which has no files to work on");
    expect(readdirSync(bare)).toEqual(before);
  });

  test.runIf(isFullEffort)("with submodules: they stay as they are, and --setup brings their files", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const other = join(stage.home, "other");
    stage.git("clone", "-q", stage.root, other);
    const allowed = ["-c", "protocol.file.allow=always"];
    stage.git(...allowed, "submodule", "--quiet", "add", other, "vendored");
    stage.git("commit", "-qm", "With a submodule");
    const before = stage.git("rev-parse", "HEAD:vendored");
    const ran = stage.work(WRITES);
    expectCode(ran, 0);
    expect(ran.out).toContain("Worktrees don't have the files of submodules");
    expect(stage.git("rev-parse", "master:vendored")).toBe(before);

    stage.write({ "../home/PLAN.md": plan(["T-001", "test -f vendored/README.md && test -f three.txt"]) });
    const setup = `git ${allowed.join(" ")} submodule --quiet update --init`;
    expectCode(stage.work({ "T-001": [writes("three.txt")] }, "--setup", setup), 0);
    expect(stage.git("rev-parse", "master:vendored")).toBe(before);
    expect(stage.git("status", "--porcelain")).toBe("");
  });

  test.runIf(isFullEffort)(
    "with a branch called loop: says that it is in the way, and goes on once it isn't",
    () => {
      const stage = new PlanStage(ONE);
      stage.git("branch", "loop");
      const ran = stage.work(WRITES);
      expect(ran.code).toBe(1);
      expect(ran.err).toMatch(/The branch loop\/a-plan-\w+ can't be made: .*'refs\/heads\/loop' exists/);
      expect(stage.eventsOf("attempt.started")).toEqual([]);
      stage.git("branch", "-m", "loop", "mine");
      expectCode(stage.spawnLoop("continue"), 0);
      expect(stage.tasksOn("master")).toEqual(["T-001"]);
    },
  );

  variant("with work that isn't committed: names changed files first, and the task that is about one", () => {
    const stage = new PlanStage(`${ONE}files: src/sum.js\n`, { "src/sum.js": "1;\n" });
    stage.write({ "A.md": "", "B.md": "", "NOTES.txt": "", "src/sum.js": "2;\n" });
    const ran = stage.work(WRITES, "--setup", "exit 1");
    expectCode(ran, 4);
    expect(ran.out).toContain("what you have not committed: src/sum.js, A.md, B.md and 1 more\n");
    expect(ran.out).toContain(
      "[LOOP] T-001 is about src/sum.js, which you have changed: your branch can't be moved over that at the end.",
    );
  });

  variant("with work that isn't committed, and without a name for commits: says so, once", () => {
    const stage = new PlanStage(ONE);
    for (const name of Object.keys(stage.env)) if (name.startsWith("GIT_")) delete stage.env[name];
    stage.write({ "README.md": "Changed\n", "new.txt": "new\n" });
    const ran = stage.work(WRITES);
    expectCode(ran, 0);
    expect(ran.out).toContain(
      "The tasks start from your last commit, without what you have not committed: README.md, new.txt",
    );
    expect(ran.out.match(/the commits are by Loopwright <loop@localhost>; to change that/g)).toHaveLength(1);
    expect(stage.git("status", "--porcelain")).toBe(" M README.md\n?? new.txt\n");
  });

  variant("a subfolder of the repository", () => {
    const stage = new PlanStage(ONE, { "sub/file.txt": "sub\n" });
    const ran = stage.spawnLoopWith({ cwd: join(stage.root, "sub") }, ...stage.working(WRITES));
    expectCode(ran, 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });
});

describe("what the user does meanwhile", () => {
  /** The last task waits, so that its test can do something in the middle. */
  async function amidWork(act: (stage: PlanStage) => void): Promise<{ stage: PlanStage; out: string }> {
    const stage = new PlanStage(TWO);
    const turn = { do: [{ run: stage.meet("two") }, { write: "two.txt", text: "two\n" }], say: DONE };
    const run = stage.drive(stage.working({ ...WRITES, "T-002": [turn] }));
    await stage.met("two");
    act(stage);
    const before = stage.userState();
    stage.letGo("two");
    const { code, out } = await run.ended();
    expect(code).toBe(0);
    expect(stage.userState()).toBe(before);
    expect(stage.tasksOn(`loop/${stage.id}`)).toEqual(["T-001", "T-002"]);
    expect(stage.worktrees()).toEqual([]);
    return { stage, out };
  }

  test("is a commit: their branch is left, and they are told how to take the work", async () => {
    const { stage, out } = await amidWork((now) => {
      now.write({ "mine.txt": "mine\n" });
      now.git("add", "mine.txt");
      now.git("commit", "-qm", "Mine");
    });
    expect(out).toContain(`Take it with: git merge loop/${stage.id}`);
    stage.git("merge", "-q", "--no-edit", `loop/${stage.id}`);
    expect(stage.read("two.txt")).toBe("two\n");
  });

  test.runIf(isFullEffort)("switches to another branch", async () => {
    const { stage, out } = await amidWork((now) => void now.git("switch", "-q", "-c", "other"));
    expect(out).toContain("other is checked out, and not master any more");
    expect(out).toContain(`git switch master && git merge loop/${stage.id}`);
  });

  test.runIf(isFullEffort)("has a file in the way", async () => {
    const { stage, out } = await amidWork((now) => now.write({ "one.txt": "mine\n" }));
    expect(out).toContain("one.txt");
    expect(out).toContain(`Take it with: git merge loop/${stage.id}`);
    expect(stage.read("one.txt")).toBe("mine\n");
  });

  test.runIf(isFullEffort)("rebases: rewrites the commit that the work began at", async () => {
    const { out } = await amidWork((now) => void now.git("commit", "-q", "--amend", "-m", "Another start"));
    expect(out).toContain("so it can't be fast-forwarded");
  });
});

describe("two plans in one repository at once", () => {
  test.runIf(isFullEffort)("both are done; the second stays on its branch", async () => {
    const stage = new PlanStage(ONE);
    const first = stage.drive(stage.working(WRITES));
    const second = stage.drive(stage.working(WRITES));
    const [one, other] = [await first.ended(), await second.ended()];
    expectCode(one, 0);
    expectCode(other, 0);
    const said = `${one.out}${other.out}`;
    expect(said.match(/was fast-forwarded/g)).toHaveLength(1);
    expect(said.match(/Take it with: git merge loop\//g)).toHaveLength(1);
    expect(stage.workflows).toHaveLength(2);
    expect(existsSync(join(stage.root, "one.txt"))).toBe(true);
    expect(stage.worktrees()).toEqual([]);
  });
});
