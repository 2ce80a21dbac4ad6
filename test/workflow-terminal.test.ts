import { existsSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { CLI } from "./support/driven.ts";
import { PlanStage, plan, writes } from "./support/plan-stage.ts";
import { missingPty, onTerminal, type OnTerminal } from "./support/pty.ts";
import { ANSWERS, READING, says, SHAPE, WorkflowStage } from "./support/workflow-stage.ts";
import { isFullEffort, oneOf } from "./support/effort.ts";
import { variant } from "./support/variant.ts";

const FILES = { "src/cart.js": "export const total = 3;\n" };
const VAGUE = "Make the cart better";

function inTerminal(stage: PlanStage, ...args: readonly string[]): OnTerminal {
  return onTerminal([process.execPath, CLI, ...args], {
    cwd: stage.root,
    env: { ...stage.env, TERM: "dumb", NO_COLOR: "1" },
  });
}

function shown(terminal: OnTerminal): string {
  return stripVTControlCharacters(terminal.text()).replaceAll("\r", "");
}

/** The three questions of every start. */
const START = ["--task-list", "session", "--iterations", "10", "--budget", "5"];

describe.skipIf(missingPty() !== null)("a vague spec as a workflow, in a terminal", () => {
  test("is asked about all at once, said back, and agreed to step by step", async () => {
    const stage = new WorkflowStage(FILES);
    const intent = says({
      ...READING,
      choices: [{ dimension: "scope", proposals: ["Only total() in src/cart.js"] }],
    });
    const shape = says(SHAPE, stage.meet("shape"));
    const terminal = inTerminal(stage, ...stage.staging(VAGUE, { ...ANSWERS, intent, shape }, ...START));
    await terminal.until(/too vague to run \(\d\/10\)[^]*A {2}Only total\(\) in src\/cart\.js[^]*\[skip\] $/);
    terminal.type("1A, 2A 4A, 5: until the PR is merged\r");
    await terminal.until(/Deliverable: [^]*Is that what you mean\? \[Y\/n\/e\] $/);
    terminal.type("\r");
    await stage.met("shape");
    terminal.type("\u0003");
    await terminal.until(/Ctrl-C again stops now/);
    terminal.type("\u0003");

    expect(await terminal.ended).toBe(130);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", stage: "shape" });
    const [settled] = stage.eventsOf("intent.settled");
    expect(settled).toMatchObject({ by: "person", intent: { answers: { length: 4 } } });
    expect(settled?.spec).toContain("\nScope: Only total() in src/cart.js.\n");
    expect(settled?.intent.echo?.deliverable).toMatch(
      /^Make the cart better; .*; Only total\(\) in src\/cart\.js$/,
    );
    expect(settled?.score.total).toBeGreaterThan(stage.eventsOf("loop.opened")[0]?.score.total ?? 10);
  });

  variant("that nobody answers is paused in its stage, with code 5, and asked about again", async () => {
    const stage = new WorkflowStage(FILES);
    const terminal = inTerminal(stage, ...stage.staging(VAGUE, ANSWERS, "--no-model", ...START));
    await terminal.until(/\[skip\] $/);
    terminal.type("\r");

    expect(await terminal.ended).toBe(5);
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "blocked", stage: "intent" });
    const again = inTerminal(stage, "continue");
    await again.until(/too vague to run[^]*\[skip\] $/);
    again.type("\u0003");
    expect(await again.ended).toBe(130);
  });
});

