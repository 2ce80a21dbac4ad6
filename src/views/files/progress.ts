import { standardOf } from "../../core/loop/criterion.ts";
import { begunIteration, isWorkflow, topFrame, type Loop } from "../../core/loop/loop.ts";
import { stageOf } from "../../core/stages/stages.ts";
import { butHidden, NO_CHECK, rowOf, type CriterionRow } from "../criterion.ts";
import { costText } from "../cost.ts";
import { inMarkdown } from "./markdown.ts";
import { plainWork } from "../task.ts";
import { setbackText, wavesText, workflowStatus, type WorkflowStatus, type WorkflowTask } from "../plan.ts";
import { reviewsText, type JudgementStatus } from "../review.ts";

/** `PROGRESS.md`: for people. */
export function progressView(loop: Loop): string {
  const plan = workflowStatus(loop);
  const [where, ...body] = plan === null ? plainProgress(loop) : planProgress(loop, plan);
  return [
    `# Loop Progress: ${inMarkdown(topFrame(loop).spec, 120)}`,
    "",
    `**Status:** ${where} | Cost: ${costText(loop)}`,
    ...body,
    "",
  ].join("\n");
}

/** Where a plain loop stands, then its steps or tasks and its criteria. */
function plainProgress(loop: Loop): readonly string[] {
  const frame = topFrame(loop);
  const criteria = frame.criteria.map((each) => rowOf(each, standardOf(loop)));
  const { unit, done, atWork, left } = plainWork(frame, loop.phase === "active" || loop.phase === "paused");
  const met = criteria.filter(({ status }) => status === "met");
  const boxes = (names: readonly string[], mark: string): readonly string[] =>
    names.map((name) => `- [${mark}] ${inMarkdown(name)}`);
  return [
    `${phaseText(loop)} | ${whereText(loop)}`,
    ...section("✅ Completed", boxes(done, "x")),
    ...section("🔄 In Progress", boxes(atWork, " ")),
    ...section("⏳ Pending", boxes(left, " ")),
    ...section("🎯 Criteria", criteria.map(criterionLine)),
    ...section("📊 Metrics", [
      `- ${unit === "tasks" ? "Tasks" : "Steps"}: ${done.length}/${done.length + atWork.length + left.length} complete`,
      ...(unit === "tasks" && criteria.length === 0
        ? []
        : [`- Criteria: ${met.length}/${criteria.length} met${inMarkdown(butHidden(loop))}`]),
      `- Stuck count: ${frame.breakers.stuck.count}`,
    ]),
  ];
}

/** A workflow without a plan is in a stage, and has no iterations yet. */
function whereText(loop: Loop): string {
  return isWorkflow(loop) ? `Stage: ${stageOf(loop) ?? ""}` : `Iteration ${begunIteration(loop)}`;
}

function phaseText(loop: Loop): string {
  switch (loop.phase) {
    case "paused":
      return `Paused: ${loop.reason}`;
    case "completed":
      return loop.confidence === "verified" ? "Completed" : `Completed, ${loop.confidence}`;
    case "active":
      return "Active";
    case "cancelled":
      return "Cancelled";
  }
}

function criterionLine({ name, status, command }: CriterionRow): string {
  const how = command === null ? `, ${NO_CHECK}` : "";
  return `- [${status === "met" ? "x" : " "}] ${inMarkdown(name)} (${status}${how})`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", `## ${title}`, ...lines];
}

/** Which wave a plan is in, then its tasks by how far they are, with their waves. */
function planProgress(loop: Loop, plan: WorkflowStatus): readonly string[] {
  const { tasks, judgement, branch } = plan;
  const of = (...states: readonly WorkflowTask["state"][]): readonly WorkflowTask[] =>
    tasks.filter(({ state }) => states.includes(state));
  const done = of("done");
  const sum = (count: "stuckCount" | "setbacks"): number =>
    tasks.reduce((total, task) => total + task[count], 0);
  return [
    `${waveText(loop, plan)} | Iteration ${begunIteration(loop)}`,
    ...taskSection("✅ Completed", done, "x"),
    ...taskSection("🔄 In Progress", of("running", "merging"), " "),
    ...taskSection("⏳ Pending", of("stopped", "ready", "blocked"), " "),
    ...taskSection("❌ Given up", of("given-up"), " "),
    ...taskSection("⏭️ Left out", of("skipped"), " "),
    ...section("📊 Metrics", [
      `- Tasks: ${done.length}/${tasks.length} complete`,
      `- Stuck count: ${sum("stuckCount")}`,
      ...(judgement === null ? [] : judgementLines(loop, judgement)),
      `- Setbacks: ${sum("setbacks")}`,
      ...(branch === null ? [] : [`- Branch: ${inMarkdown(branch)}`]),
    ]),
  ];
}

function judgementLines({ stages }: Loop, { counsels, gate }: JudgementStatus): readonly string[] {
  return [
    `- Counsel consulted: ${counsels === 0 ? "No" : "Yes"}`,
    `- Reviews: ${inMarkdown(reviewsText(stages))}`,
    ...(gate === null ? [] : [`- Gate: ${gate.passed ? "passed" : "shut"}`]),
  ];
}

/** While it runs, which wave it is in; otherwise what became of it. */
function waveText(loop: Loop, { wave, waves }: WorkflowStatus): string {
  const text = wavesText(wave, waves).replace(/^w/, "W");
  return loop.phase === "active" ? text : `${phaseText(loop)} | ${text}`;
}

function taskSection(title: string, tasks: readonly WorkflowTask[], mark: string): readonly string[] {
  return section(
    `${title} (${wavesOf(tasks)})`,
    tasks.map((task) => taskLine(task, mark)),
  );
}

function wavesOf(tasks: readonly WorkflowTask[]): string {
  const waves = tasks.map(({ wave }) => wave);
  const first = Math.min(...waves);
  const last = Math.max(...waves);
  return first === last ? `Wave ${first}` : `Waves ${first}–${last}`;
}

function taskLine(task: WorkflowTask, mark: string): string {
  const notes = notesOf(task);
  return `- [${mark}] ${task.id}: ${inMarkdown(task.subject)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
}

function notesOf({ state, agent, attempts, waitsFor, setback, confidence }: WorkflowTask): readonly string[] {
  return [
    ...(state === "running" ? [`assigned to ${inMarkdown(agent ?? "")}, attempt ${attempts}`] : []),
    ...(state === "stopped" ? [`attempt ${attempts} stopped`] : []),
    ...(state === "merging" ? ["waits for its merge"] : []),
    ...(state === "blocked" ? [`blocked by ${waitsFor.join(", ")}`] : []),
    ...(confidence === null || confidence === "verified" ? [] : [confidence]),
    ...(setback === null ? [] : [inMarkdown(setbackText(setback))]),
  ];
}
