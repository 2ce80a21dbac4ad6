import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { DONE, type PlayedTurn } from "./support/driven.ts";
import { variant } from "./support/variant.ts";

const TWO = plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt", "T-001"]);
const WRITES = { "T-001": [writes("one.txt")], "T-002": [writes("two.txt")] };
const GIVES_UP: readonly PlayedTurn[] = Array.from({ length: 4 }, () => ({ say: "I cannot do it.", usd: 0 }));

describe("before an agent is paid", () => {
  variant("a setup that fails has its own reason", () => {
    const stage = new PlanStage(TWO);
    const ran = stage.work(WRITES, "--setup", "echo no network; exit 7");
    expect(ran.code).toBe(4);
    expect(ran.out).toContain("Paused: blocked (setup failed: `echo no network; exit 7` exited with 7");
    expect(ran.out).toContain("no network");
    expect(ran.out).toContain(
      `No agent was started. To try another setup: loop run --loop ${stage.id} --setup COMMAND`,
    );
    expect(stage.eventsOf("attempt.started")).toEqual([]);
  });

  test("a program that can't be started uses up no attempt, and the next run goes on with another one", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const begun = ["run", "--plan", stage.planFile, "--plan-digest", stage.planDigest, "--no-model"];
    const missing = ["--agent", "command", "--command", "true && no-such-agent-of-ours"];
    const ran = stage.loop(...begun, ...missing, "--iterations", "1");
    expect(ran.code).toBe(4);
    expect(ran.out).toMatch(/Paused: blocked \(T-001: the program cannot be run \(exit code 127\)/);
    expect(stage.eventsOf("attempt.set-back")).toEqual([]);

    expect(stage.loop("continue", "--command", "touch one.txt").out).toContain("T-001");
    expect(stage.eventsOf("attempt.started")).toHaveLength(1);
    expect(stage.only()).toMatchObject({ phase: "completed", tasks: [{ id: "T-001", status: "completed" }] });
  });

  test("a check that calls what only the user's checkout has says how a worktree gets it", () => {
    const stage = new PlanStage(plan(["T-001", ".venv/bin/python -m pytest"]), { ".gitignore": ".venv\n" });
    stage.write({ ".venv/bin/python": "#!/bin/sh\n" });
    expect(stage.work(WRITES).out).toContain(
      "Your checkout has .venv/bin/python, and git doesn't: worktrees have only what is committed. Make it there with --setup COMMAND or --copy FILE.\n",
    );
  });

  test("a check that can't run ends the start, names what to do, and leaves nothing behind; --not-yet says that the work creates it", () => {
    const stage = new PlanStage(
      `${plan(["T-001", "./one.sh"], ["T-002", "npm run two"], ["T-003", "node three.js"])}\nWrite three.js.\n`,
      { "package.json": '{"scripts":{}}' },
    );
    const ran = stage.work(WRITES, "-c", "all=mkae test");
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/The check of T-001 can't run: .*one\.sh: not found/);
    expect(ran.out).toContain("The check of T-002 can't run: npm error Missing script:");
    expect(ran.out).toMatch(/The check of "all" can't run: .*mkae: not found/);
    expect(ran.out).toContain(
      "[LOOP] Nothing was started. Mend the plan and run it again; if the work creates what the check calls, run it with: --not-yet T-001 --not-yet T-002 --not-yet all\n",
    );
    expect(ran.out).not.toMatch(/loop continue|T-003 can't run/);
    expect(stage.eventsOf("attempt.started")).toEqual([]);
    expect(stage.status()).toMatchObject([{ phase: "cancelled" }]);
    expect(stage.git("branch", "--list", "loop/*")).toBe("");
    expect(stage.folders()).toEqual([]);

    const unknown = stage.work({}, "--not-yet", "T-009");
    expect(unknown.err).toContain(
      '--not-yet "T-009" names no task or criterion with a check; there is T-001, T-002, T-003.',
    );
  });

  variant("a plan that is cancelled before anything was merged leaves no branch", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    expect(stage.work({ "T-001-1": [{ say: DONE }] }, "--iterations", "1").code).toBe(3);
    expect(stage.git("branch", "--list", "loop/*")).not.toBe("");
    expect(stage.spawnLoop("cancel").code).toBe(0);
    expect(stage.git("branch", "--list", "loop/*")).toBe("");
  });

  variant("a check may be missing until the work has created what it calls", () => {
    const stage = new PlanStage(plan(["T-001", "./one.sh"]));
    const writesIt: PlayedTurn = {
      do: [{ write: "one.sh", text: "#!/bin/sh\n" }, { run: "chmod +x one.sh" }],
      say: DONE,
    };
    const ran = stage.work({ "T-001": [writesIt] }, "--not-yet", "T-001", "--no-model", "--accept", "weak");
    expectCode(ran, 0);
    expect(ran.out).toContain("✓ T-001");
  });

  variant("a plan that is started below the folder that its checks are written for", () => {
    const stage = new PlanStage(plan(["T-001", "node --test test/one.test.js"]), {
      "test/one.test.js": "throw 1;\n",
      "src/one.js": "",
    });
    const ran = stage.spawnLoopWith({ cwd: join(stage.root, "src") }, ...stage.working({}));
    expectCode(ran, 1);
    expect(ran.out).toContain(
      "T-001 can't run: src has no test/one.test.js, but the project's root has it: start there",
    );
    expect(stage.eventsOf("attempt.started")).toEqual([]);
  });

  variant(
    "a file of tests that isn't where the plan is started, and one that a task is about to write",
    () => {
      const stage = new PlanStage(
        `${plan(["T-001", "node --test test/one.test.js"], ["T-002", "node --test test/two.test.js"])}files: test/two.test.js\n`,
        { "packages/calc/test/one.test.js": "throw 1;\n" },
      );
      const ran = stage.work({});
      expectCode(ran, 1);
      expect(ran.out).toContain(
        "The check of T-001 can't run: there is no test/one.test.js; packages/calc has it: start there\n",
      );
      expect(ran.out).not.toContain("T-002 can't run");
      expect(stage.eventsOf("attempt.started")).toEqual([]);
    },
  );

  test("without git checks are tried first, too, and a check that passes before any work is named", () => {
    const stage = new PlanStage(plan(["T-001", "pytset -q"], ["T-002", "true"], ["T-003", "true"]));
    rmSync(join(stage.root, ".git"), { recursive: true });
    const ran = stage.work({});
    expectCode(ran, 1);
    expect(ran.out).toMatch(/The check of T-001 can't run: .*pytset: not found/);
    expect(ran.out).toContain(
      "[LOOP] T-002, T-003: the check already passes before any work, so it cannot show that the work is done",
    );
    expect(stage.eventsOf("attempt.started")).toEqual([]);
  });

  variant("setup runs in every worktree, with a slot of its own, and never in the user's files", () => {
    const stage = new PlanStage(TWO, { ".gitignore": "deps\n" });
    const ran = stage.work(WRITES, "--setup", 'echo "$LOOP_SLOT" > deps');
    expectCode(ran, 0);
    expect(existsSync(`${stage.root}/deps`)).toBe(false);
  });
});

describe("limits of a plan", () => {
  test.runIf(isFullEffort)(
    "a check that never ends fails by its time limit, and the task is given up after its attempts",
    () => {
      const stage = new PlanStage(plan(["T-001", "sleep 3600"]));
      const again = Array.from({ length: 4 }, () => writes("one.txt"));
      const ran = stage.work({ "T-001": again }, "--check-timeout", "1", "--iterations", "1");
      expectCode(ran, 3);
      expect(ran.out).toContain("T-001 was given up");
      expect(stage.promptOf("T-001", 1)).toContain("T-001");
      expect(stage.setbacks()).toEqual(["T-001-1 failed"]);
    },
  );

  test.runIf(isFullEffort)("tasks that were given up are tried again with loop continue --iterations", () => {
    const stage = new PlanStage(TWO);
    const scripts = { "T-001-1": GIVES_UP, "T-001-2": WRITES["T-001"], "T-002": WRITES["T-002"] };
    const ran = stage.work(scripts, "--iterations", "1");
    expectCode(ran, 3);
    expect(ran.out).toContain("2 of 2 tasks given up: T-001, T-002");
    const refused = stage.spawnLoop("continue");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("loop continue --iterations");
    const again = stage.spawnLoop("continue", "--iterations=1");
    expectCode(again, 0);
    expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
  });

  test.runIf(isFullEffort)(
    "a budget that is too small pauses with what is left, and goes on with more",
    () => {
      const stage = new PlanStage(TWO);
      const scripts = {
        "T-001": [{ ...writes("one.txt"), usd: 0.3 }],
        "T-002": [{ ...writes("two.txt"), usd: 0.3 }],
      };
      const ran = stage.work(scripts, "--budget", "0.4");
      expectCode(ran, 2);
      expect(ran.out).toContain("Paused: budget");
      const again = stage.spawnLoop("continue", "--budget=2");
      expectCode(again, 0);
      expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
    },
  );

  variant("a budget that has too little left for an attempt says how much resumes it, and that does", () => {
    const stage = new PlanStage(TWO);
    const scripts = {
      "T-001": [{ ...writes("one.txt"), usd: 0.3 }],
      "T-002": [{ ...writes("two.txt"), usd: 0.3 }],
    };
    const ran = stage.work(scripts, "--budget", "0.1", "--no-model");
    expectCode(ran, 2);
    const [, added] = /^Resume: loop continue --budget=([\d.]+)$/m.exec(ran.out) ?? [];
    expect(added).toBe("0.8");
    const again = stage.spawnLoop("continue", `--budget=${added}`);
    expectCode(again, 0);
    expect(again.out).toMatch(/^\[LOOP\] Limits now, in all: \$0\.90 of budget\.$/m);
  });

  test.runIf(isFullEffort)(
    "an agent that can't be capped starts no turn that its share doesn't cover, however many run at once",
    () => {
      const ids = ["T-001", "T-002", "T-003"];
      const stage = new PlanStage(plan(...ids.map((id) => [id, `test -f ${id}.txt`] as const)));
      const halfDone = { say: "Half of it.", usd: 0.3 };
      const scripts = Object.fromEntries(
        ids.map((id) => [id, [halfDone, { ...writes(`${id}.txt`), usd: 0.3 }]]),
      );
      const ran = stage.work(scripts, "--budget", "1", "--iterations", "2");
      expectCode(ran, 2);
      const [view] = stage.status();
      expect(view?.costUsd).toBeLessThanOrEqual(1);
      expectCode(stage.spawnLoop("continue", "--budget=9"), 0);
      expect(stage.tasksOn("master").toSorted()).toEqual(ids);
    },
  );

  test.runIf(isFullEffort)("a task may be tried again with what its first attempt left of the budget", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const failing = GIVES_UP.map((turn) => ({ ...turn, usd: 0.01 }));
    const ran = stage.work({ "T-001-1": failing, "T-001-2": WRITES["T-001"] }, "--budget", "1");
    expectCode(ran, 0);
    expect(stage.setbacks()).toEqual(["T-001-1 failed"]);
  });

  test.runIf(isFullEffort)("tokens of all attempts together", () => {
    const stage = new PlanStage(TWO);
    const tokens = { input: 90, output: 20 };
    const scripts = {
      "T-001": [{ ...writes("one.txt"), tokens }],
      "T-002": [{ do: [{ write: "two.txt", text: "two\n" }], say: DONE, usd: 0.01, tokens }],
    };
    const ran = stage.work(scripts, "--max-tokens", "100");
    expectCode(ran, 2);
    expect(ran.out).toContain("110 of 100 tokens used");
    const again = stage.spawnLoop("continue", "--max-tokens=1000");
    expectCode(again, 0);
  });
});
