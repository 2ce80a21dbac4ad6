import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { counsel, found, review } from "./support/played-judges.ts";
import { heldReason, toldOf, type Ran } from "./support/sandbox.ts";
import { WorkflowStage } from "./support/workflow-stage.ts";
import { isFullEffort } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const S = "session-one";
const FILES = {
  "package.json": '{ "scripts": { "test": "grep -q hello src/greet.mjs" } }\n',
  "src/greet.mjs": "export const greet = () => '';\n",
};
const PLAN = `### T-001: Greet in src/greet.mjs
verify: grep -q hello src/greet.mjs

### T-002: Write notes about it
blocked by: T-001
verify: test -f notes.txt
`;
const VAGUE = "Make the greeting better";

function loop(stage: WorkflowStage, ...args: readonly string[]): Ran {
  return stage.agentLoop(S, ...args);
}

function withPlan(stage: WorkflowStage, plan = PLAN, ...args: readonly string[]): Ran {
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
  return stage.loopWith({ env, input: plan }, "start", "--plan", "-", ...args);
}

function ok(ran: Ran): string {
  if (ran.code !== 0) throw new Error(`${ran.out}${ran.err}`);
  return ran.out;
}

function opened(...args: readonly string[]): WorkflowStage {
  const stage = new WorkflowStage(FILES);
  ok(loop(stage, "start", VAGUE, "--workflow", ...args));
  return stage;
}

function planned(plan = PLAN): WorkflowStage {
  const stage = opened();
  ok(loop(stage, "answer", "1A, 2A, 3A, 4A, 5A"));
  ok(withPlan(stage, plan));
  return stage;
}

function claim(stage: WorkflowStage, task: string): { readonly worktree: string; readonly spec: string } {
  const { claimed } = JSON.parse(ok(loop(stage, "task", "claim", task, "--json"))) as {
    claimed: readonly [{ readonly worktree: string; readonly spec: string }];
  };
  return claimed[0];
}

/** Does a task as its check wants it. */
function doTask(stage: WorkflowStage, task: string, name: string, text: string): void {
  writeFileSync(join(claim(stage, task).worktree, name), text);
  ok(loop(stage, "task", "done", task));
}

const answerOf = ([turn]: ReturnType<typeof review>): string => turn?.say ?? "";

describe("what a session's spec leaves open", () => {
  variant("is asked with proposals, and the session may stop until its user answers", () => {
    const stage = new WorkflowStage(FILES);
    const printed = ok(loop(stage, "start", VAGUE, "--workflow"));

    expect(printed).toMatch(/leaves this open \(\d\/10\):\n {2}1 {2}\S[^]*\n {5}A {2}/);
    expect(printed).toContain("A  Only files in src/");
    expect(stage.stop(S).out).toBe("");
    expect(stage.only()).toMatchObject({ phase: "active", stage: "intent", iteration: 0 });
    // Whoever comes back is told the same.
    expect(ok(loop(stage, "answer"))).toContain("A  Only files in src/");
    expect(stage.eventsOf("intent.settled")).toEqual([]);
  });

  test("becomes part of the spec as its user answers it, once, and the shape follows", () => {
    const stage = opened();
    const printed = ok(loop(stage, "answer", "1A,", "2:", "only", "greet()"));

    expect(printed).toContain("Deliverable:");
    expect(printed).toContain("tests pass: npm run test");
    const [settled, ...others] = stage.eventsOf("intent.settled");
    expect(others).toEqual([]);
    expect(settled).toMatchObject({ by: "agent", intent: { answers: [{}, { answer: "only greet()" }] } });
    expect(settled?.spec).toMatch(/^Make the greeting better\.\n[^]*only greet\(\)/);
    expect(settled?.score.total).toBeGreaterThan(stage.eventsOf("loop.opened")[0]?.score.total ?? 10);
    expect(stage.eventsOf("shape.drawn")).toHaveLength(1);
    expect(stage.read(".loop/shape/SHAPE.md")).toContain("tests pass: npm run test");

    expect(loop(stage, "answer", "1B").err).toContain("Nothing is open");
    expect(stage.eventsOf("intent.settled")).toHaveLength(1);
  });

  test.each([
    ["no question", "9A", "There is no question 9"],
    ["no proposal", "1Z", "Question 1 has no Z"],
    ["nothing", "1:", "Nothing was answered"],
    ["all at once", "make it nice", "Begin each answer with the number"],
  ])("stays open when an answer is to %s", (_, answer, why) => {
    const stage = opened();
    expect(loop(stage, "answer", answer)).toMatchObject({ code: 1, err: expect.stringContaining(why) });
    expect(stage.only().stage).toBe("intent");
  });

  test("is nothing when a check says what done means", () => {
    const stage = opened("-c", "greets=grep -q hello src/greet.mjs");

    expect(stage.only()).toMatchObject({ stage: "decompose" });
    expect(stage.eventsOf("intent.settled")).toMatchObject([{ by: "machine", spec: VAGUE }]);
  });

  test("can't be answered for a loop without stages, nor by another session", () => {
    const stage = opened();
    expect(stage.agentLoop("session-two", "answer", "1A").code).toBe(1);
    const other = new WorkflowStage(FILES);
    ok(loop(other, "start", VAGUE, "-c", "greets=true"));
    expect(loop(other, "answer", "1A").err).toContain("has no stages");
  });

  test("is answered before there is a plan", () => {
    const stage = opened();

    expect(withPlan(stage).err).toContain("see what is open with: loop answer");
    expect(stage.eventsOf("plan.adopted")).toEqual([]);
  });
});

