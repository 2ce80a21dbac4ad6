import { standardOf } from "../../core/loop/criterion.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { isWorkflow, topFrame } from "../../core/loop/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import { knownText, rowOf } from "../criterion-row.ts";
import { iterationLine, stepDoneLine } from "../loop-lines.ts";
import { planLine, stageLine } from "../workflow-lines.ts";
import { shownLine, waitLine } from "../terminal/run-lines.ts";
import { workflowLines } from "../terminal/workflow-view.ts";
import { planNewsBetweenLooks } from "./plan-news-between-looks.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What happened to a loop between two looks, in the lines its own run prints. */
export function newsBetweenLooks(
  terminal: Terminal,
  before: Loop,
  after: Loop,
  now: number,
): readonly string[] {
  if (before.workflow !== null && after.workflow !== null) {
    const news = planNewsBetweenLooks(before, after);
    return news.flatMap((each) => workflowLines(terminal, each, now));
  }
  if (isWorkflow(before) && isWorkflow(after)) return newStage(before, after);
  return [
    ...finishedSteps(before, after),
    ...newEvidence(terminal, before, after),
    ...newIteration(before, after),
    ...newWait(before, after, now),
  ];
}

/** Until there is a plan, and the beginning of work on it. */
function newStage(before: Loop, after: Loop): readonly string[] {
  if (stageOf(before) === stageOf(after) || after.phase !== "active") return [];
  return [after.workflow === null ? stageLine(after) : planLine(after)];
}

function finishedSteps(before: Loop, after: Loop): readonly string[] {
  const open = new Set(topFrame(before).steps.flatMap(({ name, done }) => (done ? [] : [name])));
  return topFrame(after).steps.flatMap(({ name, done }) =>
    done && open.has(name) ? [stepDoneLine(after, name)] : [],
  );
}

function newEvidence(terminal: Terminal, before: Loop, after: Loop): readonly string[] {
  const known = new Map(topFrame(before).criteria.map(({ name, evidence }) => [name, evidence?.at]));
  return topFrame(after).criteria.flatMap((criterion) => {
    const { name, evidence } = criterion;
    if (evidence === null || known.get(name) === evidence.at) return [];
    const row = rowOf(criterion, standardOf(after));
    return [shownLine(terminal, after, row, [knownText(row), ...row.doubts].join(", "))];
  });
}

function newIteration(before: Loop, after: Loop): readonly string[] {
  const isNews =
    topFrame(before).iteration !== topFrame(after).iteration || before.frames.length !== after.frames.length;
  return isNews && after.phase === "active" ? [iterationLine(after)] : [];
}

function newWait(before: Loop, after: Loop, now: number): readonly string[] {
  const until = after.driven?.waitsUntil ?? null;
  if (until === null || until === before.driven?.waitsUntil || after.phase !== "active") return [];
  return [waitLine(until, now, "usage limit")];
}
