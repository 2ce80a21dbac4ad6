import { existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine } from "../src/storage/loops/machine.ts";
import { expectNobodyUndoes } from "../src/engine/lifecycle/undo.ts";
import { parseLoopId } from "../src/core/loop/id.ts";
import { projectAt } from "../src/storage/home/project.ts";
import { isFullEffort } from "./support/effort.ts";
import { GitCounter } from "./support/git-counter.ts";
import { CHECK, DONE, FINISHES, Stage, saying } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import type { Driving, PlayedTurn } from "./support/driven.ts";
import { Sandbox } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const FILES = { "README.md": "A project\n", "old.txt": "old\n", ".gitignore": "*.log\n" };

/** Three iterations: each adds, changes or deletes something. */
const TURNS: readonly PlayedTurn[] = [
  {
    do: [
      { write: "README.md", text: "Better\n" },
      { write: "new/one.txt", text: "one\n" },
      { delete: "old.txt" },
      { write: "build.log", text: "ignored\n" },
    ],
    say: saying("One.", "EXIT_SIGNAL: false"),
  },
  {
    do: [
      { write: "new/one.txt", text: "one, again\n" },
      { write: "two.txt", text: "two\n" },
    ],
    say: saying("Two.", "EXIT_SIGNAL: false"),
  },
  FINISHES,
];

function statusLines(stage: Sandbox): readonly string[] {
  return stage.loop("status").out.split("\n");
}

function files(stage: Sandbox): { readonly [path: string]: string | null } {
  const names = ["README.md", "old.txt", "new/one.txt", "two.txt", "done.txt", "build.log", "mine.txt"];
  return Object.fromEntries(
    names.map((name) => [name, existsSync(join(stage.root, name)) ? stage.read(name) : null]),
  );
}

const AT_THE_END = {
  "README.md": "Better\n",
  "old.txt": null,
  "new/one.txt": "one, again\n",
  "two.txt": "two\n",
  "done.txt": "done\n",
  "build.log": "ignored\n",
  "mine.txt": "mine\n",
};
const BEFORE_THE_LAST = { ...AT_THE_END, "done.txt": null };
const AT_THE_BEGINNING = {
  ...AT_THE_END,
  "README.md": "A project\n",
  "old.txt": "old\n",
  "new/one.txt": null,
  "two.txt": null,
  "done.txt": null,
};

/** With a file of the user's own that no commit has, and one that is only staged. */
function finished(): Stage {
  const stage = new Stage(FILES);
  stage.write({ "mine.txt": "mine\n" });
  stage.git("add", "mine.txt");
  expect(stage.run(TURNS).code).toBe(0);
  expect(files(stage)).toEqual(AT_THE_END);
  return stage;
}