describe("a session's workflow without a plan", () => {
  test("holds its agent until there is one, whose last tasks are the criteria", () => {
    const stage = opened();
    ok(loop(stage, "answer", "1A, 2A, 3A, 4A, 5A"));
    expect(heldReason(stage.stop(S))).toContain("`loop start --plan -`");

    const printed = ok(withPlan(stage, PLAN, "-c", "notes=test -f notes.txt"));
    expect(printed).toContain("Ready: T-001.");
    const [plan, ...others] = stage.eventsOf("plan.adopted");
    expect(others).toEqual([]);
    expect(plan?.plan.tasks.map(({ id, subject }) => `${id} ${subject}`)).toEqual([
      "T-001 Greet in src/greet.mjs",
      "T-002 Write notes about it",
      "END-1 tests pass",
      "END-2 notes",
    ]);
    expect(withPlan(stage).err).toContain("already has the loop");
  });

  test("takes no plan with errors, no second spec, and no rule or limit that nobody would keep", () => {
    const stage = opened();
    ok(loop(stage, "answer", "1A, 2A, 3A, 4A, 5A"));

    expect(withPlan(stage, "### T-001: Greet\nblocked by: T-009\n").err).toContain("The plan has errors");
    expect(withPlan(stage, PLAN, "Something else").err).toContain("leave out a spec");
    const late = ["--must-not", "path:src/**", "--protect", "test/**", "--budget", "1", "--no-model"];
    expect(withPlan(stage, PLAN, ...late).err).toContain(
      "leave out --must-not, --protect, --budget, --no-model: that counts only when a loop is opened",
    );
    expect(withPlan(stage, PLAN, "--not-yet", "T-001").err).toContain("may only be run by the user");
    expect(stage.only().stage).toBe("decompose");
  });

  test("takes its plan after a kill that left a criterion of the same command behind", () => {
    const stage = opened();
    ok(loop(stage, "answer", "1A, 2A, 3A, 4A, 5A"));
    ok(loop(stage, "criteria", "add", "notes", "--check", "test -f notes.txt"));

    ok(withPlan(stage, PLAN, "-c", "notes=test -f notes.txt"));
    const [plan] = stage.eventsOf("plan.adopted");
    expect(plan?.plan.tasks.map(({ subject }) => subject).filter((each) => each === "notes")).toHaveLength(1);
  });

  test("goes on where a kill left it, and settles nothing again", async () => {
    const stage = opened();
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: S };
    const first = stage.drive(["answer", "1A, 2A, 3A, 4A, 5A"], env);
    while (!first.isOver && stage.eventsOf("intent.settled").length === 0) await sleep(2);
    first.child.kill("SIGKILL");
    await first.ended();
    const [before] = stage.eventsOf("intent.settled");
    expect(before).toBeDefined();

    ok(loop(stage, "answer"));
    expect(stage.eventsOf("intent.settled")).toEqual([before]);
    expect(stage.eventsOf("shape.drawn")).toHaveLength(1);
    expect(stage.only().stage).toBe("decompose");
  });

  variant("is settled once by answers that come at the same time", async () => {
    const stage = opened();
    const answers = ["1A, 2A, 3A, 4A, 5A", "1B, 3B, 4B, 5B", "1A"].map((line) => ["answer", line]);
    const ran = await stage.loopsAtOnce(answers);

    const others = ran.filter(({ code }) => code !== 0);
    expect(others).toHaveLength(2);
    for (const { err } of others) expect(err).toMatch(/^loop: (It was answered meanwhile|Nothing is open)/);
    expect(stage.eventsOf("intent.settled")).toHaveLength(1);
    expect(stage.eventsOf("shape.drawn")).toHaveLength(1);
    expect(stage.only().stage).toBe("decompose");
  });

  test("goes on in another session in which its user continues it", () => {
    const stage = opened();
    const printed = ok(stage.loop("continue", "--session", "session-two"));

    expect(printed).toContain("Next: ask the user what the spec leaves open: loop answer");
    expect(loop(stage, "answer", "1A").code).toBe(1);
    ok(stage.agentLoop("session-two", "answer", "1A, 2A, 3A, 4A, 5A"));
    expect(heldReason(stage.stop("session-two"))).toContain("`loop start --plan -`");
    expect(stage.stop(S).out).toContain("No longer held: the session session-two has the loop");
    expect(stage.stop(S).out).toBe("");
  });

  test("is announced to its conversation with what is next", () => {
    const stage = opened();
    const input = JSON.stringify({ hook_event_name: "SessionStart", session_id: S, cwd: stage.root });
    const { out } = stage.loopWith({ input }, "hook", "session-start", "--host", "claude-code");

    expect(out).toContain("Stage: intent | Spec: ");
    expect(out).toContain("Next: ask the user what the spec leaves open: loop answer");
  });
});

