import type { NewTask, TaskMetadata, TaskNote } from "../compat/write-task-list.ts";
import type { FoundTask } from "../compat/task-list.ts";
import { AGENTS_WORD } from "../compat/write-task-list.ts";
import type { Loop, TaskStatus } from "../../core/loop/loop.ts";
import { isEnded } from "../../core/loop/loop.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { draftOfTaskList, listedDescription, listedId } from "../../core/plan-files/task-list-plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { WorkflowTask } from "../../views/plan.ts";
import { workflowStatus } from "../../views/plan.ts";

/** A task of a plan as a task list shows it. */
export interface MirroredTask {
  readonly planned: PlannedTask;
  /** null: nobody has begun it here, and the list may say about it what it says. */
  readonly status: TaskStatus | null;
  readonly metadata: TaskMetadata & { readonly task: string };
  /** Its number in the list that the plan was read from; null: it is added to the list. */
  readonly number: string | null;
}

/** Nothing before there is a plan. */
export function mirroredTasks(loop: Loop): readonly MirroredTask[] {
  const { workflow } = loop;
  const shown = new Map(workflowStatus(loop)?.tasks.map((task) => [task.id, task]));
  return (workflow?.plan.tasks ?? []).flatMap((planned) => {
    const task = shown.get(planned.id);
    if (task === undefined) return [];
    const number = workflow?.plan.source === "task-list" ? listedId(planned.id) : null;
    return [{ planned, number, status: statusOf(loop, task), metadata: metadataOf(loop, planned, task) }];
  });
}

function statusOf(loop: Loop, { state, attempts }: WorkflowTask): TaskStatus | null {
  switch (state) {
    case "done":
      return "completed";
    case "running":
    case "merging":
    case "stopped":
      return isEnded(loop) ? "pending" : "in_progress";
    case "ready":
    case "blocked":
    case "given-up":
      return attempts === 0 ? null : "pending";
  }
}

function metadataOf(
  { id: loopId }: Loop,
  { id, check }: PlannedTask,
  { wave, stuckCount }: WorkflowTask,
): MirroredTask["metadata"] {
  const verification = check === null ? AGENTS_WORD : "execution output";
  return { loopId, task: id, wave, verification, stuckCount };
}

const LONGEST_SUBJECT = 200;

export function newTaskOf({ planned, metadata }: MirroredTask): NewTask {
  const subject = oneLine(planned.subject, LONGEST_SUBJECT);
  const description = listedDescription(planned);
  return { subject, description, activeForm: `Working on: ${subject}`, metadata };
}

/** What to note on the tasks of the list that mirror those of the plan, by number. */
export function notesOn(
  listed: readonly FoundTask[],
  tasks: readonly MirroredTask[],
): ReadonlyMap<string, TaskNote> {
  const places = new Map(tasks.flatMap((task) => placeOf(listed, task) ?? []));
  const numbersOf = (ids: readonly string[]): readonly string[] =>
    ids.flatMap((id) => places.get(id)?.task.id ?? []);
  // What blocks what among the others comes from the list itself.
  const added = tasks.filter(({ number }) => number === null);
  const notes = new Map<string, TaskNote>();
  for (const { planned, status, metadata, number } of tasks) {
    const there = places.get(planned.id);
    if (there === undefined) continue;
    const blocked = added.filter(({ planned: { blockedBy } }) => blockedBy.includes(planned.id));
    notes.set(there.task.id, {
      metadata,
      status,
      subject: subjectIn(there, planned),
      blocks: numbersOf(blocked.map((each) => each.planned.id)),
      blockedBy: number === null ? numbersOf(planned.blockedBy) : [],
    });
  }
  return notes;
}

function placeOf(
  listed: readonly FoundTask[],
  { metadata: { loopId, task }, number }: MirroredTask,
): readonly [readonly [planned: string, there: FoundTask]] | null {
  const marked = listed.find(({ mirrors }) => mirrors?.loopId === loopId && mirrors.task === task);
  const there = marked ?? listed.find((each) => each.task.id === number);
  return there === undefined ? null : [[task, there]];
}

/** As it is spelled there; another task that took its number is nobody's. */
function subjectIn(there: FoundTask, { subject }: PlannedTask): string {
  const { tasks, done } = draftOfTaskList([there]);
  return [...tasks, ...done].some((drafted) => drafted.subject === subject) ? there.task.subject : subject;
}
