import { expect, test } from "vitest";
import { loopWith, shellCheck } from "../../../test/support/loop-builders.ts";
import {
  finding,
  intentSettled,
  shapeDrawn,
  stagesBegun,
  workReviewed,
} from "../../../test/support/stage-builders.ts";
import { adopted, planned } from "../../../test/support/workflow-builders.ts";
import type { WorkflowNews } from "../news/news.ts";
import { createTerminal } from "./terminal.ts";
import { plannedLines, shapeLines } from "./stage-view.ts";
import { workflowLines } from "./workflow-view.ts";

const COMMAND = `node --test ${"test/a-long-name.test.js ".repeat(6).trim()}`;
const PLAN = adopted([
  planned("T-1", [], { subject: "Make slug work ".repeat(8).trim(), check: shellCheck(COMMAND) }),
]);
const LOOP = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, intentSettled, shapeDrawn, PLAN);
const stream = { write: () => undefined, isTTY: true, columns: 80 };
const terminal = createTerminal({ NO_COLOR: "1" }, { stdin: {}, stdout: stream, stderr: stream });
const SHOWN = { isNamed: false, isAnnounced: false, asksAboutFindings: false };

test("what began with its stages has begun once", () => {
  const began: WorkflowNews = { type: "workflow-began", loop: LOOP, resumed: false, inPlace: false };
  expect(workflowLines(terminal, began, 0, SHOWN)).toEqual([expect.stringContaining("[LOOP] Starting")]);
  expect(workflowLines(terminal, began, 0, { ...SHOWN, isAnnounced: true })).toEqual([]);
});

test("a finding is listed, unless somebody is about to be asked about it", () => {
  const { type: _, ...review } = workReviewed(1, { score: 6, findings: [finding("F-1")] });
  const news: WorkflowNews = { type: "work-reviewed", loop: LOOP, review: { ...review, resolved: [] } };
  expect(workflowLines(terminal, news, 0, SHOWN)).toHaveLength(2);
  expect(workflowLines(terminal, news, 0, { ...SHOWN, asksAboutFindings: true })).toEqual([
    "[LOOP] Review 1: 6/10 | 1 issues (1 blockers)",
  ]);
});

test("a review that nobody could be asked for is no secret", () => {
  const { type: _, ...review } = workReviewed(1, {
    agent: null,
    failure: "the rehearsal has no review-1.json",
  });
  const news: WorkflowNews = { type: "work-reviewed", loop: LOOP, review: { ...review, resolved: [] } };
  expect(workflowLines(terminal, news, 0, SHOWN)).toEqual([
    "  ! Nobody reviews the work: the rehearsal has no review-1.json.",
  ]);
});

test("commands that somebody agrees to are shown as a whole", () => {
  expect(plannedLines(terminal, PLAN.plan)).toEqual([
    "  Wave 1",
    `    T-1  ${"Make slug work ".repeat(8).trim()}`,
    `        (${COMMAND})`,
  ]);
  const criterion = { name: "tests pass", check: shellCheck(COMMAND), proposed: null };
  const shape = { ...shapeDrawn, shape: { ...shapeDrawn.shape, criteria: [criterion] } };
  const lines = shapeLines(terminal, loopWith({ goal: {} }, stagesBegun, intentSettled, shape));
  expect(lines).toContain(`        ${COMMAND}`);
});