describe("undo", () => {
  test("goes back to before the last iteration, and touches nothing else", () => {
    const stage = finished();
    const head = stage.git("rev-parse", "HEAD");
    const ran = stage.loop("undo", "--yes");

    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(
      /^Back to before iteration 3 of [\w-]+: 0 files restored, 1 removed\.\nTo get it back: git restore --source=[0-9a-f]{12} -- :\/\n$/,
    );
    expect(files(stage)).toEqual(BEFORE_THE_LAST);
    expect(stage.git("rev-parse", "HEAD")).toBe(head);
    expect(stage.git("diff", "--cached", "--name-only")).toBe("mine.txt\n");
    expect(stage.git("branch", "--list", "--all").trim().split("\n")).toHaveLength(1);
  });

  test("takes nothing from what its iterations are shown to have done", () => {
    const stage = finished();
    stage.loop("undo", "1", "--yes");
    const { loops } = JSON.parse(stage.loop("status", "--json", "--loop", stage.id).out) as {
      loops: { iterations: { files: { path: string }[] }[] }[];
    };
    expect(loops[0]?.iterations.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ["README.md", "new/one.txt", "old.txt"],
      ["new/one.txt", "two.txt"],
      ["done.txt"],
    ]);
  });

  variant(
    "goes back to before any iteration, and what was undone can be had back, also after a second undo",
    () => {
      const stage = finished();
      const first = stage.loop("undo", "2", "--yes");
      const second = stage.loop("undo", "1", "--yes");
      expect(first.code).toBe(0);
      expect(second.code).toBe(0);
      expect(files(stage)).toEqual(AT_THE_BEGINNING);
      expect(stage.loop("undo", "1", "--yes").out).toBe(
        `Nothing to undo: the files are as they were before iteration 1 of ${stage.id}.\n`,
      );

      // Nothing but refs keeps an object from being collected.
      stage.git("reflog", "expire", "--expire=now", "--all");
      stage.git("gc", "-q", "--prune=now");
      const [, command = ""] = /To get it back: git (.*)\n/.exec(first.out) ?? [];
      stage.git(...command.split(" "));
      expect(files(stage)).toEqual(AT_THE_END);
    },
  );

  test.runIf(isFullEffort)("without a number it is no step forward after another undo", () => {
    const stage = finished();
    stage.loop("undo", "2", "--yes");
    const second = stage.loop("undo", "--yes");

    expect(second.out).toBe(
      `Nothing to undo: the files are as they were before iteration 2 of ${stage.id}. To undo what came before it: loop undo 1\n`,
    );
  });

  test.runIf(isFullEffort)(
    "lists the checkpoints, and says which there are when another is asked for",
    () => {
      const stage = finished();
      // What tasks of a workflow came to stands further below, and is no state of these files.
      const own = `refs/loopwright/${stage.id}`;
      stage.git("update-ref", `${own}/tasks/T-001/4`, `${own}/3`);
      const { out } = stage.loop("undo", "--list");
      expect(out.trim().split("\n")).toEqual([
        `Checkpoints of ${stage.id}:`,
        ...[1, 2, 3].map((n) => expect.stringMatching(`^before iteration ${n}  `)),
      ]);
      const json = JSON.parse(stage.loop("undo", "--list", "--json").out) as { checkpoints: unknown };
      expect(json.checkpoints).toMatchObject([{ iteration: 1 }, { iteration: 2 }, { iteration: 3 }]);
      expect(stage.loop("undo", "9", "--yes")).toMatchObject({
        code: 1,
        err: `loop: No checkpoint before iteration 9 of ${stage.id}; available: 1, 2, 3.\n`,
      });
      for (const name of ["0", "1.", "1.x", "-1", "1/../2"]) {
        expect(stage.loop("undo", "--yes", "--", name).err).toContain("as shown by: loop undo --list");
      }
    },
  );

  test("works from the refs alone after `git clean -fdx` took the journal and a file of the user's", () => {
    const stage = finished();
    const { id } = stage;
    stage.git("rm", "-q", "--cached", "mine.txt");
    stage.git("clean", "-fdxq");
    expect(files(stage)).toMatchObject({ "mine.txt": null, "done.txt": null });
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);

    expect(stage.loop("status").out).toContain(
      `The journal of ${id} is gone; restore files from before it with: loop undo --list --loop ${id}\n`,
    );
    expect(stage.loop("undo", "--list").out).toContain(`Checkpoints of ${id}:\nbefore iteration 1  `);
    expect(stage.agentLoop("s1", "undo", "--yes").err).toContain("may only be run by the user");
    const ran = stage.loop("undo", "2", "--yes");
    expect(ran.out).toMatch(
      new RegExp(`^Back to before iteration 2 of ${id}: \\d+ files restored, 0 removed`),
    );
    expect(files(stage)).toMatchObject({ "mine.txt": "mine\n", "new/one.txt": "one\n", "two.txt": null });
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
    expect(stage.loop("undo", "1", "--loop", id.slice(0, -2), "--yes").code).toBe(0);
    expect(files(stage)).toMatchObject({ "README.md": "A project\n", "mine.txt": "mine\n" });
  });

  test("asks git nothing about a loop without a journal where this machine knows none", () => {
    const stage = finished();
    const { id } = stage;
    stage.git("clean", "-fdxq");
    const counter = new GitCounter();
    const env = { XDG_STATE_HOME: join(stage.home, "other"), PATH: counter.path };
    for (const line of [["undo", "--yes"], ["undo", "--yes", "--loop", id], ["status"]])
      expect(stage.loopWith({ env }, ...line).out).not.toContain(id);
    expect(counter.started()).toEqual([]);
    expect(stage.loopWith({ env: { PATH: counter.path } }, "status").out).toContain(id);
    expect(counter.started()).toEqual(["for-each-ref"]);
  });

  test("takes a loop without a journal for its own only where its files were", () => {
    const stage = finished();
    const { id } = stage;
    const beside = join(stage.home, "beside");
    stage.git("worktree", "add", "-q", "--detach", beside);
    const there = stage.loopWith({ cwd: beside }, "undo", "--yes");
    expect(there).toMatchObject({ code: 1 });
    expect(there.err).toContain(`There is no loop in ${beside} yet. Start one with: loop run`);
    expect(stage.loopWith({ cwd: beside }, "undo", "1", "--yes", "--loop", id).err).toContain(
      `The files of ${id} were in ${stage.root}; go there, and run loop undo.`,
    );
  });

  variant("shows what it would change, and changes nothing where nobody can be asked", () => {
    const stage = finished();
    const ran = stage.loop("undo", "1");

    expect(ran.code).toBe(1);
    expect(ran.out).toBe(
      `All changes since iteration 1 of ${stage.id} began, yours included:\n` +
        "  M README.md  +1 -1\n  A done.txt  +1 -0\n  A new/one.txt  +1 -0\n  D old.txt  +0 -1\n  A two.txt  +1 -0\n",
    );
    expect(ran.err).toBe("loop: Cannot ask without a terminal; add --yes to undo this.\n");
    expect(files(stage)).toEqual(AT_THE_END);
  });

  variant("tells scripts what it did", () => {
    const stage = finished();
    const told = JSON.parse(stage.loop("undo", "2", "--json").out) as { before: string };

    expect(told).toMatchObject({ iteration: 2, restored: 1, removed: 2, left: [] });
    expect(stage.git("show", `${told.before}:done.txt`)).toBe("done\n");
  });

  test("is not for agents", () => {
    const stage = finished();
    const ran = stage.agentLoop("s1", "undo", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toContain("`loop undo` may only be run by the user");
    expect(files(stage)).toEqual(AT_THE_END);
  });

  variant("is refused while the loop is driven", async () => {
    const stage = new Stage(FILES);
    const driving = stage.drive(
      stage.opening([{ do: [{ write: "two.txt", text: "two\n" }, { run: stage.meet("work") }] }, FINISHES]),
    );
    await stage.met("work");
    const ran = stage.loop("undo", "--yes");

    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      `loop: Process ${driving.pid} is driving the loop ${stage.id}; pause it first: loop pause --loop ${stage.id}\n`,
    );
    expect(stage.read("two.txt")).toBe("two\n");
    stage.letGo("work");
    expect((await driving.ended()).code).toBe(0);
  });

  variant("is refused while another loop is driven in the same folder", async () => {
    const stage = finished();
    const { id } = stage;
    const driving = stage.drive(
      stage.opening([
        { do: [{ write: "three.txt", text: "three\n" }, { run: stage.meet("more") }] },
        FINISHES,
      ]),
    );
    await stage.met("more");
    const ran = stage.loop("undo", "--yes", "--loop", id);

    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`Process ${driving.pid} is driving the loop `);
    expect(ran.err).toContain(
      " in the same folder, and its agent may be editing these files; pause it first",
    );
    expect(stage.read("three.txt")).toBe("three\n");
    stage.letGo("more");
    await driving.ended();
    expect(stage.loop("undo", "--yes", "--loop", id).code).toBe(0);
  });

  variant("and the loop goes on from there: the agent hears of it, and begins anew", () => {
    const stage = new Stage(FILES);
    expect(stage.run([...TURNS, ...TURNS], "--iterations", "2").code).toBe(3);
    expect(stage.loop("undo", "1", "--yes").code).toBe(0);
    expect(stage.read("README.md")).toBe("A project\n");
    const ran = stage.loop("continue", "--iterations", "5");

    expect(ran.code).toBe(0);
    const prompt = stage.prompt("3-1");
    expect(prompt).toContain("# Task\n\nWrite done.txt\n");
    expect(prompt).toContain(
      "A person restored the files from before iteration 1: later work is gone on purpose.",
    );
    expect(stage.eventsOf("turn.launched").at(-1)?.conversation).toBeNull();
    expect(stage.only()).toMatchObject({ phase: "completed", iteration: 3 });
    expect(stage.read("done.txt")).toBe("done\n");
  });

  variant("a checkpoint that a killed run did not get to take is taken by the next attempt", () => {
    const stage = new Stage(FILES);
    const trouble = { kind: "blocking", detail: "no login" } as const;
    stage.run([{ trouble }, FINISHES]);
    stage.git("update-ref", "-d", `refs/loopwright/${stage.id}/1`);
    stage.write({ "mine.txt": "mine\n" });
    expect(stage.loop("continue").code).toBe(0);

    expect(stage.loop("undo", "--yes").code).toBe(0);
    expect(files(stage)).toMatchObject({ "mine.txt": "mine\n", "done.txt": null });
  });

  test.runIf(isFullEffort)(
    "of a nested loop, each level has checkpoints of its own, and the last one is the last that was taken",
    () => {
      const stage = new Stage();
      stage.start("s1", "Write outer.txt", "-c", "outer=test -f outer.txt");
      const inner = ["Write inner.txt", "-c", "inner=test -f inner.txt"];
      stage.agentLoop("s1", "start", "--nested", ...inner);
      const works = (file: string, say: string): PlayedTurn => ({ do: [{ write: file, text: "x" }], say });
      const goesOn = saying("Not yet.", "EXIT_SIGNAL: false");
      const turns = [
        works("half.txt", goesOn),
        works("inner.txt", DONE),
        works("more.txt", goesOn),
        works("outer.txt", DONE),
      ];
      expect(stage.loop("run", "--loop", stage.id, "--script", stage.script(turns)).code).toBe(0);

      const launched = stage.eventsOf("turn.launched");
      expect(launched.map(({ turn }) => turn)).toEqual(["1.1-1", "1.2-1", "1-1", "2-1"]);
      expect(new Set(launched.map(({ checkpoint }) => checkpoint)).size).toBe(4);
      const files = (): readonly string[] => readdirSync(stage.root).filter((name) => name.endsWith(".txt"));
      expect(stage.loop("undo", "--yes").out).toMatch(/^Back to before iteration 2 of /);
      expect(files()).toEqual(["half.txt", "inner.txt", "more.txt"]);
      expect(stage.loop("undo", "1", "--yes").code).toBe(0);
      expect(files()).toEqual(["half.txt", "inner.txt"]);
      expect(stage.loop("undo", "1.2", "--yes").out).toMatch(/^Back to before iteration 1\.2 of /);
      expect(files()).toEqual(["half.txt"]);
      expect(stage.loop("undo", "1.1", "--yes").code).toBe(0);
      expect(files()).toEqual([]);
      expect(stage.loop("undo", "--list").out).toContain("before iteration 1.2  ");
    },
  );

  variant("is of the loop that was worked on last, also after another one was cancelled", () => {
    const stage = new Stage();
    expect(
      stage.run([{ say: saying("Not yet.", "EXIT_SIGNAL: false"), usd: 0 }], "--iterations", "1").code,
    ).toBe(3);
    const [paused] = stage.status();
    expect(stage.run([FINISHES]).code).toBe(0);
    const finishedId = stage.status().find(({ phase }) => phase === "completed")?.id ?? "";
    expect(stage.loop("cancel", "--loop", paused?.id ?? "").code).toBe(0);

    expect(stage.loop("undo", "9").err).toBe(
      `loop: No checkpoint before iteration 9 of ${finishedId}; available: 1.\n`,
    );
  });

  test("without git there is none, and the run works all the same", () => {
    const sandbox = new Sandbox({ "README.md": "A project\n" });
    const line = "touch done.txt; echo '<loop-complete>'";
    const run = sandbox.loop("run", "Write done.txt", "-c", CHECK, "--command", line);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/\n\[LOOP\] 1 iteration, [^|\n]*\n$/);

    const ran = sandbox.loop("undo", "--yes");
    expect(ran.code).toBe(1);
    expect(ran.err).toBe(
      "loop: No checkpoint: `loop run` takes them before each iteration, in a git repository.\n",
    );
    expect(existsSync(join(sandbox.root, "done.txt"))).toBe(true);
  });
});