describe.skipIf(missingPty() !== null)("a workflow that asks at major steps", () => {
  const SPEC = "Write done.txt until npm test passes";

  variant("shows shape and plan, takes a wish, and pauses at a no", async () => {
    const stage = new WorkflowStage(FILES);
    const args = stage.staging(SPEC, { ...ANSWERS, shape: says(SHAPE) }, "--shape", "tool-review", ...START);
    const terminal = inTerminal(stage, ...args);
    await terminal.until(/Is that what you mean\? \[Y\/n\/e\] $/);
    terminal.type("y\r");
    await terminal.until(/done\.txt exists: test -f done\.txt\s+\? Let them run here\? \[y\/N\] $/);
    terminal.type("y\r");
    await terminal.until(/Kind: build[^]*done\.txt exists: test -f done\.txt[^]*\? Continue\? \[Y\/n\/e\] $/);
    terminal.type("e\r");
    await terminal.until(/What should be different about the shape\? \[nothing\] $/);
    terminal.type("End it with a dot\r");
    await terminal.until(
      /decided: End it with a dot\s+y: continue, n: pause here, e: change the shape\s+\? Continue\? \[Y\/n\/e\] $/,
    );
    terminal.type("\r");
    await terminal.until(
      /T-001 {2}Write done\.txt[^]*END-2 {2}done\.txt exists[^]*\? Continue\? \[Y\/n\/e\] $/,
    );
    expect(stage.eventsOf("plan.adopted")).toEqual([]);
    terminal.type("n\r");

    expect(await terminal.ended).toBe(4);
    expect(shown(terminal)).toContain("Progress: in the stage decompose, no plan yet");
    expect(stage.only()).toMatchObject({ phase: "paused", reason: "user", stage: "decompose" });
    expect(stage.eventsOf("shape.drawn")[0]?.shape.decisions).toContain("End it with a dot");
    expect(stage.only().criteria).toMatchObject([
      { name: "tests pass", check: "npm run test" },
      { name: "done.txt exists", check: "test -f done.txt" },
    ]);
  });

  variant("asks for each of several proposed commands, and runs none that was refused", async () => {
    const stage = new WorkflowStage(FILES);
    const criteria = [
      ...SHAPE.criteria,
      { name: "done.txt is sent", quote: "Write done.txt", command: "touch sent" },
    ];
    const shape = says({ ...SHAPE, criteria });
    const args = stage.staging(SPEC, { ...ANSWERS, shape }, "--shape", "tool-review", ...START);
    const terminal = inTerminal(stage, ...args);
    await terminal.until(/Is that what you mean\? \[Y\/n\/e\] $/);
    terminal.type("y\r");
    await terminal.until(/n: none, e: ask for each\s+\? Let them run here\? \[y\/N\/e\] $/);
    terminal.type("e\r");
    await terminal.until(/Let this run here: test -f done\.txt \[y\/N\] $/);
    terminal.type("y\r");
    await terminal.until(/Let this run here: touch sent \[y\/N\] $/);
    terminal.type("n\r");
    await terminal.until(/\? Continue\? \[Y\/n\/e\] $/);
    terminal.type("\r");
    await terminal.until(/END-2[^]*\? Continue\? \[Y\/n\/e\] $/);
    terminal.type("n\r");

    expect(await terminal.ended).toBe(4);
    expect(stage.eventsOf("shape.drawn")[0]?.shape.criteria).toMatchObject([
      { name: "tests pass", proposed: null },
      { name: "done.txt exists", check: { command: { line: "test -f done.txt" } }, proposed: null },
      { name: "done.txt is sent", check: null, proposed: "touch sent" },
    ]);
    expect(existsSync(join(stage.root, "sent"))).toBe(false);
  });

  variant(
    "works on what was meant instead, and on what was changed about the shape and the plan",
    async () => {
      const stage = new WorkflowStage(FILES);
      const args = stage.staging(
        "Write done.txt and more.txt until npm test passes",
        {},
        "--no-model",
        ...START,
      );
      const terminal = inTerminal(stage, ...args, "--shape", "tool-review");
      await terminal.until(
        /Deliverable: +Write done\.txt and more\.txt[^]*Is that what you mean\? \[Y\/n\/e\] $/,
      );
      terminal.type("e\r");
      await terminal.until(/Your words replace the spec\.\s+\? What do you mean instead\? \[nothing\] $/);
      terminal.type("Write src/more.txt until node --check src/cart.js passes, without touching docs/\r");
      await terminal.until(
        /Deliverable: +Write src\/more\.txt\s[^]*docs\/\*\* must not change[^]*Is that what you mean\? \[Y\/n\/e\] $/,
      );
      terminal.type("y\r");
      await terminal.until(
        /The spec names these commands[^]*node --check src\/cart\.js\s+\? Let them run here\? \[y\/N\] $/,
      );
      terminal.type("y\r");
      await terminal.until(/must not: path:docs\/\*\*[^]*\? Continue\? \[Y\/n\/e\] $/);
      terminal.type("e\r");
      await terminal.until(/about the shape\?[^]*\[nothing\] $/);
      terminal.type("Leave package.json alone\r");
      await terminal.until(
        /must not: path:package\.json\s+decided: Leave package\.json alone[^]*\? Continue\? \[Y\/n\/e\] $/,
      );
      terminal.type("y\r");
      await terminal.until(/Wave 1[^]*\? Continue\? \[Y\/n\/e\] $/);
      terminal.type("e\r");
      await terminal.until(/about the plan\?[^]*\[nothing\] $/);
      terminal.type("Begin with a heading\r");
      await terminal.until(/Begin with a heading\)[^]*\? Continue\? \[Y\/n\/e\] $/);
      terminal.type("y\r");
      await terminal.until(/Wave 1 \|/);
      terminal.type("\u0003");
      await terminal.until(/Ctrl-C again stops now/);
      terminal.type("\u0003");
      await terminal.ended;

      const words = "Write src/more.txt until node --check src/cart.js passes, without touching docs/";
      expect(stage.eventsOf("intent.settled")).toMatchObject([{ spec: words }]);
      expect(stage.eventsOf("shape.drawn")[0]?.shape.criteria).toMatchObject([
        { name: "node --check src/cart.js passes", check: { command: { line: "node --check src/cart.js" } } },
      ]);
      const [task] = stage.eventsOf("plan.adopted")[0]?.plan.tasks ?? [];
      expect(task?.subject).toBe("Write src/more.txt (Leave package.json alone; Begin with a heading)");
      expect(shown(terminal).match(/\[LOOP\] Starting/g)).toHaveLength(1);
      expect(shown(terminal).match(/decided: Leave package/g)).toHaveLength(1);
    },
  );
});

