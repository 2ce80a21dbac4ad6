import { joined } from "../core/joined.ts";
import { strengthOf, type Criterion } from "../core/loop/criterion.ts";
import { topFrame, type Loop } from "../core/loop/loop.ts";
import type { Workflow } from "../core/plan/workflow.ts";
import type { ChangedFiles } from "../core/loop/proof.ts";
import { counted } from "../system/text/quantities.ts";
import { oneLine } from "../system/text/plain-text.ts";
import { attestationText, standingProofs } from "./criterion.ts";
import { fileList } from "./file-list.ts";
import { deliveryText, workflowStatus, type WorkflowTask } from "./plan.ts";
import { nameList } from "./shortened.ts";
import { verdictBox } from "./verdict-box.ts";

export type CompletedLoop = Loop & { readonly phase: "completed" };

const LONGEST_WHY = 300;

/** `verified`, or `weak: the checks pass without the work, too`. */
export function confidenceText({ confidence, why }: Pick<CompletedLoop, "confidence" | "why">): string {
  return why.length === 0 ? confidence : `${confidence}: ${oneLine(joined(why), LONGEST_WHY)}`;
}

/** The completion in one line, for the person beside the agent. */
export function completedLine(loop: CompletedLoop): string {
  return `[LOOP] ✓ done${whatIsDone(loop)}`;
}

/** For the next session of the project: what became of a loop whose own session was gone by then. `resume`: what the user types. */
export function endedMeanwhileLine(loop: EndedLoop, resume: string): string {
  if (loop.phase === "completed") return `[LOOP] ✓ ${loop.id} was completed meanwhile${whatIsDone(loop)}`;
  const detail = loop.detail === null ? "" : ` (${oneLine(loop.detail, 200)})`;
  return `[LOOP] ⏸ ${loop.id} was paused meanwhile: ${loop.reason}${detail}. To resume it here: ${resume}`;
}

/** The line above, with the tasks and the verdict of a plan. */
export function endedMeanwhileText(loop: EndedLoop, resume: string): string {
  const line = endedMeanwhileLine(loop, resume);
  return loop.phase === "completed" && loop.workflow !== null ? `${line}\n${completeText(loop)}` : line;
}

type EndedLoop = Loop & { readonly phase: "completed" | "paused" };

function whatIsDone(loop: CompletedLoop): string {
  const names = topFrame(loop).criteria.map(({ name }) => name);
  const causes = causesLine(causesOf(loop)).map((line) => `. ${line}`);
  return `${names.length === 0 ? "" : `: ${nameList(names)}`} (${confidenceText(loop)})${causes.join("")}`;
}

/** Whether the loop is finished, in the fixed words for agents and people. */
export function completeText(loop: CompletedLoop): string {
  const lines = loop.workflow === null ? plainLines(loop) : planLines(loop, loop.workflow);
  return ["<loop-complete>", ...lines, "</loop-complete>"].join("\n");
}

const HEADS = {
  verified: "All success criteria satisfied:",
  weak: "All success criteria satisfied, some on weak evidence:",
  unverified: "Finished, unverified: there were no criteria to verify.",
} as const;

const HEADS_WITH_TASKS = {
  verified: "All tasks done, and all success criteria satisfied:",
  weak: "All tasks done, and all success criteria satisfied, some on weak evidence:",
  unverified: "All tasks done, unverified: there were no criteria to verify.",
} as const;

export function plainLines(loop: CompletedLoop): readonly string[] {
  const { criteria, tasks, proofs } = topFrame(loop);
  const passed = proofs.filter(({ kind, result }) => kind === "holdout" && result === "stands");
  return [
    headOf(loop),
    ...tasks.map(
      ({ id, subject, status }) =>
        `- ${oneLine(id, 40)}: ${status === "completed" ? "✓" : "○"} ${oneLine(subject, 120)}`,
    ),
    ...criteria.map((criterion) => `- ${oneLine(criterion.name, 200)}: ${markOf(loop, criterion)}`),
    ...passed.map(({ detail }) => `- ${oneLine(detail ?? "holdout", 200)}: ✓ (the agent has not seen it)`),
    ...(loop.confidence === "weak" ? loop.why.map((each) => `Weak: ${oneLine(each, LONGEST_WHY)}`) : []),
    ...notesOf(loop),
    ...causesLine(causesOf(loop)),
    ...changesLine(loop.changed),
  ];
}

/** What could not be done to be surer, and makes nothing weak: `Note: "tests pass": it was not tried in a fresh place: …`. */
function notesOf(loop: Loop): readonly string[] {
  return topFrame(loop).criteria.flatMap(({ name, proofs }) =>
    proofs
      .filter(({ kind, result, detail }) => kind === "repeat" && result === "stands" && detail !== null)
      .map(({ detail }) => `Note: "${oneLine(name, 80)}": ${oneLine(detail ?? "", LONGEST_WHY)}`),
  );
}

