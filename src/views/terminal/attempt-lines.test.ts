import { expect, test } from "vitest";
import { checked, loopWith, ran } from "../../../test/support/loop-builders.ts";
import { counselGiven, stagesBegun } from "../../../test/support/stage-builders.ts";
import {
  adopted,
  branchBegun,
  failed,
  finished,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { Attempt } from "../../core/plan/workflow.ts";
import { failureText } from "../../core/plan/shown-task.ts";
import { holdReason } from "../../core/stop/hold-reason.ts";
import type { WorkflowNews } from "../news/news.ts";
import { createTerminal } from "./terminal.ts";
import { workflowLines, workflowView } from "./workflow-view.ts";

const terminal = createTerminal({ NO_COLOR: "1" }, process);
const T1 = planned("T-1");
const PLAN = adopted([T1], { attemptLimit: 9 });

function loopOf(...events: readonly LoopEvent[]): Loop {
  return loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, PLAN, ...events);
}

function failure(output: string): string {
  const checks = [{ name: "T-1", ending: "failed with exit code 1", output }];
  return failureText({ why: "It paused: same-error.", said: ["All done!"], checks });
}

function setBack(...outputs: readonly string[]): readonly string[] {
  const details = outputs.map(failure);
  const loop = loopOf(
    ...details.flatMap((detail, index) => [started("T-1", index + 1), failed("T-1", index + 1, { detail })]),
  );
  const setback = { kind: "failed", detail: details.at(-1) ?? "", carry: null, failing: [] } as const;
  return workflowLines(terminal, { type: "set-back", loop, task: T1, setback }, 0);
}

test("a failure is told once, with what the check printed, and then that it came again", () => {
  expect(setBack("not ok 1 - slug")).toEqual([
    "  ✗ T-1: the attempt failed: It paused: same-error: not ok 1 - slug",
  ]);
  expect(setBack("not ok 1 - slug", "not ok 1 - slug")).toEqual([
    "  ✗ T-1: attempt 2 failed in the same way",
  ]);
  expect(setBack("not ok 1 - slug", "not ok 2 - wrap")).toHaveLength(1);
  expect(setBack("not ok 1 - slug", "not ok 2 - wrap")[0]).toContain("not ok 2 - wrap");
});

test("advice that was given before is not told again", () => {
  const advice = (after: number, approach: string): Extract<WorkflowNews, { type: "counselled" }> => {
    const earlier = { ...counselGiven("T-1", 1), approach: "Question what everybody took for granted." };
    const counsel = { ...counselGiven("T-1", after), approach };
    return { type: "counselled", loop: loopOf(earlier, counsel), task: T1, counsel };
  };
  expect(workflowLines(terminal, advice(2, "Question what everybody took for granted."), 0)).toEqual([]);
  expect(workflowLines(terminal, advice(2, "Do less."), 0)).toHaveLength(1);
});

test("without git nothing is ready to merge", () => {
  const begun = [started("T-1"), finished("T-1")];
  const lines = (loop: Loop): readonly string[] => {
    const attempt = loop.workflow?.attempts[0] as Attempt;
    return workflowLines(terminal, { type: "attempt-finished", loop, task: T1, attempt, doubts: [] }, 0);
  };
  expect(lines(loopOf(branchBegun, ...begun))).toEqual(["  T-1 is ready to merge"]);
  expect(lines(loopOf(...begun))).toEqual([]);
});

test("a turn whose check still fails is told, once for the same failure", () => {
  const printed: string[] = [];
  const view = workflowView(
    { ...terminal, print: (text) => void printed.push(text) },
    { now: () => 0, isNamed: false, isAnnounced: false, asksAboutFindings: false },
  );
  const judged = (outputTail: string): WorkflowNews => {
    const loop = loopWith(
      { goal: { criteria: [checked("T-1")] } },
      ran("T-1", { passed: false, outputTail }),
    );
    const reason = holdReason(loop, 1, ["T-1"], []);
    const verdict = { type: "hold", because: "unfinished", reason } as const;
    return { type: "attempt-news", task: "T-1", news: { type: "judged", loop, verdict } };
  };
  view(judged("not ok 1 - slug"));
  view(judged("not ok 1 - slug"));
  view(judged("not ok 2 - wrap"));
  expect(printed).toEqual([
    "  ! T-1 isn't done, its agent goes on: not ok 1 - slug",
    "  ! T-1 isn't done, its agent goes on: not ok 2 - wrap",
  ]);
});
