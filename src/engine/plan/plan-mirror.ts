import { existsSync, mkdirSync } from "node:fs";
import { addTasks, writeTaskNotes, AGENTS_WORD } from "../compat/write-task-list.ts";
import {
  readListedTasks,
  taskListFolder,
  rememberTaskList,
  rememberedTaskList,
} from "../compat/task-list.ts";
import type { MirroredList, FoundTask } from "../compat/task-list.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isEnded, type Loop, type TaskStatus } from "../../core/loop/loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Project } from "../../storage/home/project.ts";
import type { NewTask, TaskMetadata, TaskNote } from "../compat/write-task-list.ts";
import { callerOf } from "../../agents/hosts/caller.ts";
import { listOfSession } from "../opening/task-lists.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { draftOfTaskList, listedDescription, listedId } from "../../core/plan-files/task-list-plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { workflowStatus, type WorkflowTask } from "../../views/plan.ts";

/** Claude Code's task list that has the tasks of a plan, as a mirror of the work on it: what is written there by others changes no plan. */
export interface PlanMirror {
  /** Brings the list up to date beside other work. */
  readonly follow: (loop: Loop) => void;
  /** Until the list shows this loop, or can't. */
  readonly catchUp: (loop: Loop) => Promise<void>;
}

export const NO_MIRROR: PlanMirror = { follow: () => undefined, catchUp: async () => undefined };

/** `tell` gets a sentence about a list that was made, and one about trouble at most: a list that is gone or locked never stops a run. */
export function mirrorOfPlan(
  { home, env }: Machine,
  { root }: Project,
  loop: LoopId,
  tell: (sentence: string) => void,
): PlanMirror {
  const known = rememberedTaskList(home, root, loop);
  if (known === null) return NO_MIRROR;
  const remember = (list: MirroredList): void => rememberTaskList(home, root, loop, list);
  const caller = callerOf(env);
  const session = caller.kind === "agent" ? caller.session : null;
  const shown =
    caller.kind === "agent" && session !== null
      ? listOfSession({ env }, { host: caller.host, session })
      : null;
  return new TaskListMirror(known, taskListFolder(env, known.list), { tell, remember, shown });
}

interface Outside {
  /** The list that the user sees anyway; null: none. */
  readonly shown: string | null;
  readonly tell: (sentence: string) => void;
  readonly remember: (list: MirroredList) => void;
}

const NOT_WRITTEN = "is locked or can't be written";

class TaskListMirror implements PlanMirror {
  readonly #folder: string | null;
  readonly #outside: Outside;
  #list: MirroredList;
  #shown = "";
  #hasComplained = false;
  #writing: Promise<void> | null = null;

  constructor(list: MirroredList, folder: string | null, outside: Outside) {
    this.#list = list;
    this.#folder = folder;
    this.#outside = outside;
  }

  follow(loop: Loop): void {
    if (this.#writing !== null) return;
    this.#writing = this.#write(loop, false).finally(() => (this.#writing = null));
  }

  async catchUp(loop: Loop): Promise<void> {
    await this.#writing;
    await this.#write(loop, true);
  }

  /** `isLast`: also over what others wrote since. */
  async #write(loop: Loop, isLast: boolean): Promise<void> {
    const tasks = mirroredTasks(loop);
    const shown = JSON.stringify(tasks.map(({ status, metadata }) => [status, metadata]));
    if (tasks.length === 0 || (shown === this.#shown && !isLast)) return;
    const why = await this.#show(tasks).catch(() => "can't be written");
    if (why === null) this.#shown = shown;
    else if (!this.#hasComplained) {
      this.#hasComplained = true;
      this.#outside.tell(
        `Claude Code's task list ${this.#list.list} ${why}, so it doesn't show what is done here.`,
      );
    }
  }

  /** Why it couldn't. */
  async #show(tasks: readonly MirroredTask[]): Promise<string | null> {
    const folder = this.#folder;
    if (folder === null || !this.#isThere(folder)) return "is gone";
    if (!(await this.#add(folder, tasks))) return NOT_WRITTEN;
    const listed = readListedTasks(folder);
    if (listed === null) return "is gone";
    return (await writeTaskNotes(folder, notesOn(listed, tasks))) ? null : NOT_WRITTEN;
  }

  /** A new list is made for its first tasks. One that was deleted since stays deleted. */
  #isThere(folder: string): boolean {
    const { isNew, added } = this.#list;
    if (isNew && added.length === 0) mkdirSync(folder, { recursive: true });
    return existsSync(folder);
  }

  /** Remembered once they are in the list: after a crash before that, they are found there by their metadata. */
  async #add(folder: string, tasks: readonly MirroredTask[]): Promise<boolean> {
    const { list, isNew, added } = this.#list;
    const missing = tasks.filter(({ number, planned: { id } }) => number === null && !added.includes(id));
    if (missing.length === 0) return true;
    if (!(await addTasks(folder, missing.map(newTaskOf)))) return false;
    this.#list = { list, isNew, added: [...added, ...missing.map(({ planned: { id } }) => id)] };
    this.#outside.remember(this.#list);
    if (isNew && added.length === 0 && list !== this.#outside.shown)
      this.#outside.tell(
        `The tasks are in Claude Code's task list ${list} too; see them with: CLAUDE_CODE_TASK_LIST_ID=${list} claude`,
      );
    return true;
  }
}

/** A task of a plan as a task list shows it. */
interface MirroredTask {
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
    case "skipped":
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
