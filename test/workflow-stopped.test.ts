import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { DONE, type Driving } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "test -f two.txt"],
  ["T-003", "test -f three.txt", "T-001", "T-002"],
);

/** One task is merged, and another one is in the middle of its turn. */
async function amidWork(...args: readonly string[]): Promise<{ stage: PlanStage; run: Driving }> {
  const stage = new PlanStage(PLAN);
  const scripts = {
    "T-001": [writes("one.txt")],
    "T-002": [
      {
        do: [
          { write: "half.txt", text: "half\n" },
          { run: stage.meet("two") },
          { write: "two.txt", text: "two\n" },
        ],
        say: DONE,
        usd: 0.02,
      },
    ],
    "T-003": [{ ...writes("three.txt"), usd: 0.04 }],
  };
  const run = stage.drive(stage.working(scripts, ...args));
  await stage.met("two");
  await until(() => stage.eventsOf("merge.ended").length === 1, "the first task was merged");
  return { stage, run };
}

function expectFinished(stage: PlanStage): void {
  expect(stage.tasksOn("master").toSorted()).toEqual(["T-001", "T-002", "T-003"]);
  expect(stage.setbacks()).toEqual([]);
  expect(stage.worktrees()).toEqual([]);
  expect(stage.status().map(({ phase }) => phase)).toEqual(["completed"]);
  expect(stage.attemptPhases()).toEqual(["completed", "completed", "completed"]);
}

variant(
  "a plan that is stopped while its checks are tried is paused, and nothing of it runs on",
  async () => {
    const stage = new PlanStage("### T-001: Write one.txt\n");
    const line = `${stage.meet("check")}; test -f one.txt`;
    writeFileSync(stage.planFile, plan(["T-001", line]));
    const run = stage.drive(stage.working({ "T-001": [writes("one.txt")] }));
    await stage.met("check");
    process.kill(run.pid, "SIGINT");
    await run.printed("Finishing this iteration");
    process.kill(run.pid, "SIGINT");
    expect((await run.ended()).code).toBe(130);
    expect(stage.status()).toMatchObject([{ phase: "paused", reason: "user" }]);
  },
);