/** Enough for an undo to be met in the middle by who looks often. */
const MANY = 400;
const OFTEN_MS = 1;

describe("an undo that takes its time", () => {
  /** Its first iteration leaves many files, and a later one a single one. */
  function withManyFiles(): Stage {
    const stage = new Stage(FILES);
    const leaves = `mkdir many; i=0; while [ $i -lt ${MANY} ]; do i=$((i+1)); echo $i > many/$i; done`;
    const [, , last] = TURNS;
    stage.run([{ do: [{ run: leaves }], say: saying("One.", "EXIT_SIGNAL: false") }, last ?? {}]);
    expect(manyIn(stage)).toBe(MANY);
    return stage;
  }

  function manyIn(stage: Stage): number {
    return existsSync(join(stage.root, "many")) ? readdirSync(join(stage.root, "many")).length : 0;
  }

  /** Ends or stops it when some of the files are gone, and others are not. */
  async function inTheMiddle(stage: Stage, signal: "SIGKILL" | "SIGSTOP"): Promise<Driving> {
    const undoing = stage.drive(["undo", "1", "--yes"]);
    await until(() => manyIn(stage) < MANY, "the first files are gone", OFTEN_MS);
    undoing.child.kill(signal);
    expect(manyIn(stage)).toBeGreaterThan(0);
    return undoing;
  }

  function expectNobodyUndoesIn(stage: Stage): void {
    const id = parseLoopId(stage.id);
    if (id === null) throw new Error("no loop");
    expectNobodyUndoes(createMachine(stage.env, stage.root), projectAt(stage.root), id);
  }

  variant("and is killed in the middle is finished by the next one, to where it was going", async () => {
    const stage = withManyFiles();
    await (await inTheMiddle(stage, "SIGKILL")).ended();
    expectNobodyUndoesIn(stage);
    expect(stage.eventsOf("checkpoint.restored")).toMatchObject([{ iteration: 1 }]);

    expect(stage.loop("undo", "--yes").out).toMatch(
      /^Back to before iteration 1 of [\w-]+: 0 files restored, /,
    );
    expect(manyIn(stage)).toBe(0);
    expect(existsSync(join(stage.root, "done.txt"))).toBe(false);
    expect(stage.git("status", "--porcelain")).toBe("");
  });

  test.runIf(isFullEffort)("has the files to itself, as long as its process lives", async () => {
    const stage = withManyFiles();
    expectNobodyUndoesIn(stage);
    const undoing = await inTheMiddle(stage, "SIGSTOP");
    const refusal = `Process ${undoing.pid} is restoring the files of the loop ${stage.id} (loop undo); try again when it is done.`;

    expect(() => expectNobodyUndoesIn(stage)).toThrow(refusal);
    expect(stage.loop("undo", "2", "--yes")).toMatchObject({ code: 1, err: `loop: ${refusal}\n` });
    expect(manyIn(stage)).toBeGreaterThan(0);
    undoing.child.kill("SIGCONT");
    expect((await undoing.ended()).code).toBe(0);
    expectNobodyUndoesIn(stage);
    expect(manyIn(stage)).toBe(0);
  });
});

