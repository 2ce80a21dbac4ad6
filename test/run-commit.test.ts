import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, FINISHES, Stage, type PlayedTurn } from "./support/driven.ts";
import { gitThatKills } from "./support/git-that-kills.ts";
import { oneOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

function committed(stage: Stage): readonly string[] {
  return stage.git("show", "--name-only", "--format=", "HEAD").trim().split("\n");
}

function statusOf(stage: Stage): object | undefined {
  return (JSON.parse(stage.loop("status", "--all", "--json").out) as { readonly loops: readonly object[] })
    .loops[0];
}

describe("loop run --commit", () => {
  test("commits the work with what was shown, and neither the user's own changes nor what checks wrote", () => {
    const stage = new Stage({ "README.md": "A project\n", "mine.txt": "mine\n", "staged.txt": "old\n" });
    stage.write({ "mine.txt": "mine, changed\n", "staged.txt": "new\n", "untracked.txt": "mine\n" });
    stage.git("add", "staged.txt");
    stage.git("config", "user.name", "Uma");
    stage.git("config", "user.email", "uma@example.invalid");
    const turn: PlayedTurn = {
      do: [{ write: "done.txt", text: "done\n" }, { delete: "README.md" }],
      say: DONE,
    };
    const check = "done=mkdir -p cache && echo x > cache/seen.bin && test -f done.txt";
    const ran = stage.loop(
      "run",
      "Write done.txt",
      "-c",
      check,
      "--script",
      stage.script([turn]),
      "--commit",
    );
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining("stay out of the commit: mine.txt") });
    expect(ran.out).toMatch(/\[LOOP\] Committed: [0-9a-f]{8} on master/);
    expect(committed(stage)).toEqual(["README.md", "done.txt"]);
    const message = stage.git("log", "-1", "--format=%an%n%B");
    expect(message).toMatch(/^Uma\nWrite done.txt\n\n/);
    expect(message).toContain("- done: ✓");
    expect(message).toContain("Checked with: mkdir -p cache");
    expect(message).toContain(
      "Checked together with uncommitted changes: mine.txt, staged.txt, untracked.txt",
    );
    expect(message).toContain(`Loop: ${stage.id}\nLoop-Confidence: verified`);
    expect(stage.git("status", "--porcelain").split("\n").toSorted()).toEqual([
      "",
      " M mine.txt",
      "?? cache/",
      "?? untracked.txt",
      "M  staged.txt",
    ]);
    expect(stage.loop("status").out).toMatch(/Committed: [0-9a-f]{8} on master/);
    expect(statusOf(stage)).toMatchObject({ deliveredTo: "master", needs: null });
  });

  test("commits weak work only where that is accepted", () => {
    const stage = new Stage();
    const weak = ["run", "Write done.txt", "-c", "fine=true", "--script", stage.script([FINISHES])];
    const before = stage.git("rev-parse", "HEAD");
    expect(stage.loop(...weak, "--commit")).toMatchObject({
      code: 6,
      out: expect.stringContaining("Not committed: the work is weak"),
    });
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
    rmSync(join(stage.root, "done.txt"));
    expect(stage.loop(...weak, "--commit", "--accept", "weak")).toMatchObject({ code: 0 });
    expect(committed(stage)).toEqual(["done.txt"]);
    expect(stage.git("log", "-1", "--format=%B")).toContain("Loop-Confidence: weak");
  });

  test("commits nothing where the work is in a file that the user had changed", () => {
    const stage = new Stage({ "README.md": "A project\n", "shared.txt": "old\n" });
    stage.write({ "shared.txt": "mine\n" });
    const before = stage.git("rev-parse", "HEAD");
    const turn: PlayedTurn = {
      do: [
        { write: "done.txt", text: "done\n" },
        { write: "shared.txt", text: "both\n" },
      ],
      say: DONE,
    };
    const ran = stage.run([turn], "--commit");
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining("shared.txt had changes of yours") });
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
    expect(stage.git("status", "--porcelain")).toBe(" M shared.txt\n?? done.txt\n");
  });

  test("leaves it at that where the agent has committed everything", () => {
    const stage = new Stage();
    const turn: PlayedTurn = {
      do: [{ write: "done.txt", text: "done\n" }, { run: "git add done.txt && git commit -qm Mine" }],
      say: DONE,
    };
    expect(stage.run([turn], "--commit")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing left to commit."),
    });
    expect(stage.git("log", "-1", "--format=%s")).toBe("Mine\n");
  });

  test("is taken back by loop undo, as long as nothing is on top of it", () => {
    const stage = new Stage();
    const before = stage.git("rev-parse", "HEAD");
    stage.run([FINISHES], "--commit");
    expect(stage.loop("undo", "--yes")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/The commit [0-9a-f]{8} is no longer on master\./),
    });
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
    expect(stage.git("status", "--porcelain")).toBe("");
    expect(stage.loop("status").out).toContain("taken back since");
  });

  variant("stays when loop undo finds a commit of the user's on top of it", () => {
    const stage = new Stage();
    stage.run([FINISHES], "--commit");
    stage.git("commit", "-q", "--allow-empty", "-m", "Mine");
    expect(stage.loop("undo", "--yes").out).toMatch(/stays on master.*git revert [0-9a-f]{8}/);
    expect(stage.git("log", "-1", "--format=%s")).toBe("Mine\n");
    expect(stage.git("status", "--porcelain")).toBe(" D done.txt\n");
  });

  variant("leaves files alone that git changes on their way into a commit", () => {
    const stage = new Stage({ ".gitattributes": "*.txt text\n" });
    const turn: PlayedTurn = { do: [{ write: "done.txt", text: "done\r\n" }], say: DONE };
    expect(stage.run([turn], "--commit")).toMatchObject({
      code: 1,
      out: expect.stringContaining("git itself changes done.txt on its way into a commit"),
    });
  });

  test.each([
    [
      "without a repository",
      (stage: Stage) => rmSync(join(stage.root, ".git"), { recursive: true }),
      "git init",
    ],
    ["on no branch", (stage: Stage) => void stage.git("checkout", "-q", "--detach"), "git switch -c NAME"],
  ])("is refused %s, before anything is asked or opened", (_, prepare, advice) => {
    const stage = new Stage();
    prepare(stage);
    expect(stage.run([FINISHES], "--commit")).toMatchObject({
      code: 1,
      err: expect.stringContaining(advice),
    });
    expect(stage.loop("status", "--all").out).not.toContain("Write done.txt");
  });

  test("is refused for a plan, which commits anyway", () => {
    const stage = new Stage({ "PLAN.md": "### T-001: Write\nverify: true\n" });
    const ran = stage.loop("run", "--plan", "PLAN.md", "--commit");
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("leave out --commit") });
  });
});

