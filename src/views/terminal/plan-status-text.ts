import { ageText, durationText, counted } from "../../system/text/quantities.ts";
import { fitted, padded } from "../../system/text/display-width.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { wasAsked } from "../../core/stages/stages.ts";
import { findingHead, gateWords, type JudgementStatus } from "../review.ts";
import { stateWords } from "../task.ts";
import { onWorker, setbackText, wavesText, type WorkflowStatus, type WorkflowTask } from "../plan.ts";
import { markOf } from "./task-text.ts";
import type { Terminal } from "./terminal.ts";

const WIDEST_SUBJECT = 48;
/** A larger plan tells its finished waves in a line each. */
export const MANY_TASKS = 25;

/** `wave 2 of 3`, `4/8 tasks`, and how many of them are where. */
export function planSummary({ wave, waves, tasks, counts }: WorkflowStatus): readonly string[] {
  const parts = (["running", "stopped", "merging", "ready", "blocked", "given-up", "skipped"] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${stateWords(state)}`);
  return [wavesText(wave, waves), `${counts.done}/${tasks.length} tasks`, ...parts];
}

/** The tasks by wave, the queue, where the work is, and what needs a person. */
export function planLines(terminal: Terminal, plan: WorkflowStatus, now: number): readonly string[] {
  const { paint } = terminal;
  const waves = Array.from({ length: plan.waves }, (_, index) => index + 1);
  const isLarge = plan.tasks.length > MANY_TASKS;
  return [
    ...waves.flatMap((wave) => {
      const tasks = plan.tasks.filter((task) => task.wave === wave);
      const title = paint("bold", `Wave ${wave}`);
      if (isLarge && tasks.every(({ state }) => state === "done"))
        return [`  ${title}  ${paint("green", "✓")} ${paint("dim", `${tasks.length} done`)}`];
      return [`  ${title}`, ...tasks.flatMap((task) => taskLines(terminal, plan, task, now))];
    }),
    ...(plan.merging.length === 0 ? [] : [`  ${paint("cyan", "merging")} ${plan.merging.join(", ")}`]),
    ...plan.waits.map(
      ({ agent, until }) =>
        `  ${paint("yellow", "!")} ${oneLine(agent, 40)} waits for a usage limit, ${durationText(Date.parse(until) - now)}`,
    ),
    ...(plan.judgement === null ? [] : judgementLines(terminal, plan.judgement)),
    ...branchLines(terminal, plan),
  ];
}

/** What reviews found that isn't settled or was accepted, and what the gate says. */
function judgementLines({ paint, width }: Terminal, judgement: JudgementStatus): readonly string[] {
  const { waves, rounds, roundLimit, findings, gate, counsels } = judgement;
  const last = rounds.at(-1);
  const blockers = findings.filter(({ severity, task }) => severity === "BLOCKER" && task === null);
  const parts = [
    ...waves.filter(wasAsked).map(({ wave, score }) => `wave ${wave} ${score ?? "?"}/10`),
    ...(last === undefined || !wasAsked(last)
      ? []
      : [
          `round ${last.round} of ${roundLimit}: ${last.failure ?? `${last.score ?? 0}/10, ${counted(last.blockers, "blocker")}`}`,
        ]),
    ...(counsels === 0 ? [] : [`advised ${counted(counsels, "time")}`]),
    ...(gate === null ? [] : [`gate ${gateWords(gate)}`]),
  ];
  return [
    ...(parts.length === 0
      ? []
      : [`  ${paint("bold", "Review")}  ${oneLine(parts.join(" · "), width - 12)}`]),
    ...blockers.map((each) => `    ${paint("red", findingHead(each))} ${oneLine(each.problem, 100)}`),
  ];
}

function branchLines({ paint }: Terminal, plan: WorkflowStatus): readonly string[] {
  const { branch, tip, userBranch, delivered, delivery } = plan;
  if (branch === null) return [];
  if (delivery !== null) return [`  ${paint(delivered?.how === "moved" ? "dim" : "yellow", delivery)}`];
  return [
    `  ${paint("dim", `branch ${branch} at ${(tip ?? "").slice(0, 8)}, for ${userBranch ?? "a detached HEAD"}`)}`,
  ];
}

function taskLines(
  terminal: Terminal,
  plan: WorkflowStatus,
  task: WorkflowTask,
  now: number,
): readonly string[] {
  const { paint, width } = terminal;
  const [mark, style] = markOf(task);
  const idWidth = Math.max(...plan.tasks.map(({ id }) => id.length));
  const subjectWidth = Math.min(WIDEST_SUBJECT, Math.max(...plan.tasks.map(({ subject }) => subject.length)));
  const subject = padded(fitted(oneLine(task.subject, 200), subjectWidth), subjectWidth);
  // A task that was given up for another one has no setback of its own.
  const why =
    task.skipped ??
    (task.setback === null ? (task.givenUp ?? task.doubts[0] ?? null) : setbackText(task.setback));
  return [
    `    ${paint(style, mark)} ${padded(task.id, idWidth)}  ${subject}  ${paint("dim", detailOf(task, now))}`.trimEnd(),
    ...(why === null ? [] : [`      ${paint("yellow", oneLine(why, width - 8))}`]),
  ];
}

function detailOf(task: WorkflowTask, now: number): string {
  const { state, agent, worker, attempts, startedAt, waitsFor, confidence } = task;
  const where = worker === null ? [] : [onWorker(worker)];
  const parts = {
    done: [confidence ?? "", ...(attempts > 1 ? [`${attempts} attempts`] : []), ...where],
    running: [
      [oneLine(agent ?? "", 40), ...where].join(" "),
      ...(attempts > 1 ? [`attempt ${attempts}`] : []),
      ...(startedAt === null ? [] : [`began ${ageText(now - Date.parse(startedAt))}`]),
    ],
    stopped: [`attempt ${attempts} stopped`, ...where],
    merging: ["waits for its merge", ...where],
    ready: [attempts > 0 ? `ready for attempt ${attempts + 1}` : "ready"],
    blocked: [`blocked by ${waitsFor.join(", ")}`],
    "given-up": [attempts === 0 ? "given up" : `given up after ${counted(attempts, "attempt")}`],
    skipped: [stateWords("skipped")],
  }[state];
  return parts.filter((part) => part !== "").join(" · ");
}
