import { nameList } from "../shortened.ts";
import type { WorkflowNews, RunNews } from "../news/news.ts";
import { failureLine, isSameFailure } from "../../core/plan/shown-task.ts";
import { attemptsOf } from "../../core/plan/workflow.ts";
import { wasAsked, type Finding } from "../../core/stages/stages.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { failingLine } from "../../core/output/failing-line.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { fileList } from "../file-list.ts";
import { resumeAnnouncement, startingLine } from "../loop-lines.ts";
import { counselLine, findingHead, gateLine, panelLines, waveReviewLine, workReviewLine } from "../review.ts";
import { earlierWavesLine, onWorker, setbackText, taskLabel, waveDoneLine, waveLine } from "../plan.ts";
import type { Terminal } from "./terminal.ts";
import { endLines, waitLine } from "./run-view.ts";

const MOST_FILES = 5;
const SHOWN_ADVICE = 100;

/** Calm lines of a plan that is worked on: what begins, what was merged, what went back and why. */
export function workflowView(
  terminal: Terminal,
  { now, ...shown }: Shown & { readonly now: () => number },
): (news: WorkflowNews) => void {
  /** By task: what its agent was last told to go on for. */
  const told = new Map<string, string>();
  return (news) => {
    for (const line of workflowLines(terminal, news, now(), shown)) terminal.print(line);
    const held = news.type === "attempt-news" ? whyHeld(news.news) : null;
    if (news.type !== "attempt-news" || held === null || told.get(news.task) === held) return;
    told.set(news.task, held);
    const text = `! ${news.task} isn't done, its agent goes on: ${held}`;
    terminal.print(`  ${terminal.paint("dim", oneLine(text, terminal.width - 4))}`);
  };
}

/** The most telling line of a check that still fails after a turn; null: no turn has just ended so. */
function whyHeld(news: RunNews): string | null {
  if (news.type !== "judged" || news.verdict.type !== "hold") return null;
  const failing = topFrame(news.loop).criteria.find(({ evidence }) => evidence?.passed === false);
  return failingLine(failing?.evidence?.outputTail ?? "");
}

/** What is said elsewhere, or has to be. */
interface Shown {
  /** Several loops are open, so a command has to name this one. */
  readonly isNamed: boolean;
  /** The stages before the plan have said what begins. */
  readonly isAnnounced: boolean;
  /** Each finding is shown when somebody is asked about it. */
  readonly asksAboutFindings: boolean;
}

const NOTHING_ELSE: Shown = { isNamed: false, isAnnounced: false, asksAboutFindings: false };

