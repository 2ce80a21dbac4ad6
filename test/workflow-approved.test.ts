import { describe, expect, test } from "vitest";
import { DONE, type PlayedTurn } from "./support/driven.ts";
import { isFullEffort } from "./support/effort.ts";
import { expectCode, plan, PlanStage } from "./support/plan-stage.ts";

function writing(files: { readonly [path: string]: string }): PlayedTurn {
  return { do: Object.entries(files).map(([write, text]) => ({ write, text })), say: DONE, usd: 0.01 };
}

function expecting(answer: number): string {
  return `import { answer } from "../answer.mjs"; if (answer !== ${answer}) throw new Error("wrong");\n`;
}

function answering(answer: number): { readonly [path: string]: string } {
  return { "answer.mjs": `export const answer = ${answer};\n`, "test/answer.test.mjs": expecting(answer) };
}

/** A plan whose first task changes a test, and waits for a person to say whether that is right. */
function waiting(...more: readonly PlayedTurn[]): { readonly stage: PlanStage; readonly attempt: string } {
  const stage = new PlanStage(
    plan(["T-001", "node test/answer.test.mjs"], ["T-002", "test -f two.txt", "T-001"]),
    { "answer.mjs": "export const answer = 41;\n", "test/answer.test.mjs": expecting(42) },
  );
  const turn = writing(answering(43));
  const [second = writing({ "two.txt": "2\n" })] = more;
  const ran = stage.work(
    {
      "T-001-1": [turn, turn, turn],
      "T-001-2": [writing({ "answer.mjs": "export const answer = 42;\n" })],
      "T-002": [second],
    },
    "--no-model",
  );
  expectCode(ran, 4);
  const [started] = stage.eventsOf("attempt.started");
  expect(ran.out).toContain(`If the change is right: loop approve --loop ${started?.loop}`);
  expect(stage.setbacks()).toEqual([]);
  return { stage, attempt: started?.loop ?? "" };
}

describe("an attempt that changes what judges it", () => {
  test("goes on once a person has approved that, and the plan is verified", () => {
    const { stage, attempt } = waiting();
    expect(stage.loop("approve", "--loop", attempt, "--yes").out).toContain(
      `loop continue --loop ${stage.id}`,
    );
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.eventsOf("attempt.started").map(({ loop }) => loop)).toContain(attempt);
    expect(stage.eventsOf("attempt.started")).toHaveLength(2);
    expect(stage.eventsOf("loop.completed")).toMatchObject([{ confidence: "verified", why: [] }]);
    expect(stage.read("test/answer.test.mjs")).toBe(expecting(43));
  });

  // The comparison itself is shown beside its code.
  test.runIf(isFullEffort)(
    "is approved for that content alone: what a later task makes of it is judged by what was approved",
    () => {
      const { stage, attempt } = waiting(
        writing({
          "two.txt": "2\n",
          "answer.mjs": "export const answer = 0;\n",
          "test/answer.test.mjs": "\n",
        }),
      );
      expectCode(stage.loop("approve", "--loop", attempt, "--yes"), 0);
      expectCode(stage.spawnLoop("continue"), 6);
      const [completed] = stage.eventsOf("loop.completed");
      expect(completed).toMatchObject({ confidence: "weak" });
      expect(completed?.why.join("\n")).toMatch(
        /^the check of T-001 was not shown to pass .*answer\.test\.mjs/,
      );
    },
  );

  test("is made again when a person cancels it, and told what wasn't accepted", () => {
    const { stage, attempt } = waiting();
    expectCode(stage.loop("cancel", "--loop", attempt), 0);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.setbacks()).toEqual(["T-001-1 failed"]);
    expect(stage.promptOf("T-001", 2)).toContain("Its changes of test/answer.test.mjs were not accepted.");
    expect(stage.read("test/answer.test.mjs")).toBe(expecting(42));
  });
});

test("what may change by --may-change isn't held against the whole, whichever task changed it", () => {
  const stage = new PlanStage(
    plan(
      ["T-001", "node test/answer.test.mjs"],
      ["T-002", "test -f two.txt && node test/added.test.mjs", "T-001"],
      ["T-003", "test -f three.txt", "T-002"],
    ),
    { "answer.mjs": "export const answer = 41;\n", "test/answer.test.mjs": expecting(42) },
  );
  const scripts = {
    "T-001": [writing(answering(43))],
    "T-002": [writing({ "two.txt": "2\n", "test/added.test.mjs": expecting(43) })],
    "T-003": [writing({ "three.txt": "3\n", ...answering(44), "test/added.test.mjs": expecting(44) })],
  };
  expectCode(stage.work(scripts, "--no-model", "--may-change", "test/**"), 0);
  expect(stage.eventsOf("loop.completed")).toMatchObject([{ confidence: "verified", why: [] }]);
});
