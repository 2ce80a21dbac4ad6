import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StageEvent } from "../src/core/stages/stage-event.ts";
import { DONE } from "./support/driven.ts";
import { until } from "./support/patience.ts";
import { expectCode, writes } from "./support/plan-stage.ts";
import {
  ANSWERS,
  READING,
  says,
  SCORES,
  SHAPE,
  SPEC,
  TASKS,
  WorkflowStage,
} from "./support/workflow-stage.ts";
import { isFullEffort, someOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const WORK = { "T-001": [writes("done.txt")] };
const REVIEW = says({ score: 9, findings: [] });
const REVIEWS = { "light-review": REVIEW, "thorough-review": REVIEW };
const EVERYTHING = { ...ANSWERS, ...WORK, ...REVIEWS };

function stateOf(stage: WorkflowStage): { readonly stage: string; readonly [field: string]: unknown } {
  return JSON.parse(stage.read(".loop/workflow-state.json")) as { stage: string };
}

function countOf(stage: WorkflowStage, type: StageEvent["type"] | "plan.adopted"): number {
  return stage.eventsOf(type).length;
}

describe("a spec as a workflow", () => {
  test.runIf(isFullEffort)(
    "goes from intent through shape and plan to its completion, one record a stage",
    async () => {
      const stage = new WorkflowStage();
      const ran = await stage.drive(stage.staging(SPEC, EVERYTHING, "--allow-check", "test -f *")).ended();

      expectCode(ran, 0);
      const [intent] = stage.eventsOf("intent.settled");
      expect(intent).toMatchObject({
        spec: SPEC,
        shape: "tool",
        by: "machine",
        intent: { answers: [], echo: { deliverable: "A file done.txt" } },
      });
      expect(intent?.intent.modelScores).toEqual([{ dimension: "scope", points: 2, quote: "done.txt" }]);
      expect(stage.eventsOf("shape.drawn")).toMatchObject([
        {
          shape: {
            kind: "build",
            criteria: [{ name: "tests pass" }, { name: "done.txt exists", proposed: null }],
            decisions: ["One line is enough."],
          },
          mustNots: [{ kind: "path", glob: "docs/**" }],
        },
      ]);
      const tasks = stage
        .eventsOf("plan.adopted")[0]
        ?.plan.tasks.map(({ id, check }) => [
          id,
          check?.command.kind === "shell" ? check.command.line : null,
        ]);
      expect(tasks).toEqual([
        ["T-001", "npm run test"],
        ["END-1", "npm run test"],
        ["END-2", "test -f done.txt"],
      ]);
      expect(ran.out).toMatch(
        /\[LOOP\] Starting \| Shape: Tool \(7\/10\) \| Fit: 40[^]*Stage: intent[^]*Stage: shape[^]*Stage: decompose[^]*Wave 1 \|/,
      );
      expect(stateOf(stage)).toMatchObject({ stage: "complete", task: SPEC, spec_score: 7, fit_score: 40 });
      const shape = stage.read(".loop/shape/SHAPE.md");
      expect(shape).toContain("- done.txt exists: test -f done.txt (within 120 s)");
      expect(shape).toContain("- Kind: build");
      expect(stage.read("done.txt")).toBe("done.txt\n");
    },
  );

  variant("without a model asks none, and works from the spec and the project's tools", async () => {
    const stage = new WorkflowStage();
    const out = await stage.untilPlanned(stage.staging(SPEC, EVERYTHING, "--no-model", "--kind", "debug"));

    expect(countOf(stage, "question.asked")).toBe(0);
    expect(out).not.toContain("asks a model");
    expect(stage.eventsOf("shape.drawn")).toMatchObject([
      { shape: { kind: "debug", criteria: [{ name: "tests pass" }] } },
    ]);
    expect(stage.eventsOf("plan.adopted")[0]?.plan.tasks.map(({ id }) => id)).toEqual(["T-001", "END-1"]);
  });

  test("says once that its agent cannot be asked, and goes on", async () => {
    const stage = new WorkflowStage();
    const out = await stage.untilPlanned([
      ...["run", SPEC, "--workflow", "--json"],
      ...["--agent", "command", "--command", "true"],
    ]);

    expect(out.match(/can't be held to reading/g)).toHaveLength(1);
    expect(countOf(stage, "question.asked")).toBe(0);
  });

  test("a criterion of the user's becomes a task at the end, and the commands of a model stay proposals", async () => {
    const stage = new WorkflowStage();
    await stage.untilPlanned(stage.staging(SPEC, EVERYTHING, "-c", "there=test -e done.txt"));

    const [drawn] = stage.eventsOf("shape.drawn");
    expect(drawn?.shape.criteria).toMatchObject([
      { name: "there" },
      { name: "tests pass" },
      { name: "done.txt exists", check: null, proposed: "test -f done.txt" },
    ]);
    const subjects = stage.eventsOf("plan.adopted")[0]?.plan.tasks.map(({ subject }) => subject);
    expect(subjects).toEqual(["Write done.txt", "there", "tests pass"]);
  });
});

describe("answers that are none", () => {
  const ANSWERS: readonly (readonly [what: string, turns: ReturnType<typeof says>])[] = [
    ["not JSON", [{ say: "Sure, here you go!" }, { say: "Sorry." }]],
    ["of another form", says({ nonsense: true })],
    ["nothing", [{ say: "" }]],
  ];
  variant.each(someOf(ANSWERS, 1))("%s: each stage continues without", async (_, turns) => {
    const stage = new WorkflowStage();
    const bad = { score: turns, intent: turns, shape: turns, decompose: turns };
    const out = await stage.untilPlanned(stage.staging(SPEC, { ...EVERYTHING, ...bad }));

    expect(out.match(/continues without/g)).toHaveLength(4);
    expect(stage.eventsOf("shape.drawn")[0]?.shape.criteria.map(({ name }) => name)).toEqual(["tests pass"]);
  });

  test.runIf(isFullEffort)("a gap in the scores is a note, and decides nothing", async () => {
    const stage = new WorkflowStage();
    const score = says({ scores: [{ dimension: "scope", points: 2, quote: "invented words" }] });
    const out = await stage.untilPlanned(stage.staging(SPEC, { ...EVERYTHING, score }));

    expect(out).toContain("scope: the rubric gives it 2 of 2, the model 0");
    expect(stage.eventsOf("intent.settled")).toMatchObject([{ score: { total: 7, scope: 2 } }]);
  });
});

describe("a vague spec that nobody watches", () => {
  test("ends with 5 before anything is opened", () => {
    const stage = new WorkflowStage();
    const ran = stage.loop(...stage.staging("Make it better", EVERYTHING));

    expect(ran.code).toBe(5);
    expect(ran.err).toContain("The spec is too vague to run");
    expect(ran.err).toContain("-c 'tests pass=npm run test'");
    expect(existsSync(join(stage.root, ".loop"))).toBe(false);
  });

  variant("runs with a check", async () => {
    const stage = new WorkflowStage();
    await stage.untilPlanned(stage.staging("Make it better", EVERYTHING, "-c", "t=npm test"));
    expect(stage.eventsOf("intent.settled")).toMatchObject([{ shape: "tool", score: { total: 3 } }]);
  });
});

/** A turn that says that it is there, and waits for somebody to kill it. */
function hanging(stage: WorkflowStage, name: string, answer: unknown): ReturnType<typeof says> {
  return says(answer, stage.meet(name));
}

const STAGES = [
  ["score", "intent", SCORES],
  ["intent", "intent", READING],
  ["shape", "shape", SHAPE],
  ["decompose", "decompose", TASKS],
] as const;

describe("killed in a stage", () => {
  variant.each(someOf(STAGES, 1))(
    "while %s is asked: it resumes in the stage %s and repeats none",
    async (question, name, answer) => {
      const stage = new WorkflowStage();
      const scripts = { ...EVERYTHING, [question]: hanging(stage, question, answer) };
      const run = stage.drive(stage.staging(SPEC, scripts));
      await stage.met(question);
      run.child.kill("SIGKILL");
      await run.ended();

      expect(stateOf(stage).stage).toBe(name);
      const status = stage.only();
      expect(status).toMatchObject({ phase: "active", stage: name });
      expect(stage.loop("status").out).toContain(`stage ${name}`);
      const before = stage.events();

      stage.letGo(question);
      const out = await stage.untilPlanned(["continue"]);
      expect(out).toContain("[LOOP RESUME] Active loop detected");
      // What was found on the way is locked: the loop is trusted with it.
      expect(stage.only()).toMatchObject({ phase: "active", stage: "executing" });
      expect(stage.events().slice(0, before.length)).toEqual(before);
      for (const type of ["intent.settled", "shape.drawn", "plan.adopted"] as const)
        expect([type, countOf(stage, type)]).toEqual([type, 1]);
      expect(stage.eventsOf("intent.settled")[0]?.score).toEqual(stage.eventsOf("loop.opened")[0]?.score);
      // What was answered before the kill is not paid for again.
      const asked = stage.eventsOf("question.asked").map((event) => event.purpose);
      const earlier = STAGES.slice(
        0,
        STAGES.findIndex(([each]) => each === question),
      );
      for (const [each] of earlier) expect(asked.filter((purpose) => purpose === each)).toHaveLength(1);
    },
  );

  test.runIf(isFullEffort)(
    "between lock and journal: a shape that is locked and not recorded leaves the loop trusted",
    async () => {
      const stage = new WorkflowStage();
      const run = stage.drive(stage.staging(SPEC, { ...EVERYTHING, shape: hanging(stage, "shape", SHAPE) }));
      await stage.met("shape");
      run.child.kill("SIGKILL");
      await run.ended();

      const [folder = ""] = readdirSync(join(stage.home, "state", "loopwright", "loops"));
      const opened = join(stage.home, "state", "loopwright", "loops", folder, "opened.json");
      expect(JSON.parse(readFileSync(opened, "utf8"))).toMatchObject({ mustNotFiles: {} });
      expect(stage.only().phase).toBe("active");
      stage.letGo("shape");
      await stage.untilPlanned(["continue"]);
      expect(JSON.parse(readFileSync(opened, "utf8"))).toHaveProperty([
        "mustNotFiles",
        "docs/**",
        "docs/a.md",
      ]);
    },
  );

  variant("Ctrl-C pauses in its stage, and cancel ends it there", async () => {
    const stage = new WorkflowStage();
    const run = stage.drive(stage.staging(SPEC, { ...EVERYTHING, shape: hanging(stage, "shape", SHAPE) }));
    await stage.met("shape");
    run.child.kill("SIGTERM");
    expect((await run.ended()).code).toBe(130);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", stage: "shape" });

    expect(stage.loop("review").err).toContain("has no plan");
    expect(stage.loop("undo").err).toContain("no task has begun");
    expect(stage.loop("doctor").code).toBe(0);
    const cancelled = stage.loop("cancel");
    expect(cancelled.code).toBe(0);
    expect(stage.eventsOf("loop.cancelled")).toHaveLength(1);
  });

  test.runIf(isFullEffort)("a second workflow meets the first", async () => {
    const stage = new WorkflowStage();
    const run = stage.drive(stage.staging(SPEC, { ...EVERYTHING, shape: hanging(stage, "shape", SHAPE) }));
    await stage.met("shape");
    run.child.kill("SIGKILL");
    await run.ended();
    stage.letGo("shape");

    const again = stage.loop(...stage.staging(SPEC, EVERYTHING));
    expect(again.code).toBe(1);
    expect(again.err).toContain("is unfinished (stage shape");
    await stage.untilPlanned(stage.staging(SPEC, EVERYTHING, "--start-fresh"));
    expect(stage.workflows).toHaveLength(2);
  });
});

test.runIf(isFullEffort)("watching a workflow on its way to a plan shows its stages", async () => {
  const stage = new WorkflowStage();
  const waiting = {
    shape: hanging(stage, "shape", SHAPE),
    decompose: hanging(stage, "decompose", TASKS),
  };
  const run = stage.drive(stage.staging(SPEC, { ...EVERYTHING, ...waiting }));
  await stage.met("shape");
  const watch = stage.drive(["status", "--watch"]);
  await watch.printed("[LOOP] Stage: shape");
  stage.letGo("shape");
  await watch.printed("[LOOP] Stage: decompose");
  stage.letGo("decompose");
  await run.printed("Wave 1");
  expect(watch.out).not.toContain("Iteration");
});

variant("a stop cannot complete a workflow that has no plan", async () => {
  const stage = new WorkflowStage();
  const run = stage.drive(stage.staging(SPEC, { ...EVERYTHING, shape: hanging(stage, "shape", SHAPE) }));
  await stage.met("shape");
  run.child.kill("SIGKILL");
  await run.ended();
  stage.loop("continue", "--session", "s-1");
  stage.loop("done", "--loop", stage.id);
  stage.stop("s-1");

  expect(stage.only().phase).toBe("active");
});

describe("a usage limit in a stage before the plan", () => {
  const limited = (resetsInMs?: number) => ({
    trouble: { kind: "usage-limit" as const, ...(resetsInMs === undefined ? {} : { resetsInMs }) },
  });

  test.runIf(isFullEffort)("is waited for, and the same question asked again", async () => {
    const stage = new WorkflowStage();
    const shape = [limited(1_500), ...says(SHAPE)];
    const out = await stage.untilPlanned(stage.staging(SPEC, { ...ANSWERS, shape }));

    expect(out).toContain("[LOOP] Waiting until ");
    expect(stage.eventsOf("question.closed").filter(({ failure }) => failure !== null)).toHaveLength(1);
    expect(stage.eventsOf("shape.drawn")[0]?.shape.decisions).toEqual(SHAPE.decisions);
  });

  variant("that doesn't say when it ends leaves the stage without a model, and says so", async () => {
    const stage = new WorkflowStage();
    const out = await stage.untilPlanned(stage.staging(SPEC, { ...ANSWERS, shape: [limited()] }));

    expect(out).toContain("It got no criteria and decisions");
    expect(stage.eventsOf("shape.drawn")[0]?.shape.decisions).toEqual([]);
  });

  variant("isn't waited for any longer when somebody pauses it, and the stage begins again", async () => {
    const stage = new WorkflowStage();
    const run = stage.drive(stage.staging(SPEC, { ...ANSWERS, shape: [limited(600_000)] }));
    await until(() => run.out.includes("Waiting until"), "it waits");
    run.child.kill("SIGINT");

    expect((await run.ended()).code).toBe(130);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", stage: "shape" });
    expect(stage.eventsOf("shape.drawn")).toEqual([]);
  });
});

describe("a test that a model writes for a criterion without a check", () => {
  const FILES = {
    "package.json": "{}",
    Makefile: "test:\n\tfor each in t/*.sh; do sh $$each || exit 1; done\n",
    "t/ok.sh": "true\n",
  };
  const LISTED = "Write done.txt until make test passes\n\n## Success criteria\n- done.txt says hello";
  const HELLO = "grep -q hello done.txt\n";
  const vouched = [{ say: DONE }];
  const answers = {
    ...ANSWERS,
    shape: says({ ...SHAPE, criteria: [] }),
    decompose: says({ tasks: TASKS.tasks.map((task) => ({ ...task, verify: "make test" })) }),
    test: says({ file: "t/hello.sh", content: HELLO }),
    ...WORK,
    "END-1": vouched,
    "END-2": vouched,
  };

  test.runIf(isFullEffort)(
    "is held out, judges the work at the gate, and is never in the project",
    async () => {
      const stage = new WorkflowStage(FILES);
      const scripts = { ...answers, "R-1": [writes("done.txt", "hello\n")] };
      const args = stage.staging(LISTED, scripts, "--propose-tests", "--proof", "off");
      const { out } = await stage.drive(args).ended();

      expect(stage.eventsOf("gate.judged").map(({ passed }) => passed)).toEqual([false, true]);
      expect(stage.eventsOf("plan.extended")[0]?.tasks.map(({ subject }) => subject)).toEqual([
        "Make the check of holdout: done.txt says hello pass",
      ]);
      expect(out).toContain("Held out, and run at the end");
      expect(stage.read("done.txt")).toBe("hello\n");
      expect(existsSync(join(stage.root, "t/hello.sh"))).toBe(false);
      expect(stage.git("log", "--all", "--format=", "--name-only")).not.toContain("hello.sh");
      const runs = join(stage.root, ".loop/loops", stage.id, "runs");
      const told = readdirSync(runs, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
      expect(told.length).toBeGreaterThan(0);
      expect(told.filter((text) => text.includes("grep -q hello"))).toEqual([]);
    },
  );

  test.runIf(isFullEffort)(
    "is not kept when it passes already, nor asked for unless somebody wants it",
    async () => {
      const stage = new WorkflowStage(FILES);
      const passing = { ...answers, test: says({ file: "t/hello.sh", content: "true\n" }) };
      const out = await stage.untilPlanned(stage.staging(LISTED, passing, "--propose-tests"));
      expect(out).toContain("doesn't fail now, so it shows nothing");

      const other = new WorkflowStage(FILES);
      await other.untilPlanned(other.staging(LISTED, answers));
      expect(other.eventsOf("question.asked").map(({ purpose }) => purpose)).not.toContain("test");
    },
  );
});