describe.skipIf(missingPty() !== null)("a test that a model wrote, in a terminal", () => {
  const SPEC = "Write done.txt until make test passes\n\n## Success criteria\n- done.txt says hello";
  const MAKEFILE = "test:\n\tfor each in t/*.sh; do sh $$each || exit 1; done\n";

  variant.each(
    oneOf([
      [
        "held out if its user says so",
        "y",
        ['Held out, and run at the end: a test of "done.txt says hello".'],
      ],
      ["left out if not", "n", []],
    ]),
  )("is shown before it runs, and %s", async (_, answer, decisions) => {
    const stage = new WorkflowStage({ "package.json": "{}", Makefile: MAKEFILE, "t/ok.sh": "true\n" });
    const scripts = {
      ...ANSWERS,
      shape: says({ ...SHAPE, criteria: [], decisions: [] }),
      test: says({ file: "t/hello.sh", content: "echo no hello; grep -q hello done.txt\n" }),
      decompose: says({ tasks: [] }, stage.meet("decompose")),
    };
    const terminal = inTerminal(stage, ...stage.staging(SPEC, scripts, "--shape", "tool", ...START));
    await terminal.until(
      /test of "done\.txt says hello" \(t\/hello\.sh\):[^]*grep -q hello[^]*\? Run it in a clean room, [^]*\[Y\/n\] $/,
    );
    terminal.type(`${answer}\r`);
    await stage.met("decompose");
    terminal.type("\u0003");
    await terminal.until(/Ctrl-C again stops now/);
    terminal.type("\u0003");

    expect(await terminal.ended).toBe(130);
    expect(stage.eventsOf("shape.drawn")[0]?.shape.decisions).toEqual(decisions);
  });
});

describe.skipIf(missingPty() !== null)("a plan with a colleague at the terminal", () => {
  test("begins nothing of the next wave before it is told to, though what blocks it is done", async () => {
    const tasks = plan(
      ["T-001", "test -f one.txt"],
      ["T-002", "test -f two.txt"],
      ["T-003", "test -f three.txt", "T-001"],
    );
    const stage = new PlanStage(tasks);
    const scripts = {
      "T-001": [writes("one.txt")],
      "T-002": [{ ...writes("two.txt"), do: [{ wait: 3_000 }, ...(writes("two.txt").do ?? [])] }],
      "T-003": [writes("three.txt")],
    };
    const terminal = inTerminal(stage, ...stage.working(scripts, "--no-model", "--shape", "colleague"));
    await terminal.until(/Wave 1 complete[^]*\? Continue\? \[Y\/n\/a\] $/);
    expect(stage.eventsOf("attempt.started").map(({ task }) => task)).toEqual(["T-001", "T-002"]);
    expect(shown(terminal)).toContain("loop: It asks you after each wave and waits for the answer; ");
    terminal.type("y\r");
    expect(await terminal.ended).toBe(0);
  });

  test.runIf(isFullEffort)(
    "asks after a wave: a no pauses it there, and `a` never asks again",
    async () => {
      const tasks = plan(
        ["T-001", "test -f one.txt"],
        ["T-002", "test -f two.txt", "T-001"],
        ["T-003", "test -f three.txt", "T-002"],
      );
      const stage = new PlanStage(tasks);
      const scripts = {
        "T-001": [writes("one.txt")],
        "T-002": [writes("two.txt")],
        "T-003": [writes("three.txt")],
      };
      const first = inTerminal(stage, ...stage.working(scripts, "--no-model", "--shape", "colleague"));
      await first.until(/Wave 1 complete[^]*Next: start T-002[^]*\? Continue\? \[Y\/n\/a\] $/);
      first.type("n\r");
      expect(await first.ended).toBe(4);
      expect(stage.only()).toMatchObject({ phase: "paused", reason: "user" });
      expect(stage.eventsOf("attempt.started").map(({ task }) => task)).toEqual(["T-001"]);

      const second = inTerminal(stage, "continue");
      await second.until(/Wave 2 complete[^]*\? Continue\? \[Y\/n\/a\] $/);
      second.type("a\r");
      expect(await second.ended).toBe(0);
      expect(shown(second).match(/\? Continue\?/g)).toHaveLength(1);
      expect(stage.eventsOf("shape.changed")).toMatchObject([{ shape: "tool", by: "person" }]);
    },
    120_000,
  );
});