describe("a plan that is stopped in the middle", () => {
  test.runIf(isFullEffort)("goes on with as many tasks at once as loop run --loop says", async () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt"]));
    // Each is done only beside the other one.
    const beside = (own: string, other: string): string =>
      `touch ${stage.mark(own)}; for _ in $(seq 600); do [ -e ${stage.mark(other)} ] && echo > ${own}.txt && break; sleep 0.05; done`;
    const run = stage.drive(
      stage.working(
        {
          "T-001": [
            { do: [{ run: stage.meet("one") }], say: DONE },
            { do: [{ run: beside("one", "two") }], say: DONE },
          ],
          "T-002": [{ do: [{ run: beside("two", "one") }], say: DONE }],
        },
        ...["--parallel", "1"],
      ),
    );
    await stage.met("one");
    expectCode(stage.spawnLoop("pause"), 0);
    await run.ended();
    expect(stage.eventsOf("attempt.started")).toHaveLength(1);
    stage.letGo("one");
    expectCode(stage.spawnLoop("run", "--loop", stage.id, "--parallel", "2"), 0);
    expect(stage.setbacks()).toEqual([]);
  });

  test.runIf(isFullEffort)("loop pause: attempts stop at once, and go on with loop continue", async () => {
    const { stage, run } = await amidWork();
    const before = stage.userState();
    const paused = stage.spawnLoop("pause");
    expectCode(paused, 0);
    expectCode(await run.ended(), 4);
    expect(stage.eventsOf("loop.paused")).toMatchObject([{ reason: "user" }]);
    expect(stage.worktrees().map((path) => path.split("/").at(-1))).toContain("T-002-1");
    expect(stage.userState()).toBe(before);
    stage.letGo("two");
    const again = stage.spawnLoop("continue");
    expectCode(again, 0);
    expectFinished(stage);
  });

  test.runIf(isFullEffort)(
    "loop pause for one attempt: the plan pauses with it instead of waiting in vain, and both go on",
    async () => {
      const { stage, run } = await amidWork();
      const attempt = stage.eventsOf("attempt.started").find(({ task }) => task === "T-002");
      expectCode(stage.spawnLoop("pause", "--loop", attempt?.loop ?? ""), 0);
      expectCode(await run.ended(), 4);
      expect(run.out).toContain("Paused: user (the attempt at T-002 was paused)");
      stage.letGo("two");
      expectCode(stage.spawnLoop("continue"), 0);
      expectFinished(stage);
    },
  );

  variant("Ctrl-C once: the iteration is finished, its result is kept, and the rest waits", async () => {
    const { stage, run } = await amidWork();
    process.kill(run.pid, "SIGINT");
    await run.printed("Finishing this iteration");
    stage.letGo("two");
    expectCode(await run.ended(), 130);
    expect(
      stage
        .eventsOf("attempt.started")
        .map(({ task }) => task)
        .toSorted(),
    ).toEqual(["T-001", "T-002"]);
    const again = stage.spawnLoop("continue");
    expectCode(again, 0);
    expectFinished(stage);
    const view = stage.status().find(({ id }) => id === stage.id);
    expect(view?.costUsd).toBeCloseTo(0.07, 10);
  });

  variant("Ctrl-C twice: stops now, and nothing is lost", async () => {
    const { stage, run } = await amidWork();
    process.kill(run.pid, "SIGINT");
    await run.printed("Finishing this iteration");
    process.kill(run.pid, "SIGINT");
    expectCode(await run.ended(), 130);
    expect(stage.status().find(({ id }) => id === stage.id)).toMatchObject({
      phase: "paused",
      reason: "user",
      // What the open attempt was billed so far is among it.
      costUsd: 0.02,
    });
    expect(run.out).toMatch(/2 attempts, .*, \$0\.02\/\$25/);
    stage.letGo("two");
    const again = stage.spawnLoop("continue");
    expectCode(again, 0);
    expect(again.out).toContain("▸ T-002 Do T-002 (resumed)");
    expectFinished(stage);
  });

  variant(
    "loop cancel while it runs: ends the attempts, keeps their files, and leaves no worktree",
    async () => {
      const { stage, run } = await amidWork();
      const before = stage.userState();
      expect(stage.spawnLoop("cancel")).toMatchObject({ code: 0 });
      expectCode(await run.ended(), 1);
      expectCancelled(stage);
      expect(stage.userState()).toBe(before);
    },
  );

  test.runIf(isFullEffort)("loop cancel after it was killed: the same", async () => {
    const { stage, run } = await amidWork();
    run.child.kill("SIGKILL");
    await run.ended();
    const cancelled = stage.spawnLoop("cancel");
    expectCode(cancelled, 0);
    expectCancelled(stage);
    expect(stage.spawnLoop("continue")).toMatchObject({ code: 1 });
  });

  function expectCancelled(stage: PlanStage): void {
    expect(stage.status().map(({ phase }) => phase)).toEqual(["cancelled"]);
    expect(stage.attemptPhases()).toEqual(["cancelled", "completed"]);
    expect(stage.worktrees()).toEqual([]);
    expect(stage.tasksOn(`loop/${stage.id}`)).toEqual(["T-001"]);
    expect(stage.tasksOn("master")).toEqual([]);
    const kept = `refs/loopwright/${stage.id}/tasks/T-002/1-unfinished`;
    expect(stage.git("show", `${kept}:half.txt`)).toBe("half\n");
    // A rehearsal bills half of its turn at once.
    expect(stage.status().find(({ id }) => id === stage.id)?.costUsd).toBeCloseTo(0.02, 10);
  }

  test.runIf(isFullEffort)("loop continue --budget adds to it while it runs", async () => {
    const { stage, run } = await amidWork("--budget", "1");
    const more = stage.spawnLoop("continue", "--budget=2");
    expectCode(more, 0);
    stage.letGo("two");
    expectCode(await run.ended(), 0);
    expect(stage.status().find(({ id }) => id === stage.id)).toMatchObject({ budgetUsd: 3 });
    expectFinished(stage);
  });
});