describe("what no checkpoint keeps", () => {
  const [one, two] = TURNS;

  test.runIf(isFullEffort)(
    "is told once in a run, with the reason; and undo does not take it for a missing repository",
    () => {
      const stage = new Stage(FILES);
      stage.write({ ".git/refs/loopwright": "in the way" });
      const ran = stage.run([one ?? {}, two ?? {}, FINISHES]);

      // Nor can the opening be kept, so the completion is weak.
      expect(ran.code).toBe(6);
      const told = ran.out.split("\n").filter((line) => line.includes("checkpoint"));
      expect(told).toEqual([
        expect.stringMatching(
          /^\[LOOP\] No checkpoint, so loop undo can't undo this iteration: git failed: .*refs\/loopwright.*; fix this, or make git ignore what is in the way, to get one for the next iteration\.$/,
        ),
      ]);
      expect(ran.out.indexOf("No checkpoint")).toBeLessThan(ran.out.indexOf("Iteration 1/"));
      expect(stage.loop("undo", "--yes").err).toBe(
        "loop: No checkpoint: none could be taken, or they were deleted; the next `loop run` takes one, or says why it cannot.\n",
      );
    },
  );

  variant("is told to scripts", () => {
    const stage = new Stage(FILES);
    stage.write({ ".git/refs/loopwright": "in the way" });
    const lines = stage.run([FINISHES], "--json").out.trim().split("\n");

    const told = lines.map((line) => JSON.parse(line) as { type: string });
    expect(told.find(({ type }) => type === "unkept")).toMatchObject({
      loop: stage.id,
      files: "all",
      why: expect.stringContaining("refs/loopwright"),
    });
  });

  test.runIf(isFullEffort)("is also a file of more than 100 MB, which is named", () => {
    const stage = new Stage(FILES);
    stage.write({ "large.bin": "" });
    truncateSync(join(stage.root, "large.bin"), 100 * 1024 * 1024 + 1);
    const ran = stage.run([one ?? {}, FINISHES]);

    const told = ran.out.split("\n").filter((line) => line.includes("checkpoints"));
    expect(told).toEqual([
      "[LOOP] Not in the checkpoints, so loop undo won't restore: large.bin (larger than 100 MB); keep a copy of what you may need, or make git ignore it.",
    ]);
  });

  test("where there is no repository, it is told that there will be no undo", () => {
    const sandbox = new Sandbox({ "README.md": "A project\n" });
    const line = "touch done.txt; echo '<loop-complete>'";
    const ran = sandbox.loop("run", "Write done.txt", "-c", CHECK, "--command", line);

    expect(ran.code).toBe(0);
    expect(ran.out).toContain("[LOOP] This isn't a git repository, so loop undo can't restore anything.\n");
  });
});

