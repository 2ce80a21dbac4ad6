import { describe, expect, test } from "vitest";
import { DONE, type PlayedTurn } from "./support/driven.ts";
import { isFullEffort } from "./support/effort.ts";
import { expectCode, plan, PlanStage } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

function writing(files: { readonly [path: string]: string }): PlayedTurn {
  return { do: Object.entries(files).map(([write, text]) => ({ write, text })), say: DONE, usd: 0.01 };
}

function expecting(answer: number): string {
  return `import { answer } from "../answer.mjs"; if (answer !== ${answer}) throw new Error("wrong");\n`;
}

function answering(answer: number): { readonly [path: string]: string } {
  return { "answer.mjs": `export const answer = ${answer};\n`, "test/answer.test.mjs": expecting(answer) };
}

const FILES = { "answer.mjs": "export const answer = 41;\n", "test/answer.test.mjs": expecting(42) };
const TASK = ["T-001", "node test/answer.test.mjs"] as const;

/** A plan whose first task changes a test, and waits for a person to say whether that is right. */
function waiting(text: string, later: PlayedTurn): { readonly stage: PlanStage; readonly attempt: string } {
  const stage = new PlanStage(text, FILES);
  const turn = writing(answering(43));
  const honest = writing({ "answer.mjs": "export const answer = 42;\n" });
  const scripts = { "T-001-1": [turn, turn, turn], "T-001-2": [honest], "T-002": [later] };
  const ran = stage.work(scripts, "--no-model");
  expectCode(ran, 4);
  const [started] = stage.eventsOf("attempt.started");
  expect(ran.out).toContain(`If the change is right: loop approve --loop ${started?.loop}`);
  expect(stage.setbacks()).toEqual([]);
  return { stage, attempt: started?.loop ?? "" };
}

describe("an attempt that changes what judges it", () => {
  variant("goes on once a person has approved that, and the plan is verified", () => {
    const { stage, attempt } = waiting(plan(TASK), writing({}));
    const approved = stage.loop("approve", "--loop", attempt, "--yes");
    expect(approved.out).toContain(`loop continue --loop ${stage.id}`);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.eventsOf("attempt.started").map(({ loop }) => loop)).toEqual([attempt]);
    expect(stage.eventsOf("loop.completed")).toMatchObject([{ confidence: "verified", why: [] }]);
    expect(stage.read("test/answer.test.mjs")).toBe(expecting(43));
  });

  // The comparison itself, and what becomes of the attempt, are shown beside their code.
  test.runIf(isFullEffort)("is approved for that content alone: a later task's is judged by it", () => {
    const { stage, attempt } = waiting(
      plan(TASK, ["T-002", "test -f two.txt", "T-001"]),
      writing({ "two.txt": "2\n", "answer.mjs": "export const answer = 0;\n", "test/answer.test.mjs": "\n" }),
    );
    expectCode(stage.loop("approve", "--loop", attempt, "--yes"), 0);
    expect(stage.spawnLoop("continue").code).not.toBe(0);
    const [gate] = stage.eventsOf("gate.judged");
    expect(gate).toMatchObject({ passed: false });
    expect(gate?.items.find(({ state }) => state === "open")?.detail).toMatch(
      /^the check of T-001 fails .*answer\.test\.mjs/,
    );
  });

  test.runIf(isFullEffort)("waits until a person decides; cancelled, it is made again", () => {
    const { stage, attempt } = waiting(plan(TASK), writing({}));
    expectCode(stage.spawnLoop("continue"), 4);
    expectCode(stage.loop("cancel", "--loop", attempt), 0);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.setbacks()).toEqual(["T-001-1 failed"]);
    expect(stage.promptOf("T-001", 2)).toContain("Its changes of test/answer.test.mjs were not accepted.");
    expect(stage.read("test/answer.test.mjs")).toBe(expecting(42));
  });
});

variant("what may change by --may-change isn't held against the whole, whichever task changed it", () => {
  const stage = new PlanStage(
    plan(
      ["T-001", "node test/answer.test.mjs && node test/added.test.mjs"],
      ["T-002", "test -f two.txt", "T-001"],
    ),
    FILES,
  );
  const scripts = {
    "T-001": [writing({ ...answering(43), "test/added.test.mjs": expecting(43) })],
    "T-002": [writing({ "two.txt": "2\n", ...answering(44), "test/added.test.mjs": expecting(44) })],
  };
  expectCode(stage.work(scripts, "--no-model", "--may-change", "test/**"), 0);
  expect(stage.eventsOf("loop.completed")).toMatchObject([{ confidence: "verified", why: [] }]);
});