describe("a second workflow in a project", () => {
  test("is the user's to decide about: resume, status, or fresh", () => {
    const stage = opened();
    const { id } = stage;
    const second = ["start", VAGUE, "--workflow"] as const;
    const { code, err } = stage.agentLoop("session-two", ...second);

    expect(code).toBe(1);
    expect(err).toContain(`${id} is unfinished (stage intent`);
    expect(err).toContain(`/loop:continue --loop=${id}`);
    expect(err).toContain(`loop status --loop ${id}`);
    expect(stage.loops).toHaveLength(1);
    ok(stage.agentLoop("session-two", ...second, "--beside"));
    expect(stage.loops).toHaveLength(2);
  });

  test("isn't opened outside a session", () => {
    const stage = new WorkflowStage(FILES);
    expect(stage.loop("start", VAGUE, "--workflow").err).toContain("loop run SPEC --workflow");
  });
});

describe("a task that failed in a session", () => {
  const ADVICE = "Write the word into the source file that the check reads, not into a new one.";

  test("gets the advice of a subagent, and the next attempt is told", () => {
    const stage = planned(`${PLAN}\n### T-003: Say when\nverify: test -f when.txt\n`);
    claim(stage, "T-001");
    ok(loop(stage, "task", "drop", "T-001", "TypeError: greet is undefined"));
    doTask(stage, "T-003", "when.txt", "now\n");
    const reason = heldReason(stage.stop(S));
    expect(reason).toContain("T-001 failed. First give `loop task counsel T-001`");
    // The hook merges, and leaves counsel to the session.
    expect(stage.eventsOf("merge.ended")).toHaveLength(1);
    expect(stage.eventsOf("counsel.given")).toEqual([]);

    const brief = ok(loop(stage, "task", "counsel", "t-001"));
    expect(brief).toContain("TypeError: greet is undefined");
    expect(brief).toContain("error handling");
    expect(brief).toContain("loop task counsel T-001 '");
    expect(loop(stage, "task", "counsel", "T-001", '{"approach": 1}').err).toContain("Nothing was recorded");
    ok(loop(stage, "task", "counsel", "T-001", answerOf(counsel(ADVICE))));

    expect(stage.eventsOf("counsel.given")).toMatchObject([
      { task: "T-001", after: 1, approach: ADVICE, agent: "claude-code" },
    ]);
    expect(claim(stage, "T-001").spec).toContain(ADVICE);
    expect(loop(stage, "task", "counsel", "T-001").err).toContain("needs no other approach now");
  });

  variant("gets a plain approach, a different one each time, when nobody advises", () => {
    const stage = planned();
    for (const reason of ["it is odd", "it is still odd"]) {
      claim(stage, "T-001");
      ok(loop(stage, "task", "drop", "T-001", reason));
    }
    const { spec } = claim(stage, "T-001");

    const given = stage.eventsOf("counsel.given");
    expect(given).toMatchObject([
      { after: 1, agent: null },
      { after: 2, agent: null },
    ]);
    expect(new Set(given.map(({ digest }) => digest)).size).toBe(2);
    expect(spec).toContain(given[1]?.approach);
    // The same attempt again isn't advised again.
    claim(stage, "T-001");
    expect(stage.eventsOf("counsel.given")).toHaveLength(2);
  });

  variant("is never advised to repeat what was advised before", () => {
    const stage = planned();
    for (const answer of [1, 2]) {
      claim(stage, "T-001");
      ok(loop(stage, "task", "drop", "T-001", "it is odd"));
      const ran = loop(stage, "task", "counsel", "T-001", answerOf(counsel(ADVICE)));
      expect(ran.code).toBe(answer - 1);
    }
    expect(stage.eventsOf("counsel.given")).toHaveLength(1);
  });
});

