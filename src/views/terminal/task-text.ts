import type { Criterion } from "../../core/loop/criterion.ts";
import { onWorker } from "../plan.ts";
import { stateWords, type ShownState, type TaskDetails, type TaskView } from "../task.ts";
import { counted, durationText } from "../../system/text/quantities.ts";
import { padded } from "../../system/text/display-width.ts";
import { oneLine, printable, visible } from "../../system/text/plain-text.ts";
import type { Style, Terminal } from "./terminal.ts";

const TASK_MARKS: { readonly [State in ShownState]: readonly [mark: string, style: Style] } = {
  done: ["✓", "green"],
  running: ["▸", "cyan"],
  stopped: ["○", "yellow"],
  merging: ["▸", "cyan"],
  ready: ["○", "bold"],
  blocked: ["○", "dim"],
  "given-up": ["✗", "red"],
  skipped: ["–", "dim"],
};

/** Tasks, a line each: mark, id, state, subject, then wave, attempts and blockers. */
export function tasksText(terminal: Terminal, tasks: readonly TaskView[]): string {
  const idWidth = Math.max(...tasks.map(({ id }) => Math.min(id.length, 24)));
  const stateWidth = Math.max(...tasks.map((task) => wordsOf(task).length));
  return tasks
    .map((task) => {
      const [mark, style] = markOf(task);
      const state = terminal.paint(style, `${mark} ${padded(wordsOf(task), stateWidth)}`);
      return `${state}  ${padded(oneLine(task.id, 24), idWidth)}  ${oneLine(task.subject, 100)}${asides(terminal, task)}`;
    })
    .join("\n");
}

/** A tick is for what something shows. */
export function markOf({
  state,
  confidence,
}: Pick<TaskView, "state" | "confidence">): readonly [mark: string, style: Style] {
  return state === "done" && confidence === "unverified" ? ["○", "yellow"] : TASK_MARKS[state];
}

function wordsOf({ state, confidence }: TaskView): string {
  const isWeak = state === "done" && confidence !== null && confidence !== "verified";
  return isWeak ? `${stateWords(state)}, ${confidence}` : stateWords(state);
}

/** In other states, what blocked it is done. */
const WAITING: ReadonlySet<ShownState> = new Set(["blocked", "given-up"]);

function asides({ paint }: Terminal, { wave, attempts, blockedBy, state }: TaskView): string {
  const parts = [
    ...(wave === null ? [] : [`wave ${wave}`]),
    ...(attempts === 0 ? [] : [`${attempts} attempt${attempts === 1 ? "" : "s"}`]),
    ...(WAITING.has(state) && blockedBy.length > 0
      ? [`blocked by ${oneLine(blockedBy.join(", "), 100)}`]
      : []),
  ];
  return parts.length === 0 ? "" : `  ${paint("dim", parts.join(" · "))}`;
}

/** `kept`: the command that shows what its last attempt left, if that isn't merged. */
export function taskText(terminal: Terminal, task: TaskDetails, kept: string | null): string {
  const { description, check, proposed, files, estimateMs, history } = task;
  return [
    tasksText(terminal, [task]),
    ...(description ? [`\n${printable(description)}\n`] : []),
    ...(check === null ? [] : [`  check: ${wholeCommand(check)}`]),
    ...(proposed === null ? [] : [`  proposed, and not approved: ${wholeCommand(proposed)}`]),
    ...(files.length === 0 ? [] : [`  files: ${oneLine(files.join(", "), 200)}`]),
    ...(estimateMs === null ? [] : [`  estimate: ${roughly(estimateMs)}`]),
    ...task.doubts.map((doubt) => `  ${task.confidence ?? "unverified"}: ${oneLine(doubt, 200)}`),
    ...history.map(
      (attempt) =>
        `  attempt ${attempt.number}: ${attemptWords(attempt)} (${[oneLine(attempt.agent, 40), ...(attempt.worker === null ? [] : [onWorker(attempt.worker)]), attempt.loop].join(", ")})${attempt.summary === null ? "" : `: ${oneLine(attempt.summary, 200)}`}`,
    ),
    ...(kept === null ? [] : [`  its files so far: ${kept}`]),
  ].join("\n");
}

type Attempt = TaskDetails["history"][number];

/** More than one iteration means that its check failed when its agent stopped. */
function attemptWords({ state, isStopped, setback, iterations }: Attempt): string {
  const count = iterations === null || iterations < 2 ? "" : `, ${counted(iterations, "iteration")}`;
  if (isStopped) return `stopped${count}`;
  if (state === "set-back") return `${SETBACKS[setback ?? "failed"]}${count}`;
  return `${{ running: "running", finished: "waits for its merge", integrated: "merged" }[state]}${count}`;
}

const SETBACKS = {
  failed: "failed",
  conflict: "conflicted",
  "red-together": "failed after the merge",
  lost: "lost",
  setup: "could not be set up",
} as const;

/** What a subagent needs to work on a task. */
/** A task that the session's agent may work on now: where, and what it is told. */
export interface Claimed {
  readonly task: string;
  readonly attempt: number;
  /** null without git: in the project itself. */
  readonly worktree: string | null;
  readonly spec: string;
  /** null: nothing shows that it is done. */
  readonly check: string | null;
}

export function claimedText({ task, attempt, worktree, spec, check }: Claimed): string {
  const where = worktree === null ? "in the project itself" : `in ${worktree}`;
  return printable(
    [
      `--- ${task}, attempt ${attempt}, ${where}`,
      spec,
      ...(check === null ? [] : [`Its check: ${wholeCommand(check)}`]),
      `Work only ${worktree === null ? "on this task" : "below that folder: cd there first"}. When it is done: loop task done ${task}. If it can't be: loop task drop ${task} 'REASON'.`,
    ].join("\n"),
  );
}

/** Why a task isn't done. */
export function failedText({ name, evidence }: Criterion): string {
  return printable(
    `✗ ${oneLine(name, 100)}: ${evidence?.ending ?? "did not run"}\n${evidence?.outputTail ?? ""}`,
  );
}

/** Somebody has to judge it, so that all of it is shown. */
export function wholeCommand(command: string): string {
  return command.split("\n").map(visible).join("\n           ");
}

/** Estimates are rough: `20 min`, and not `20 min 0 s`. */
export function roughly(ms: number): string {
  return durationText(ms).replace(/ 0 (?:s|min)$/, "");
}
