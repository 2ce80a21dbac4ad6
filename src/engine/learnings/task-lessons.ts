import type { Loop } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { attemptsOf, type Attempt, type Setback, type Workflow } from "../../core/plan/workflow.ts";
import { blockersIn } from "../../core/stages/stages.ts";
import { printedIn } from "../../core/plan/shown-task.ts";
import { failingLine } from "../../core/output/failing-line.ts";
import { oneLine, wholeWords } from "../../system/text/plain-text.ts";
import type { Fact } from "./lessons.ts";
import { saysProgramIsMissing } from "../../verify/checks/cannot-run.ts";

const FAILED = 0.5;
const WORKED = 0.6;
const REVIEWED = 0.5;
const SETUP = 0.7;
const MOST_EACH = 3;
const DETAIL_LIMIT = 160;

/** What the attempts at a plan's tasks came to, and what reviews found in their work. */
export function ofTasks(loop: Loop, workflow: Workflow): readonly Fact[] {
  const facts = workflow.plan.tasks.flatMap((task) => ofTask(loop, workflow, task));
  const ofKind = (kind: Fact["kind"]): readonly Fact[] =>
    facts.filter((fact) => fact.kind === kind).slice(-MOST_EACH);
  return [
    ...ofKind("constraint"),
    ...ofKind("discovery"),
    ...ofKind("failure"),
    ...ofReviews(loop).slice(-MOST_EACH),
  ];
}

function ofTask(loop: Loop, workflow: Workflow, task: PlannedTask): readonly Fact[] {
  const attempts = attemptsOf(workflow, task.id);
  const setbacks = attempts.flatMap(({ state }) =>
    state.type === "set-back" && !isPlumbing(state.setback.detail) ? [ofSetback(task, state.setback)] : [],
  );
  return [...setbacks, ...attempts.flatMap((attempt) => ofCounsel(loop, task, attempt))];
}

function ofSetback({ subject }: PlannedTask, { kind, detail }: Setback): Fact {
  const [first = ""] = detail.trim().split("\n");
  const what = oneLine(first, DETAIL_LIMIT);
  const name = wholeWords(subject, 80);
  switch (kind) {
    case "setup":
      return { kind: "constraint", text: `A fresh worktree could not be set up: ${what}`, confidence: SETUP };
    case "conflict":
      return { kind: "failure", text: `"${name}" conflicts with other work: ${what}`, confidence: FAILED };
    case "red-together":
      return {
        kind: "failure",
        text: `"${name}" passes alone and fails after the merge: ${why(detail)}`,
        confidence: FAILED,
      };
    case "failed":
    case "lost":
      return { kind: "failure", text: `An attempt at "${name}" failed: ${why(detail)}`, confidence: FAILED };
  }
}

function why(detail: string): string {
  const line = failingLine(printedIn(detail)) ?? failingLine(detail) ?? "it did not say why";
  return oneLine(line.replace(/^- /, ""), DETAIL_LIMIT);
}

/** The approach that a counsel gave, where the attempt that followed it worked. */
function ofCounsel(
  { stages }: Loop,
  { subject }: PlannedTask,
  { task, number, state }: Attempt,
): readonly Fact[] {
  const counsel = stages?.counsels.find((each) => each.task === task && each.after === number - 1);
  if (counsel === undefined || counsel.agent === null || state.type !== "integrated") return [];
  const text = `What worked for "${wholeWords(subject, 80)}" after a failure: ${wholeWords(counsel.approach, DETAIL_LIMIT)}`;
  return [{ kind: "discovery", text, confidence: WORKED }];
}

function ofReviews({ stages }: Loop): readonly Fact[] {
  const blockers = (stages?.reviews ?? []).flatMap(({ findings, resolved }) =>
    blockersIn(findings).filter(({ id }) =>
      resolved.some(({ finding, how }) => finding === id && how === "task"),
    ),
  );
  return blockers.map(({ file, problem }) => ({
    kind: "failure",
    text: `A review stopped the work for ${oneLine(file, 80)}: ${wholeWords(problem, DETAIL_LIMIT)}`,
    confidence: REVIEWED,
  }));
}

/** How the machine, or a check, says that something could not even begin. */
const NEVER_BEGAN = [
  /\ba check can't run in a fresh worktree\b/,
  /\bcannot be started\b/,
  /\bcould not start\b/,
  /\b(?:worktree can't be made|files can't be kept)\b/,
  /\bno commit that tasks could start from\b/,
  /\bthe spec is too vague\b/,
  // Node's test runner, about a file that isn't there.
  /^Could not find '.+'$/m,
];

/** About a command or this machine on that day, and not about the project: nothing that a later loop should know. */
export function isPlumbing(detail: string): boolean {
  return saysProgramIsMissing(detail) || NEVER_BEGAN.some((words) => words.test(detail));
}
