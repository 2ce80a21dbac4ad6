import { describe, expect, test } from "vitest";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import type { Ran } from "./support/sandbox.ts";
import { variant } from "./support/variant.ts";

const PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "test -f two.txt"],
  ["T-003", "test -f three.txt", "T-002"],
);
const FAILS = [{ say: "I don't know how." }];
const SCRIPTS = {
  "T-001": [writes("one.txt")],
  "T-002": FAILS,
  "T-003": [writes("three.txt")],
};

/** The first task is done, the second was given up, and the third waits for it. */
function stuck(...args: readonly string[]): { readonly stage: PlanStage; readonly ran: Ran } {
  const stage = new PlanStage(PLAN);
  const ran = stage.work(SCRIPTS, "--iterations", "1", "--no-model", "--proof", "off", ...args);
  return { stage, ran };
}

function files(stage: PlanStage): readonly string[] {
  return stage
    .git("ls-tree", "--name-only", "HEAD")
    .split("\n")
    .filter((name) => name.endsWith(".txt"));
}

describe("a person", () => {
  test("leaves a task out, and what waited for it is done and delivered; the end says what is missing", () => {
    const { stage, ran } = stuck();
    expectCode(ran, 3);
    expect(ran.out).toContain('Try it again: loop task retry T-002 --say "WHAT TO DO"\n');
    expect(ran.out).toContain("Deliver what is done: loop continue --deliver done\n");

    expect(stage.agentLoop("s1", "task", "skip", "T-002").err).toContain(
      "`loop task skip` may only be run by the user",
    );
    expect(stage.loop("task", "edit", "T-001", "--verify", "true").err).toContain("T-001 is done and merged");
    expect(stage.loop("task", "skip", "t-002", "not", "needed").out).toBe(
      `T-002 is left out. Resume: loop continue --loop ${stage.id}\n`,
    );
    expect(stage.loop("task").out).toMatch(/– left out +T-002/);
    const continued = stage.loop("continue");
    expectCode(continued, 6);
    expect(continued.out).toContain(
      "2 of 3 tasks done, 1 left out:\n- T-001: ✓ Do T-001 (weak)\n- T-002: – Do T-002 (left out: not needed)\n",
    );
    expect(continued.out).toContain("↳ Alt: have T-002 done in another loop (Do T-002)");
    expect(continued.out).toContain("T-002 was left out: not needed");
    expect(stage.read(".loop/summary.md")).toContain("| – | T-002 | Do T-002 | 1 | left out: not needed |");
    expect(continued.out).toContain("was fast-forwarded to the work of all tasks but T-002.");
    expect(files(stage)).toEqual(["one.txt", "three.txt"]);
  });

  test("has a task tried once more, with words for its next attempt", () => {
    const { stage } = stuck();
    stage.rehearsing({ "T-002-2": [writes("two.txt")] });
    const ran = stage.loop("task", "retry", "T-002", "--say", "write two.txt");
    expect(ran.out).toContain("T-002 is tried again.");
    expectCode(stage.loop("continue", "--accept", "weak"), 0);
    expect(stage.promptOf("T-002", 2)).toContain("write two.txt");
    expect(files(stage)).toEqual(["one.txt", "three.txt", "two.txt"]);
  });

  test("is asked for words before anything else, where a task failed in the same way each time", () => {
    const stage = new PlanStage(PLAN);
    const ran = stage.work(SCRIPTS, "--stuck-limit", "1", "--no-model", "--proof", "off");
    expectCode(ran, 3);
    expect(ran.out).toContain(
      'First: loop task retry T-002 --say "WHAT TO DO", or leave it out: loop task skip T-002\nResume: loop continue\nDeliver what is done: loop continue --deliver done\n',
    );
    expect(stage.loop("status").out).toContain(
      'next: loop task retry T-002 --say "WHAT TO DO" && loop continue\n',
    );
    expect(stage.loop("continue").err).toContain(
      'T-002 failed in the same way each time; say what to do with: loop task retry T-002 --say "WHAT TO DO"',
    );
    stage.rehearsing({ ...SCRIPTS, "T-002": [writes("two.txt")] });
    expectCode(stage.loop("task", "retry", "T-002", "--say", "write two.txt"), 0);
    expectCode(stage.loop("continue", "--accept", "weak"), 0);
  });

  test("changes a task and adds one, after the lint, and the gate knows what their checks meant", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    const scripts = { "T-001-1": FAILS, "T-001-2": [writes("first.txt")], "T-002": [writes("two.txt")] };
    expectCode(stage.work(scripts, "--iterations", "1", "--no-model"), 3);
    expect(stage.loop("task", "edit", "T-001", "--blocked-by", "T-001").err).toContain(
      "T-001 is blocked by itself.",
    );
    expect(stage.loop("task", "add", "Write two.txt", "--blocked-by", "T-009").err).toContain(
      'T-002 is blocked by "T-009", which is not a task of this plan.',
    );
    expect(stage.loop("task", "add", "Write two.txt").err).toContain("T-002 has no check");
    expectCode(stage.loop("task", "edit", "T-002", "--verify", "test -f two.txt"), 0);
    expectCode(stage.loop("task", "edit", "T-001", "--verify", "test -f first.txt"), 0);
    expectCode(stage.loop("task", "retry", "T-001"), 0);
    expectCode(stage.loop("continue"), 0);
    expect(files(stage)).toEqual(["first.txt", "two.txt"]);
  });

  test("changes a plan that is worked on: the run goes on with that, and ends the attempt at what was left out", async () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"], ["T-002", "test -f two.txt"]));
    const waits = { do: [{ run: stage.meet("work") }], say: "Not yet." };
    const driving = stage.drive(
      stage.working(
        { "T-001": [writes("one.txt")], "T-002": [waits], "T-003": [writes("three.txt")] },
        ...["--no-model", "--proof", "off", "-c", "all=test -f one.txt"],
      ),
    );
    await stage.met("work");
    expectCode(stage.loop("task", "add", "Write three.txt", "--verify", "test -f three.txt"), 0);
    const skipped = stage.loop("task", "skip", "T-002");
    expect(skipped.out).toBe("T-002 is left out. Its run continues with that.\n");
    stage.letGo("work");
    const ended = await driving.ended();

    expectCode(ended, 6);
    expect(files(stage)).toEqual(["one.txt", "three.txt"]);
    const started = stage.eventsOf("attempt.started").map(({ task }) => task);
    expect(started.at(-1)).toBe("END-1");
    expect(started.filter((task) => task === "T-002")).toHaveLength(1);
  });
});

describe("what is done of a plan", () => {
  test("is delivered without what was given up, where the run was told so", () => {
    const { stage, ran } = stuck("--deliver", "done");
    expectCode(ran, 6);
    expect(ran.out).toContain("[LOOP] Delivering what is finished, without T-002, T-003");
    expect(ran.out).toContain("T-003 was left out: blocked by T-002, which was given up");
    expect(files(stage)).toEqual(["one.txt"]);
  });

  test("is delivered as an answer at the pause", () => {
    const { stage } = stuck();
    const ran = stage.loop("continue", "--deliver", "done");
    expectCode(ran, 6);
    expect(files(stage)).toEqual(["one.txt"]);
    expect(stage.only()).toMatchObject({ phase: "completed", confidence: "unverified" });
  });

  variant("is nothing before a task is done, and the loop stays paused", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
    expectCode(stage.work({ "T-001": FAILS }, "--iterations", "1", "--no-model", "--deliver", "done"), 3);
    expect(stage.loop("continue", "--deliver", "done").err).toContain("there is nothing to deliver");
    expect(stage.only()).toMatchObject({ phase: "paused" });
  });
});