test.runIf(isFullEffort)(
  "without a name it is the loop that was driven last, open or not, and its name is told",
  () => {
    const stage = new Stage();
    const script = stage.script([
      { do: [{ write: "a.txt", text: "a" }], say: saying("A.", "EXIT_SIGNAL: false") },
    ]);
    stage.loop(
      "run",
      "Write never.txt",
      "-c",
      "never=test -f never.txt",
      "--script",
      script,
      "--iterations",
      "1",
    );
    expect(stage.run([FINISHES]).code).toBe(0);
    const completed = stage.status().find(({ phase }) => phase === "completed")?.id;

    const { out } = stage.loop("undo", "--yes");

    expect(out).toContain(`Back to before iteration 1 of ${completed}: 0 files restored, 1 removed.`);
    expect(existsSync(join(stage.root, "done.txt"))).toBe(false);
    expect(stage.read("a.txt")).toBe("a");
  },
);

test.runIf(isFullEffort)(
  "no run begins on files that are being brought back, and none that was begun is undone under",
  async () => {
    const stage = new Stage();
    const leaves = `mkdir many; i=0; while [ $i -lt ${MANY} ]; do i=$((i+1)); echo $i > many/$i; done`;
    const many = (): number =>
      existsSync(join(stage.root, "many")) ? readdirSync(join(stage.root, "many")).length : 0;
    const turns = [{ do: [{ run: leaves }], say: saying("One.", "EXIT_SIGNAL: false") }, FINISHES];
    expect(stage.run(turns, "--iterations", "1").code).toBe(3);
    const undoing = stage.drive(["undo", "--yes"]);
    await until(() => many() < MANY, "the first files are gone", OFTEN_MS);
    undoing.child.kill("SIGSTOP");

    expect(stage.loop("continue", "--iterations", "1")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Process ${undoing.pid} is restoring the files`),
    });
    expect(stage.eventsOf("turn.launched")).toHaveLength(1);
    undoing.child.kill("SIGCONT");
    expect((await undoing.ended()).code).toBe(0);
    expect(stage.loop("continue", "--iterations", "1").code).toBe(0);
    expect(many()).toBe(0);
  },
);

variant("the status of a loop says to where it was undone", () => {
  const stage = new Stage(FILES);
  stage.run(TURNS);
  expect(statusLines(stage).join()).not.toContain("undone");

  stage.loop("undo", "2", "--yes");
  expect(statusLines(stage)).toContain("  undone: the files went back to before iteration 2");
});
