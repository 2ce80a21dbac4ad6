import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { isFullEffort } from "./support/effort.ts";
import { ExecutorStage } from "./support/executor-stage.ts";
import { playedExecutor } from "./support/played-executor.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

test("no worktree is removed while its attempt is at work, although its plan is on another machine", async () => {
  const stage = new ExecutorStage((place) => playedExecutor(place).executor);
  const work = [{ run: stage.meet("work") }, { write: "T-001.txt", text: "done\n" }];
  const envelope = stage.envelope("T-001", [{ do: work, say: DONE }]);
  const running = stage.attempt(envelope);
  await stage.met("work");
  const listed = (): unknown => JSON.parse(stage.loop("worktrees", "--remove", "--json").out);
  expect(listed()).toMatchObject({ worktrees: [{ state: "live" }] });
  stage.letGo("work");
  expect((await running).outcome.type).toBe("finished");
  expect(existsSync(envelope.worktree ?? "")).toBe(true);
  expect(listed()).toMatchObject({ worktrees: [{ state: "dead", removed: true }] });
});

const TWO = plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt"]);
const WRITES = { "T-001": [writes("one.txt")], "T-002": [writes("two.txt")] };
const MEGABYTE = 1_000_000;
/** Each worktree has a file of a megabyte. */
const LARGE = { "large.bin": "x".repeat(MEGABYTE) };

describe("the disk that worktrees take", () => {
  test.runIf(isFullEffort)(
    "is bounded: attempts that don't fit beside each other come one after the other",
    () => {
      const stage = new PlanStage(TWO, LARGE);
      // The queue's worktree and one attempt's.
      const ran = stage.work(WRITES, "--parallel", "2", "--max-disk", "0.0025");
      expectCode(ran, 0);
      expect(ran.out.match(/No new attempt starts yet: the worktrees of attempts take/g)).toHaveLength(1);
      const kinds = stage.events().map(({ type }) => type);
      expect(kinds.lastIndexOf("attempt.started")).toBeGreaterThan(kinds.indexOf("merge.ended"));
      expect(stage.tasksOn("master")).toEqual(["T-001", "T-002"]);
    },
  );

  variant("pauses with what to do where not even one attempt fits, and goes on with more", () => {
    const stage = new PlanStage(TWO, LARGE);
    const ran = stage.work(WRITES, "--max-disk", "0.0015");
    expectCode(ran, 4);
    expect(ran.out).toContain(
      `Paused: blocked (the worktrees of attempts take 1.0 MB of the 1.5 MB that they may, and one more takes about 1.0 MB; see loop worktrees, or allow more with: loop run --loop ${stage.id} --max-disk GB)`,
    );
    expect(stage.eventsOf("attempt.started")).toEqual([]);
    expectCode(stage.spawnLoop("run", "--loop", stage.id, "--max-disk", "1"), 0);
    expect(stage.tasksOn("master").toSorted()).toEqual(["T-001", "T-002"]);
  });

  test.runIf(isFullEffort)(
    "dead worktrees of other plans make room, but none that has the last copy of something",
    async () => {
      const stage = new PlanStage(TWO, LARGE);
      // An attempt is cut off, and the records of its plan are deleted: nobody will go on in its worktrees.
      const scripts = {
        "T-001": [{ do: [{ write: "mine.txt", text: "mine\n" }, { run: stage.meet("one") }], say: DONE }],
      };
      const killed = stage.drive(stage.working(scripts, "--parallel", "1"));
      await stage.met("one");
      killed.child.kill("SIGKILL");
      await killed.ended();
      rmSync(join(stage.root, ".loop"), { recursive: true });
      const [attempt = "", queue = ""] = stage.folders().filter((path) => !path.endsWith(".json"));
      // Both of those, the new queue's and an attempt's would be four; without the old queue's there is room.
      const ran = stage.work(WRITES, "--parallel", "1", "--max-disk", "0.0035");
      expectCode(ran, 0);
      expect(existsSync(queue)).toBe(false);
      expect(readFileSync(join(attempt, "mine.txt"), "utf8")).toBe("mine\n");
    },
  );
});
