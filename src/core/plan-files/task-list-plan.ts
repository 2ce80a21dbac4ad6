import type { Task } from "../loop/loop.ts";
import { describeCommand, type Check } from "../loop/criterion.ts";
import type { PlannedTask } from "../plan/plan.ts";
import { numberedId, type DraftedPlan, type DraftedTask } from "./drafted-plan.ts";
import { TaskDraft } from "./task-draft.ts";
import { readField } from "./fields.ts";

/** A task of Claude Code's own list. */
export interface ListedTask {
  readonly task: Task;
  readonly description: string;
}

/** A task list as a plan: task 3 is T-003, and `Verify: COMMAND` in its description is its check. A model wrote it all. */
export function draftOfTaskList(listed: readonly ListedTask[]): DraftedPlan {
  const present = new Set(listed.map(({ task }) => task.id));
  const read = listed.map(({ task, description }) => {
    const number = Number.parseInt(task.id, 10);
    const draft = new TaskDraft(plannedId(task.id), number, task.subject);
    for (const line of description.split(/\r\n|\n|\r/)) {
      const field = readField(line);
      if (field === null) draft.addText(line, number);
      else draft.addField(field, number);
    }
    // What has left the list blocks nobody any more.
    draft.addBlockers(task.blockedBy.filter((id) => present.has(id)).map(plannedId), number);
    return { ...draft.finish(), isDone: task.status === "completed" };
  });
  const tasksThatAre = (isDone: boolean): readonly DraftedTask[] =>
    read.filter((each) => each.isDone === isDone).map(({ task }) => task);
  return {
    source: "task-list",
    preface: "",
    tasks: tasksThatAre(false),
    done: tasksThatAre(true),
    issues: read.flatMap(({ issues, isDone }) => (isDone ? [] : issues)),
  };
}

function plannedId(listed: string): string {
  return /^\d{1,6}$/.test(listed) ? numberedId(Number.parseInt(listed, 10)) : listed;
}

/** The number that a task of such a plan has in its list; null: it came later, and from elsewhere. */
export function listedId(planned: string): string | null {
  const [, number] = /^T-(\d+)$/.exec(planned) ?? [];
  return number === undefined ? null : String(Number.parseInt(number, 10));
}

/** The description of a planned task in a list, so that the list reads as the same plan. */
export function listedDescription({ id, description, check }: PlannedTask): string {
  const text = withoutFields(description);
  const parts = [
    ...(text === "" ? [] : [text]),
    ...(check === null ? [] : [verifyLine(check) ?? `Its check is shown by: loop task ${id}`]),
  ];
  return parts.join("\n\n");
}

/** null: a line can't say it. */
function verifyLine({ command, folder }: Check): string | null {
  const line = describeCommand(command);
  const isShell = command.kind === "shell" || !line.includes('"');
  if (!isShell || folder !== undefined || line.trim() !== line || /[\r\n\0]/.test(line)) return null;
  if (!line.startsWith("`")) return `Verify: ${line}`;
  const longest = Math.max(...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `Verify: ${fence} ${line} ${fence}`;
}

const MOST_READINGS = 20;

/** Nothing in a text is a check or a blocker, only because it reads like one. */
function withoutFields(description: string): string {
  let text = description.trim();
  for (let readings = 0; readings < MOST_READINGS; readings += 1) {
    const task: Task = { id: "1", subject: "", status: "pending", blockedBy: [], wave: null, attempts: 0 };
    const read = draftOfTaskList([{ task, description: text }]).tasks[0]?.description ?? "";
    if (read === text) return text;
    text = read;
  }
  return "";
}