export function workflowLines(
  terminal: Terminal,
  news: WorkflowNews,
  now: number,
  { isNamed, isAnnounced, asksAboutFindings }: Shown = NOTHING_ELSE,
): readonly string[] {
  const green = terminal.paint("green", "✓");
  const red = terminal.paint("red", "✗");
  switch (news.type) {
    case "workflow-began":
      return [
        ...(isAnnounced ? [] : [news.resumed ? resumeAnnouncement(news.loop, []) : startingLine(news.loop)]),
        ...(news.inPlace ? ["[LOOP] Without git the tasks run one at a time, in place."] : []),
      ];
    case "preparing":
      return [`[LOOP] ${news.what}`];
    case "wave-began":
      return [waveLine(news.loop, news.wave, news.tasks), ...earlierWavesLine(news.loop, news.wave)];
    case "wave-ended":
      return [waveDoneLine(news.loop, news.wave)];
    case "attempt-began": {
      const { attempt, task, isResumed } = news;
      const notes = [
        ...(attempt.number > 1 ? [`attempt ${attempt.number}`] : []),
        ...(isResumed ? ["resumed"] : []),
      ];
      return [`  ▸ ${taskLabel(task)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`];
    }
    case "attempt-placed":
      return [`  ${terminal.paint("dim", `${news.task.id} runs ${onWorker(news.worker)}`)}`];
    case "attempt-finished":
      return [
        // Without git nothing is merged.
        ...(news.loop.workflow?.branch == null
          ? []
          : [`  ${terminal.paint("dim", `${news.task.id} is ready to merge`)}`]),
        ...news.doubts.map((doubt) => `  ! ${news.task.id}: ${doubt}`),
      ];
    case "set-back":
      return setBackLines(terminal, news);
    case "merged":
      return [
        `  ${green} ${taskLabel(news.task)}${news.commit === null ? "" : ` ${terminal.paint("dim", news.commit.slice(0, 8))}`}`,
      ];
    case "reverted":
      return [
        `  ! ${news.task}: the merge returns to an earlier content: ${fileList(news.files, MOST_FILES)}`,
      ];
    case "unmerged":
      return [
        `  ! On the merged files, ${news.failing.length === 1 ? "the check" : "checks"} of ${nameList(news.failing)} failed. To find out why, ${nameList(news.tasks)} ${news.tasks.length === 1 ? "is" : "are"} merged again.`,
      ];
    case "flaky":
      return [`  ! The check of ${news.check} gave two results on the same files: it is flaky.`];
    case "given-up":
      return [`  ${red} ${news.task.id} was given up: ${oneLine(failureLine(news.why), 200)}`];
    case "left-out":
      return [`[LOOP] Delivering what is finished, without ${nameList(news.tasks)}`];
    case "no-room":
      return [`[LOOP] No new attempt starts yet: ${news.why}`];
    case "limited":
      return [waitLine(news.until, now, `${news.agent} met a usage limit; all of its attempts wait`)];
    case "counselled":
      return isKnownAdvice(news) ? [] : [`  ${terminal.paint("dim", counselLine(news.counsel))}`];
    // Where nobody can be asked, the review of the whole says so.
    case "wave-reviewed":
      return !wasAsked(news.review)
        ? []
        : [waveReviewLine(news.review.wave, news.review), ...panelLines(news.review)];
    case "work-reviewed":
      return !wasAsked(news.review)
        ? [`  ! Nobody reviews the work: ${oneLine(news.review.failure ?? "", 200)}.`]
        : [
            workReviewLine(news.review),
            ...panelLines(news.review),
            ...(asksAboutFindings ? [] : news.review.findings.map((each) => findingLine(terminal, each))),
          ];
    case "findings-settled":
      return news.tasks === 0
        ? []
        : [
            `[LOOP] Review ${news.round}: ${news.tasks === 1 ? "1 task" : `${news.tasks} tasks`} to put it right`,
          ];
    case "gating":
      return [`[LOOP] Gate: ${news.what}`];
    case "gate-judged":
      return [gateLine(news.verdict)];
    case "workflow-ended":
      return endLines(news.loop, { isNamed, canUndo: true });
    // The completion says it.
    case "delivered":
    case "attempt-news":
    case "merging":
      return [];
  }
}

function findingLine({ paint, width }: Terminal, finding: Finding): string {
  const style = { BLOCKER: "red", WARNING: "yellow", SUGGESTION: "dim" } as const;
  const head = findingHead(finding);
  const text = oneLine(finding.problem, Math.max(20, width - head.length - 4));
  return `  ${paint(style[finding.severity], head)} ${text}`;
}

type NewsOf<Type extends WorkflowNews["type"]> = Extract<WorkflowNews, { readonly type: Type }>;

/** Told in full once: an attempt that fails as the one before says only that. */
function setBackLines(terminal: Terminal, { loop, task, setback }: NewsOf<"set-back">): readonly string[] {
  const red = terminal.paint("red", "✗");
  const attempts = loop.workflow === null ? [] : attemptsOf(loop.workflow, task.id);
  const before = attempts.at(-2)?.state;
  if (before?.type === "set-back" && isSameFailure(before.setback, setback))
    return [`  ${red} ${task.id}: attempt ${attempts.length} failed in the same way`];
  return [`  ${red} ${task.id}: ${setbackText(setback)}`];
}

/** A plain instruction that was given before, with nothing new but the number of the attempt. */
function isKnownAdvice({ loop, counsel }: NewsOf<"counselled">): boolean {
  const start = counsel.approach.slice(0, SHOWN_ADVICE);
  return (loop.stages?.counsels ?? []).some(
    ({ task, after, approach }) =>
      task === counsel.task && after < counsel.after && approach.startsWith(start),
  );
}
