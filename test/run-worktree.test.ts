import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECK, DONE, FINISHES, saying, Stage, type PlayedTurn } from "./support/driven.ts";
import { oneOf } from "./support/effort.ts";
import { gitThatKills } from "./support/git-that-kills.ts";
import { variant } from "./support/variant.ts";

const HALF: PlayedTurn = {
  do: [{ write: "half.txt", text: "half\n" }],
  say: saying("Half.", "EXIT_SIGNAL: false"),
};

interface ListedWorktree {
  readonly path: string;
  readonly state: string;
}

function worktrees(stage: Stage): readonly ListedWorktree[] {
  const { out } = stage.loop("worktrees", "--json");
  return (JSON.parse(out) as { readonly worktrees: readonly ListedWorktree[] }).worktrees;
}

/** Of its own branch. */
function filesOn(stage: Stage, branch: string): readonly string[] {
  return stage.git("ls-tree", "-r", "--name-only", branch).trim().split("\n");
}

describe("loop run --worktree", () => {
  test("works beside the user's checkout, commits on a branch of its own, and prints how to merge it", () => {
    const stage = new Stage();
    stage.write({ "mine.txt": "mine\n" });
    const before = stage.git("rev-parse", "HEAD");
    const check = "done=mkdir -p cache && echo x > cache/seen.bin && test -f done.txt";
    const script = stage.script([FINISHES]);
    const ran = stage.loop("run", "Write done.txt", "-c", check, "--script", script, "--worktree");
    const branch = `loop/${stage.id}`;
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringContaining("without what you have not committed: mine.txt"),
    });
    expect(ran.out).toContain(`on the branch ${branch} | Merge: git merge ${branch}`);
    expect(filesOn(stage, branch)).toEqual(["README.md", "done.txt"]);
    expect(stage.git("log", "-1", "--format=%B", branch)).toContain("- done: ✓");
    expect(stage.git("rev-parse", "HEAD")).toBe(before);
    expect(stage.git("status", "--porcelain")).toBe("?? mine.txt\n");
    expect(worktrees(stage)).toEqual([]);
    expect(stage.loop("undo").err).toContain(
      `your files are as they were. If you don't want its work: git branch -D ${branch}`,
    );
    expect(stage.loop("status").out).toContain(`Merge: git merge ${branch}`);
    stage.git("merge", "-q", branch);
    expect(stage.read("done.txt")).toBe("done\n");
    expect(stage.loop("status").out).not.toContain("Merge:");
  });

  test("pauses, is listed, is undone in its worktree, and goes on from the project", () => {
    const stage = new Stage();
    expect(stage.run([HALF, FINISHES], "--worktree", "--iterations", "1").code).toBe(3);
    const [worktree] = worktrees(stage);
    expect(worktree).toMatchObject({ state: "resumable" });
    const half = join(worktree?.path ?? "", "half.txt");
    expect(existsSync(half)).toBe(true);
    expect(existsSync(join(stage.root, "half.txt"))).toBe(false);
    expect(stage.loop("status").out).toContain("In a worktree of its own; where it is: loop worktrees");
    expect(stage.loop("undo", "--yes").code).toBe(0);
    expect(existsSync(half)).toBe(false);
    expect(stage.loop("continue", "--iterations=3")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Progress: 0/0 steps | Iteration: 1"),
    });
    expect(filesOn(stage, `loop/${stage.id}`)).toEqual(["README.md", "done.txt"]);
  });

  test("moves the user's branch, too, with --commit", () => {
    const stage = new Stage();
    stage.write({ "mine.txt": "mine\n" });
    const first = stage.git("rev-parse", "HEAD").trim();
    expect(stage.run([FINISHES], "--worktree", "--commit").out).toMatch(/Committed: [0-9a-f]{8} on master/);
    expect(stage.read("done.txt")).toBe("done\n");
    expect(stage.git("status", "--porcelain")).toBe("?? mine.txt\n");
    expect(stage.loop("undo").err).toContain(`git reset --keep ${first.slice(0, 12)}`);
  });

  variant("leaves the user's branch where something is in the way, and says how to take the work", () => {
    const stage = new Stage();
    stage.write({ "done.txt": "mine\n" });
    const ran = stage.run([FINISHES], "--worktree", "--commit");
    expect(ran).toMatchObject({
      code: 1,
      out: expect.stringContaining("A file that git doesn't track is in the way: done.txt"),
    });
    expect(ran.out).toContain(`Take it with: git merge loop/${stage.id}`);
    expect(stage.read("done.txt")).toBe("mine\n");
  });

  variant("is made ready with --setup and --copy, and says what fails there", () => {
    const stage = new Stage({ ".gitignore": ".env\ndeps/\n" });
    stage.write({ ".env": "KEY=1\n" });
    const check = "done=grep -q 1 .env && test -d deps && test -f done.txt";
    const asked = ["run", "Write done.txt", "-c", check, "--script", stage.script([FINISHES]), "--worktree"];
    expect(stage.loop(...asked, "--setup", "exit 7")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--setup COMMAND"),
    });
    expect(worktrees(stage)).toEqual([]);
    expect(stage.loop(...asked, "--setup", "mkdir deps", "--copy", ".env").code).toBe(0);
    expect(filesOn(stage, `loop/${stage.id}`)).toEqual([".gitignore", "done.txt"]);
  });

  test("leaves nothing behind of a check that can't run there", () => {
    const stage = new Stage();
    const ran = stage.loop(
      "run",
      "Write done.txt",
      "-c",
      "done=./missing.sh",
      "--script",
      stage.script([FINISHES]),
      "--worktree",
    );
    expect(ran).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot run.*a fresh worktree, which has only what you committed/),
    });
    expect(worktrees(stage)).toEqual([]);
    expect(stage.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  test("finds a program of the project that isn't committed, and takes a committed one from the worktree", () => {
    const stage = new Stage({ "tools/write.sh": 'echo "$PWD" > "$1"\n' });
    stage.write({ "agent.sh": "#!/bin/sh\nsh tools/write.sh done.txt\n" });
    const asked = ["run", "Write done.txt", "-c", CHECK, "--worktree", "--command"];
    expect(stage.loop(...asked, "./agent.sh --fast").code).toBe(0);
    expect(existsSync(join(stage.root, "done.txt"))).toBe(false);
    stage.write({ "tools/write.sh": "exit 1\n" });
    expect(stage.loop(...asked, "sh tools/write.sh done.txt").code).toBe(0);
  });

  test("keeps what a cancelled loop did, and removes its worktree", () => {
    const stage = new Stage();
    stage.run([HALF], "--worktree", "--iterations", "1");
    expect(stage.loop("cancel").out).toMatch(
      /Half-done: see what it did with: git diff [0-9a-f]{12} [0-9a-f]{12}/,
    );
    expect(worktrees(stage)).toEqual([]);
    expect(stage.git("show", `refs/loopwright/${stage.id}/tasks/work/1-unfinished:half.txt`)).toBe("half\n");
  });

  test("is made again where somebody deleted it, with the files from before its last iteration", () => {
    const stage = new Stage({ "README.md": "", ".gitignore": "deps\n" });
    const other: PlayedTurn = { do: [{ write: "lost.txt", text: "lost\n" }], say: HALF.say ?? "" };
    const setUp = ["--setup", "mkdir deps", "--worktree", "--iterations", "2"];
    const script = stage.script([HALF, other, FINISHES]);
    const check = ["-c", "done=test -d deps && test -f done.txt"];
    expect(stage.loop("run", "Write done.txt", ...check, "--script", script, ...setUp).code).toBe(3);
    const [made] = worktrees(stage);
    rmSync(made?.path ?? "", { recursive: true });
    const ran = stage.loop("continue", "--iterations=1");
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        `Its worktree was gone, and is made again with the files from before iteration 2: ${made?.path}`,
      ),
    });
    expect(filesOn(stage, `loop/${stage.id}`)).toEqual([".gitignore", "README.md", "done.txt", "half.txt"]);
  });

  test("starts a program that was named from where the user stands", () => {
    const stage = new Stage();
    const agent = join(stage.home, "agent.sh");
    writeFileSync(agent, "#!/bin/sh\ncat > /dev/null\ntouch done.txt\n", { mode: 0o755 });
    const typed = relative(stage.root, agent);
    expect(typed).toMatch(/^\.\.\//);
    for (const line of [typed, `sh ${typed}`])
      expect(
        stage.loop("run", "Write done.txt", "-c", CHECK, "--command", line, "--worktree", "--accept", "weak"),
      ).toMatchObject({ code: 0 });
  });

  test("isn't taken over by a session, which works elsewhere", () => {
    const stage = new Stage();
    stage.run([HALF], "--worktree", "--iterations", "1");
    expect(stage.loop("continue", "--session", "s-1", "--iterations", "3").err).toContain(
      `works in a worktree of its own`,
    );
  });

  test.each([
    [
      "without a repository",
      (stage: Stage) => rmSync(join(stage.root, ".git"), { recursive: true }),
      "git init",
    ],
    [
      "without a commit",
      (stage: Stage) => void stage.git("update-ref", "-d", "HEAD"),
      "commit what you have",
    ],
  ])("is refused %s", (_, prepare, advice) => {
    const stage = new Stage();
    prepare(stage);
    expect(stage.run([FINISHES], "--worktree")).toMatchObject({
      code: 1,
      err: expect.stringContaining(advice),
    });
    expect(worktrees(stage)).toEqual([]);
  });
});

