import type { Loop } from "../core/loop.ts";
import { begunIteration, topFrame } from "../core/loop.ts";
import { costText } from "./cost-text.ts";
import { inMarkdown } from "./in-markdown.ts";
import type { JudgementStatus } from "./review.ts";
import { reviewsText } from "./review.ts";
import { setbackText, wavesText } from "./plan.ts";
import type { WorkflowStatus, WorkflowTask } from "./plan.ts";

/** `PROGRESS.md` of a plan: its tasks by how far they are, with their waves. */
export function planProgress(loop: Loop, plan: WorkflowStatus, phase: string): string {
  const { spec } = topFrame(loop);
  const of = (...states: readonly WorkflowTask["state"][]): readonly WorkflowTask[] =>
    plan.tasks.filter(({ state }) => states.includes(state));
  const done = of("done");
  const setbacks = plan.tasks.reduce((sum, task) => sum + task.setbacks, 0);
  return [
    `# Loop Progress: ${inMarkdown(spec, 120)}`,
    "",
    `**Status:** ${statusOf(loop, plan, phase)} | Iteration ${begunIteration(loop)} | Cost: ${costText(loop)}`,
    ...section("✅ Completed", done, "x"),
    ...section("🔄 In Progress", of("running", "merging"), " "),
    ...section("⏳ Pending", of("stopped", "ready", "blocked"), " "),
    ...section("❌ Given up", of("given-up"), " "),
    "",
    "## 📊 Metrics",
    `- Tasks: ${done.length}/${plan.tasks.length} complete`,
    `- Stuck count: ${plan.tasks.reduce((sum, task) => sum + task.stuckCount, 0)}`,
    ...(plan.judgement === null ? [] : judgementLines(loop, plan.judgement)),
    `- Setbacks: ${setbacks}`,
    ...(plan.branch === null ? [] : [`- Branch: ${inMarkdown(plan.branch)}`]),
    "",
  ].join("\n");
}

function judgementLines({ stages }: Loop, { counsels, gate }: JudgementStatus): readonly string[] {
  return [
    `- Counsel consulted: ${counsels === 0 ? "No" : "Yes"}`,
    `- Reviews: ${inMarkdown(reviewsText(stages))}`,
    ...(gate === null ? [] : [`- Gate: ${gate.passed ? "passed" : "shut"}`]),
  ];
}

/** While it runs, which wave it is in; otherwise what became of it. */
function statusOf(loop: Loop, { wave, waves }: WorkflowStatus, phase: string): string {
  const text = wavesText(wave, waves).replace(/^w/, "W");
  return loop.phase === "active" ? text : `${phase} | ${text}`;
}

function section(title: string, tasks: readonly WorkflowTask[], mark: string): readonly string[] {
  if (tasks.length === 0) return [];
  return ["", `## ${title} (${wavesOf(tasks)})`, ...tasks.map((task) => taskLine(task, mark))];
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
