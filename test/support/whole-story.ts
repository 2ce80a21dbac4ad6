import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFailed } from "vitest";
import type { LoopEvent } from "../../src/core/events/event.ts";
import { CLI, DONE } from "./driven.ts";
import type { Driving } from "./driven.ts";
import { writes } from "./plan-stage.ts";
import type { PlanStage, Scripts } from "./plan-stage.ts";
import { counsel, found, review } from "./played-judges.ts";
import { onTerminal } from "./pty.ts";
import type { OnTerminal } from "./pty.ts";
import type { Ran } from "./sandbox.ts";
import { READING, says } from "./workflow-stage.ts";

const cart = (line: string): string =>
  `export function total(items) {\n  let sum = 0;\n  for (const { price, quantity } of items) {\n    ${line}\n  }\n  return sum;\n}\n`;
/** Passes every test there is, and is wrong. */
export const LOSES_RETURNS = "if (quantity > 0) sum += price * quantity;";
const RIGHT = "sum += price * quantity;";
const ADVICE = "Multiply each price by its quantity, and add the results up in a loop.";

const imports = `import { test } from "node:test";
import assert from "node:assert";
import { total } from "../src/cart.mjs";
`;

/** What is committed before the work. */
export const WHOLE_FILES = {
  "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/cart.mjs": "export const total = () => 3;\n",
  "test/cart.test.mjs": `${imports}test("several", () => assert.equal(total([{ price: 2, quantity: 3 }, { price: 6, quantity: 1 }]), 12));\n`,
};

/** Answers and work, by the names of a rehearsal's scripts. One task fails until it is advised, and one result is wrong. */
export const WHOLE_SCRIPTS: Scripts = {
  score: says({ scores: [] }),
  intent: says({
    ...READING,
    choices: [{ dimension: "scope", proposals: ["Only total() in src/cart.mjs"] }],
    deliverable: "total() in src/cart.mjs sums prices by quantity",
  }),
  shape: says({
    kind: "build",
    aspects: ["data"],
    criteria: [],
    decisions: ["A return has a negative quantity."],
  }),
  decompose: says({
    tasks: [
      task("T-001", "Sum the prices in total()", "npm run test"),
      task("T-002", "Write notes.txt about the cart", "test -f notes.txt", "T-001"),
    ],
  }),
  "T-001-1": [1, 2, 3, 4, 5].map(() => ({ say: "I cannot do it.", usd: 0 })),
  "T-001-2": [{ do: [{ write: "src/cart.mjs", text: cart(LOSES_RETURNS) }], say: DONE, usd: 0.01 }],
  "T-002": [writes("notes.txt")],
  "END-1": [{ say: DONE, usd: 0.01 }],
  "R-1": [
    {
      do: [
        { write: "src/cart.mjs", text: cart(RIGHT) },
        {
          write: "test/returns.test.mjs",
          text: `${imports}test("a return", () => assert.equal(total([{ price: 2, quantity: -1 }]), -2));\n`,
        },
      ],
      say: DONE,
      usd: 0.01,
    },
  ],
  counsel: counsel(ADVICE),
  "light-review": review(7),
  "review-1": review(5, found("src/cart.mjs", LOSES_RETURNS, { problem: "Returns are lost." })),
  "review-2": review(9),
};

function task(id: string, subject: string, verify: string, ...blockedBy: readonly string[]): object {
  return { id, subject, description: "", verify, blockedBy, files: [], estimate: null };
}

const SPEC = "Make the cart better";
const START = ["--task-list", "session", "--iterations", "10", "--budget", "25"];

/** The journal has this event so many times: a moment at which a run is killed. */
export type Moment = readonly [type: LoopEvent["type"], times: number];

/** In each stage after the shape, and between them. */
export const STAGES_AFTER_SHAPE: readonly Moment[] = [
  ["shape.drawn", 1],
  ["attempt.started", 1],
  ["counsel.given", 1],
  ["wave.reviewed", 1],
  ["work.reviewed", 1],
  ["plan.extended", 1],
  ["work.reviewed", 2],
  ["gate.judged", 1],
];

/** A vague spec on its way from questions to completion. Its agent meets the test at the shape. */
export interface WholeStory {
  readonly stage: PlanStage;
  /** The options that name it. */
  readonly agent: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly drive: (...args: readonly string[]) => Driving;
}