/** Each kill is at a git that the commit is made with. */
const MOMENTS = oneOf([
  ["before", "commit-tree"],
  ["after", "commit-tree"],
  ["before", "--index-info"],
  ["after", "--index-info"],
  ["before", "loop: the work of a loop"],
  ["after", "loop: the work of a loop"],
] as const);

describe.skipIf(process.platform !== "linux")("a run that is killed while it commits", () => {
  test.each(MOMENTS)("%s git %s is resumed with loop continue, and commits once", (moment, word) => {
    const stage = new Stage();
    stage.write({ "mine.txt": "mine\n" });
    const env = gitThatKills(stage, word, moment);
    expect(stage.spawnLoopWith({ env }, ...stage.opening([FINISHES], "--commit")).code).toBeNull();
    rmSync(join(stage.home, "bin"), { recursive: true });
    expect(stage.eventsOf("work.committed")).toEqual([]);
    expect(stage.loop("status").out).toContain("Not committed yet. To do it: loop continue --loop");
    const commands = [`loop continue --loop ${stage.id}`];
    expect(statusOf(stage)).toMatchObject({ deliveredTo: null, needs: { kind: "commit", commands } });

    expect(stage.loop("continue")).toMatchObject({ code: 0, out: expect.stringContaining("Committed: ") });
    expect(stage.eventsOf("work.committed")).toMatchObject([{ why: null }]);
    expect(stage.git("log", "--format=%s")).toBe("Write done.txt\nstart\n");
    expect(committed(stage)).toEqual(["done.txt"]);
    expect(stage.git("status", "--porcelain")).toBe("?? mine.txt\n");
    expect(stage.loop("continue").err).toContain("No loop is open");
  });
});