describe.skipIf(process.platform !== "linux")("a run in a worktree that is killed", () => {
  test.each(
    oneOf([
      ["before", "worktree"],
      ["after", "worktree"],
      ["after", "-u"],
    ] as const),
  )("%s git %s made it leaves a dead worktree at most, and the next run begins anew", (moment, word) => {
    const stage = new Stage();
    const env = gitThatKills(stage, word, moment);
    expect(stage.spawnLoopWith({ env }, ...stage.opening([FINISHES], "--worktree")).code).toBeNull();
    rmSync(join(stage.home, "bin"), { recursive: true });
    expect(worktrees(stage)).toMatchObject([{ state: "dead" }]);
    expect(stage.loop("worktrees", "--remove").code).toBe(0);
    expect(worktrees(stage)).toEqual([]);
    expect(stage.run([FINISHES], "--worktree").code).toBe(0);
    expect(filesOn(stage, `loop/${stage.id}`)).toEqual(["README.md", "done.txt"]);
  });

  test.each(
    oneOf([
      ["before", "commit-tree"],
      ["after", "commit-tree"],
      ["before", "--ff-only"],
      ["after", "--ff-only"],
    ] as const),
  )("%s git %s at its end is resumed from the project, and commits once", (moment, word) => {
    const stage = new Stage();
    const env = gitThatKills(stage, word, moment);
    const asked = stage.opening([FINISHES], "--worktree", "--commit");
    expect(stage.spawnLoopWith({ env }, ...asked).code).toBeNull();
    rmSync(join(stage.home, "bin"), { recursive: true });
    expect(stage.eventsOf("work.committed")).toEqual([]);
    expect(stage.loop("continue")).toMatchObject({ code: 0, out: expect.stringContaining("Committed: ") });
    expect(stage.git("log", "--format=%s", "master")).toBe("Write done.txt\nstart\n");
    expect(stage.git("rev-parse", "master")).toBe(stage.git("rev-parse", `loop/${stage.id}`));
    expect(stage.git("status", "--porcelain")).toBe("");
    expect(worktrees(stage)).toEqual([]);
  });

  test("in the middle of a turn goes on in the same worktree", async () => {
    const stage = new Stage();
    const turn = { do: [{ write: "half.txt", text: "half\n" }, { run: stage.meet("half") }], say: DONE };
    const driving = stage.drive([
      "run",
      "Write done.txt",
      "-c",
      CHECK,
      "--script",
      stage.script([turn]),
      "--worktree",
    ]);
    await stage.met("half");
    driving.child.kill("SIGKILL");
    await driving.ended();
    const [worktree] = worktrees(stage);
    expect(existsSync(join(worktree?.path ?? "", "half.txt"))).toBe(true);
    expect(stage.loop("continue", "--script", stage.script([FINISHES])).code).toBe(0);
    expect(filesOn(stage, `loop/${stage.id}`)).toEqual(["README.md", "done.txt", "half.txt"]);
  });
});
