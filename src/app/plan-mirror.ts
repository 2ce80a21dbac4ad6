import { isTaskListFolder, readListedTasks, taskListFolder } from "../adoption/task-list.ts";
import { rememberTaskList, rememberedTaskList } from "../adoption/task-list-id.ts";
import type { NewTask, TaskNote } from "../adoption/write-task-list.ts";
import { fillTaskList, writeTaskNotes } from "../adoption/write-task-list.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop, TaskStatus } from "../core/loop.ts";
import { isEnded } from "../core/loop.ts";
import { describeCommand } from "../core/criterion.ts";
import type { Plan, PlannedTask } from "../core/plan/plan.ts";
import type { Workflow } from "../core/plan/workflow.ts";
import { attemptsOf, taskState } from "../core/plan/workflow.ts";
import type { Machine } from "../loops/machine.ts";
import type { Project } from "../store/project.ts";
import { draftOfTaskList, listedId } from "../plans/task-list-plan.ts";

/**
 * Claude Code's task list that a plan came from, or that was begun for it, as a mirror of the work on it: what is written there by
 * others changes no plan.
 */
export interface PlanMirror {
  /** Brings the list up to date beside other work. */
  readonly follow: (loop: Loop) => void;
  /** Until the list shows this loop, or can't. */
  readonly catchUp: (loop: Loop) => Promise<void>;
}

export const NO_MIRROR: PlanMirror = { follow: () => undefined, catchUp: async () => undefined };

/** Before the journal begins, so that a run that is killed finds its list again. */
export function rememberPlanList({ home }: Machine, root: string, id: LoopId, list: string): void {
  rememberTaskList(home, root, id, list);
}

/** `complain` gets one sentence at most: a list that is gone or locked never stops a run. */
export function mirrorOfPlan(
  { home, env }: Machine,
  { root }: Project,
  loop: LoopId,
  complain: (sentence: string) => void,
): PlanMirror {
  const list = rememberedTaskList(home, root, loop);
  return list === null ? NO_MIRROR : new TaskListMirror(list, taskListFolder(env, list), complain);
}

class TaskListMirror implements PlanMirror {
  readonly #list: string;
  readonly #folder: string | null;
  readonly #complain: (sentence: string) => void;
  #shown = "";
  #hasComplained = false;
  #writing: Promise<void> | null = null;

  constructor(list: string, folder: string | null, complain: (sentence: string) => void) {
    this.#list = list;
    this.#folder = folder;
    this.#complain = complain;
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
    const statuses = loop.workflow === null ? [] : statusesOf(loop, loop.workflow);
    const shown = JSON.stringify(statuses.map(([{ id }, status]) => [id, status]));
    if (shown === this.#shown && !isLast) return;
    const why = await this.#mark(loop, statuses).catch(() => "can't be written");
    if (why === null) this.#shown = shown;
    else if (!this.#hasComplained) {
      this.#hasComplained = true;
      this.#complain(`Claude Code's task list ${this.#list} ${why}, so it doesn't show what is done here.`);
    }
  }

  /** Why it couldn't. */
  async #mark({ id: loopId, workflow }: Loop, statuses: readonly Status[]): Promise<string | null> {
    if (this.#folder === null || !isTaskListFolder(this.#folder)) return "is gone";
    const numbers = workflow === null ? new Map<string, string>() : numbersIn(workflow.plan);
    // Later on, an empty list is one that somebody has emptied.
    const isNew = workflow !== null && workflow.plan.source !== "task-list" && workflow.attempts.length === 0;
    if (isNew && !(await fillTaskList(this.#folder, newTasks(workflow.plan, loopId)))) return CANNOT_WRITE;
    const listed = readListedTasks(this.#folder) ?? [];
    const notes = new Map<string, TaskNote>();
    for (const [{ id, subject }, status] of statuses) {
      const there = listed.find(({ task }) => task.id === numbers.get(id));
      if (there === undefined) continue;
      const [drafted] = [draftOfTaskList([there])].flatMap(({ tasks, done }) => [...tasks, ...done]);
      // As it is spelled there; another task that took its number is nobody's.
      const known = drafted?.subject === subject ? there.task.subject : subject;
      notes.set(there.task.id, { metadata: { loopId }, status, subject: known });
    }
    return (await writeTaskNotes(this.#folder, notes)) ? null : CANNOT_WRITE;
  }
}

const CANNOT_WRITE = "is locked or can't be written";

/** The tasks of a list keep their numbers; in a list that was begun for a plan, they are counted. */
function numbersIn({ source, tasks }: Plan): ReadonlyMap<string, string> {
  return new Map(
    tasks.map(({ id }, index) => [id, source === "task-list" ? listedId(id) : String(index + 1)]),
  );
}

function newTasks(plan: Plan, loopId: string): readonly NewTask[] {
  const numbers = numbersIn(plan);
  const numberOf = (id: string): string => numbers.get(id) ?? "";
  return plan.tasks.map(({ id, subject, description, blockedBy, check }) => ({
    id: numberOf(id),
    subject,
    description: [description, ...(check === null ? [] : [`Verify: ${describeCommand(check.command)}`])]
      .filter((part) => part !== "")
      .join("\n\n"),
    blockedBy: blockedBy.map(numberOf),
    metadata: { loopId },
  }));
}

/** null: nobody has begun it here, and the list may say about it what it says. */
type Status = readonly [PlannedTask, TaskStatus | null];

function statusesOf(loop: Loop, workflow: Workflow): readonly Status[] {
  return workflow.plan.tasks.map((task) => {
    switch (taskState(workflow, task)) {
      case "done":
        return [task, "completed"];
      case "running":
      case "merging":
        return [task, isEnded(loop) ? "pending" : "in_progress"];
      case "ready":
      case "blocked":
      case "given-up":
        return [task, attemptsOf(workflow, task.id).length === 0 ? null : "pending"];
    }
  });
}