/** "All" are satisfied only if each was shown: no check decides a criterion that rests on an agent's word. */
function headOf(loop: CompletedLoop): string {
  const { criteria, tasks } = topFrame(loop);
  const unshown = criteria.filter(isUnshown).length;
  if (unshown === 0) return (tasks.length === 0 ? HEADS : HEADS_WITH_TASKS)[loop.confidence];
  const rest = unshown === 1 ? "criterion rests" : "criteria rest";
  return `${tasks.length === 0 ? "Finished" : "All tasks done"}, but not all of it is shown: ${unshown} of ${criteria.length} ${rest} on somebody's word.`;
}

function isUnshown({ check, attestation }: Criterion): boolean {
  return check === null && (attestation === null || strengthOf(attestation) !== "enough");
}

function markOf(loop: CompletedLoop, criterion: Criterion): string {
  if (!isUnshown(criterion)) return `✓${inBrackets(loop, criterion)}`;
  const { attestation } = criterion;
  return `○ not shown (${attestation === null ? "nobody's word" : attestationText(attestation)})`;
}

/** Loops completed before these reasons were recorded show them by criterion. */
function inBrackets({ why }: CompletedLoop, criterion: Criterion): string {
  const proofs = standingProofs(criterion.proofs).map((each) => ` (${each})`);
  return why.length > 0 || proofs.length > 0 ? proofs.join("") : whyWeak(criterion);
}

function whyWeak({ evidence }: Criterion): string {
  return evidence?.alteredTree === true ? " (weak: the check changes the files)" : "";
}

const HEADS_OF_PLANS = {
  verified: "All tasks verified:",
  weak: "All tasks done, some on weak evidence:",
  unverified: "All tasks done, some unverified:",
} as const;

const TASK_MARKS = { verified: "✓", weak: "✓", unverified: "○" } as const;

/** Each task with its mark, where the work is, and the verdict. */
function planLines(loop: CompletedLoop, workflow: Workflow): readonly string[] {
  const { confidence, why, stages } = loop;
  const tasks = workflowStatus(loop)?.tasks ?? [];
  const delivery = deliveryText(workflow);
  return [
    headOfPlan(confidence, tasks),
    ...tasks.map(taskLine),
    ...(confidence === "verified" || why.length === 0
      ? []
      : ["", `Why it is ${confidence}:`, ...why.map((each) => `- ${oneLine(each, LONGEST_WHY)}`)]),
    ...(delivery === null ? [] : ["", delivery]),
    "",
    verdictBox(confidence, tasks, stages),
  ];
}

/** Not all are done where a person left some out. */
function headOfPlan(confidence: keyof typeof HEADS_OF_PLANS, tasks: readonly WorkflowTask[]): string {
  const leftOut = tasks.filter(({ state }) => state === "skipped").length;
  if (leftOut === 0) return HEADS_OF_PLANS[confidence];
  return `${tasks.length - leftOut} of ${counted(tasks.length, "task")} done, ${leftOut} left out:`;
}

function taskLine({ id, subject, confidence, setbacks, state, skipped }: WorkflowTask): string {
  if (state === "skipped")
    return `- ${id}: – ${oneLine(subject, 120)} (left out${skipped === null ? "" : `: ${oneLine(skipped, 120)}`})`;
  const sure = confidence ?? "unverified";
  const notes = [
    ...(sure === "verified" ? [] : [sure]),
    ...(setbacks === 0 ? [] : [`after ${counted(setbacks, "setback")}`]),
  ];
  return `- ${id}: ${TASK_MARKS[sure]} ${oneLine(subject, 120)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

const KINDS = ["source", "tests", "definitions", "deleted"] as const;

/** The files that differ from the opening, by kind, without empty kinds. */
export function changesByKind(
  changed: ChangedFiles | null,
): readonly { readonly kind: (typeof KINDS)[number]; readonly files: readonly string[] }[] {
  if (changed === null) return [];
  return KINDS.map((kind) => ({ kind, files: changed[kind] })).filter(({ files }) => files.length > 0);
}

/** `Changed: source 3, tests 1, deleted 1 (test/cart.test.js)`: deleted files are named, since nobody can look at them. */
export function changesLine(changed: ChangedFiles | null): readonly string[] {
  const parts = changesByKind(changed).map(({ kind, files }) =>
    kind === "deleted"
      ? `deleted ${files.length} (${fileList(files, MOST_DELETED)})`
      : `${kind} ${files.length}`,
  );
  return parts.length === 0 ? [] : [`Changed: ${parts.join(", ")}`];
}

const MOST_DELETED = 5;

/** The changed files without which a check fails; none where that isn't known. */
export function causesOf(loop: Loop): readonly string[] {
  const shown = topFrame(loop).proofs.find(({ kind }) => kind === "causes");
  return shown?.result === "stands" ? shown.files : [];
}

const MOST_CAUSES = 3;

/** `Because of: src/cart.js`. */
export function causesLine(causes: readonly string[]): readonly string[] {
  return causes.length === 0 ? [] : [`Because of: ${fileList(causes, MOST_CAUSES)}`];
}
