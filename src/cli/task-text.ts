import type { Criterion } from "../core/criterion.ts";
import type { TaskState } from "../core/plan/workflow.ts";
import { padded } from "../text/display-width.ts";
import { oneLine, printable } from "../text/plain-text.ts";
import type { TaskDetails, TaskView } from "../views/task-view.ts";
import type { Claimed } from "../workflow/session/claim-task.ts";
import { roughly, wholeCommand } from "./plan-text.ts";
import type { Style, Terminal } from "./terminal.ts";

export const TASK_MARKS: { readonly [State in TaskState]: readonly [mark: string, style: Style] } = {
  done: ["✓", "green"],
  running: ["▸", "cyan"],
  merging: ["▸", "cyan"],
  ready: ["○", "bold"],
  blocked: ["○", "dim"],
  "given-up": ["✗", "red"],
};

/** Tasks, a line each: mark, id, state, subject, then wave, attempts and blockers. */
export function tasksText(terminal: Terminal, tasks: readonly TaskView[]): string {
  const idWidth = Math.max(...tasks.map(({ id }) => Math.min(id.length, 24)));
  const stateWidth = Math.max(...tasks.map(({ state }) => state.length));
  return tasks
    .map((task) => {
      const [mark, style] = TASK_MARKS[task.state];
      const state = terminal.paint(style, `${mark} ${padded(task.state, stateWidth)}`);
      return `${state}  ${padded(oneLine(task.id, 24), idWidth)}  ${oneLine(task.subject, 100)}${asides(terminal, task)}`;
    })
    .join("\n");
}

function asides({ paint }: Terminal, { wave, attempts, blockedBy, state }: TaskView): string {
  const parts = [
    ...(wave === null ? [] : [`wave ${wave}`]),
    ...(attempts === 0 ? [] : [`${attempts} attempt${attempts === 1 ? "" : "s"}`]),
    ...(state === "done" || blockedBy.length === 0
      ? []
      : [`blocked by ${oneLine(blockedBy.join(", "), 100)}`]),
  ];
  return parts.length === 0 ? "" : `  ${paint("dim", parts.join(" · "))}`;
}

export function taskText(terminal: Terminal, task: TaskDetails): string {
  const { description, check, proposed, files, estimateMs, history } = task;
  return [
    tasksText(terminal, [task]),
    ...(description ? [`\n${printable(description)}\n`] : []),
    ...(check === null ? [] : [`  check: ${wholeCommand(check)}`]),
    ...(proposed === null ? [] : [`  proposed, and not approved: ${wholeCommand(proposed)}`]),
    ...(files.length === 0 ? [] : [`  files: ${oneLine(files.join(", "), 200)}`]),
    ...(estimateMs === null ? [] : [`  estimate: ${roughly(estimateMs)}`]),
    ...history.map(
      ({ number, agent, state, loop, detail }) =>
        `  attempt ${number}: ${state} (${oneLine(agent, 40)}, ${loop})${detail === null ? "" : `: ${oneLine(detail, 200)}`}`,
    ),
  ].join("\n");
}

/** What a subagent needs to work on a task. */
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