/** A person answers, and stops it in each of the first two stages; the next start finds it there. */
export async function answerQuestions(story: WholeStory): Promise<void> {
  const first = terminalOf(story);
  await first.until(/too vague to run \(\d\/10\)[^]*A {2}Only total\(\) in src\/cart\.mjs[^]*\[skip\] $/);
  first.type("\u0003");
  expect(await first.ended).toBe(130);
  expect(stagesOf(story.stage)).toEqual(["paused intent"]);

  const second = terminalOf(story);
  await second.until(/An unfinished workflow: [^]*\(stage intent[^]*see its status\? \[R\/f\/s\/q\] $/);
  second.type("s\r");
  await second.until(/\[R\/f\/s\/q\] [^]*stage intent[^]*\[R\/f\/s\/q\] $/);
  second.type("\r");
  await second.until(/too vague to run[^]*\[skip\] $/);
  second.type("1A, 2A 3A 4A, 5A\r");
  await second.until(/Deliverable: [^]*Is that what you mean\? \[Y\/n\/e\] $/);
  second.type("y\r");
  await story.stage.met("shape");
  second.type("\u0003");
  await second.until(/Ctrl-C again stops now/);
  second.type("\u0003");
  expect(await second.ended).toBe(130);
  expect(stagesOf(story.stage)).toEqual(["paused shape"]);
  story.stage.letGo("shape");
}

/** Nobody watches from here on, and each of these moments ends the run. */
export async function goOn({ stage, drive }: WholeStory, kills: readonly Moment[]): Promise<Ran> {
  for (const [type, times] of kills) {
    const run = drive("continue");
    while (!run.isOver && stage.eventsOf(type).length < times) await sleep(10);
    run.child.kill("SIGKILL");
    const ran = await run.ended();
    // It may have ended just before.
    if (stage.eventsOf("loop.completed").length > 0) return ran;
    if (ran.code !== null) throw new Error(`it ended by itself before ${type}:\n${ran.out}${ran.err}`);
  }
  return drive("continue").ended();
}

export function expectTold(story: WholeStory): void {
  const { stage } = story;
  const [settled] = stage.eventsOf("intent.settled");
  expect(settled).toMatchObject({ by: "person" });
  expect(settled?.spec).toContain("Only total() in src/cart.mjs");
  expect(stage.promptOf("T-001", 2)).toContain(ADVICE);
  expect(stage.eventsOf("wave.reviewed").length).toBeGreaterThan(1);
  expectWorked(stage);
}

/** Each stage came to its end once, however often it was stopped. */
export function expectWorked(stage: PlanStage): void {
  for (const type of [
    "intent.settled",
    "shape.drawn",
    "plan.adopted",
    "counsel.given",
    "plan.extended",
    "loop.completed",
  ] as const)
    expect([type, stage.eventsOf(type).length]).toEqual([type, 1]);
  expect(stage.eventsOf("counsel.given")).toMatchObject([{ task: "T-001", after: 1, approach: ADVICE }]);
  expect(new Set(stage.eventsOf("wave.reviewed").map(({ wave }) => wave)).size).toBe(
    stage.eventsOf("wave.reviewed").length,
  );
  expect(stage.eventsOf("work.reviewed")).toMatchObject([
    { round: 1, findings: [{ id: "F-1", severity: "BLOCKER" }] },
    { round: 2, findings: [], failure: null },
  ]);
  expect(stage.eventsOf("finding.resolved")).toMatchObject([{ finding: "F-1", how: "task", task: "R-1" }]);
  expect(stage.eventsOf("gate.judged")).toMatchObject([{ passed: true }]);
  expect(stage.read("src/cart.mjs")).toBe(cart(RIGHT));
  expect(stage.tasksOn("HEAD")).toEqual(["T-001", "T-002", "R-1"]);
  expect(stage.worktrees()).toEqual([]);
  expect(stagesOf(stage)).toEqual(["completed complete"]);
}

function stagesOf(world: PlanStage): readonly string[] {
  const views = world.status().filter(({ stage }) => stage !== null);
  return views.map(({ phase, stage }) => `${phase} ${stage}`);
}

function terminalOf({ stage, agent, env }: WholeStory): OnTerminal {
  const args = ["run", SPEC, "--workflow", ...agent, "--allow-check", "test -f *", ...START];
  const terminal = onTerminal([process.execPath, CLI, ...args], {
    cwd: stage.root,
    env: { ...stage.env, TERM: "dumb", NO_COLOR: "1", ...env },
  });
  onTestFailed(() => void process.stderr.write(stripVTControlCharacters(terminal.text())));
  return terminal;
}