describe("a wave of a session", () => {
  test.runIf(isFullEffort)(
    "may be looked at beside the next one, which never waits for it nor for what it finds",
    () => {
      const stage = planned();
      doTask(stage, "T-001", "src/greet.mjs", "export const greet = () => 'hello wrold';\n");
      const reason = heldReason(stage.stop(S));
      expect(reason).toContain("Ready: T-002.");
      expect(reason).toContain("`loop review panel --wave 1` names them. Nothing waits for them.");

      const brief = ok(loop(stage, "review", "brief", "--wave", "1"));
      expect(brief).toContain("wrold");
      expect(brief).toContain("loop review record --wave 1 '");
      expect(loop(stage, "review", "brief", "--wave", "2").err).toContain("Wave 2 isn't merged");
      const blocker = found("src/greet.mjs", "export const greet = () => 'hello wrold';");
      const printed = ok(loop(stage, "review", "record", "--wave", "1", answerOf(review(6, blocker))));
      expect(printed).toContain("[LOOP] Wave 1 review: 6/10 | 1 issues (1 blockers)");
      expect(loop(stage, "review", "record", "--wave", "1", answerOf(review(9))).err).toContain(
        "Wave 1 was reviewed before",
      );

      doTask(stage, "T-002", "notes.txt", "notes\n");
      const last = heldReason(stage.stop(S));
      expect(last).toContain("Every task is merged.");
      expect(last).not.toContain("--wave");
      expect(stage.eventsOf("wave.reviewed")).toMatchObject([{ wave: 1, score: 6, agent: "claude-code" }]);
      expect(stage.eventsOf("plan.extended")).toEqual([]);
      // With the answer as an argument, as the brief says.
      ok(loop(stage, "review", "record", answerOf(review(8))));
      expect(toldOf(stage.stop(S))).toMatch(/^\[LOOP\] ✓ done/);
      expect(existsSync(join(stage.root, "notes.txt"))).toBe(true);
      expect(stage.eventsOf("gate.judged")).toMatchObject([{ passed: true }]);
    },
  );

  variant("is reviewed once by reviewers who answer at the same time", async () => {
    const stage = planned();
    doTask(stage, "T-001", "src/greet.mjs", "hello\n");
    heldReason(stage.stop(S));
    const record = (score: number): readonly string[] => [
      "review",
      "record",
      "--wave",
      "1",
      answerOf(review(score)),
    ];
    const ran = await stage.loopsAtOnce([record(6), record(7)]);

    expect(ran.map(({ err }) => err).join("")).not.toContain("unexpected error");
    expect(stage.eventsOf("wave.reviewed")).toHaveLength(1);
  });

  variant("is nobody's to look at when nobody is asked", () => {
    const stage = opened("--no-model");
    ok(loop(stage, "answer", "1A, 2A, 3A, 4A, 5A"));
    ok(withPlan(stage));
    doTask(stage, "T-001", "src/greet.mjs", "hello\n");

    expect(heldReason(stage.stop(S))).not.toContain("--wave");
    expect(loop(stage, "review", "brief", "--wave", "1").err).toContain("it asks nobody");
  });
});
