import { existsSync, mkdirSync } from "node:fs";
import { isDriven, isWorkflow, topFrame, type Loop, type TaskStatus } from "../../core/loop/loop.ts";
import { eventsOfTaskList } from "../../core/stop/claims.ts";
import { wavesIfSound } from "../../core/plan/graph.ts";
import type { Said } from "../../core/stop/facts.ts";
import {
  readEveryTask,
  readTaskList,
  WHOLE_LOOP,
  taskListFolder,
  taskListName,
  rememberTaskList,
  rememberedTaskList,
} from "./task-list.ts";
import { addTasks, AGENTS_WORD, writeTaskNotes } from "./write-task-list.ts";
import type { TaskMetadata, TaskNote } from "./write-task-list.ts";
import { loopTaskNotes, loopTaskText } from "../../views/files/loop-task.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import { taskListId } from "./stores.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/**
 * The id of the Claude Code list that a loop's tasks are read from; null: none. In a session it is the session's list. A run
 * continues the list of an earlier session, otherwise it uses one named after the loop. The tasks of a workflow are its plan's.
 */
export function taskListOf(machine: Machine, root: string, loop: Loop): string | null {
  if (topFrame(loop).exitRule !== "tasks" || isWorkflow(loop)) return null;
  if (isDriven(loop)) return rememberedTaskList(machine.home, root, loop.id)?.list ?? loop.id;
  if (loop.binding?.host !== "claude-code") return null;
  return taskListName(taskListId(machine.env) ?? loop.binding.session);
}

/** For a later run, because only the session itself knows its list. */
export function rememberListOfSession(machine: Machine, root: string, loop: Loop): void {
  const list = isDriven(loop) ? null : taskListOf(machine, root, loop);
  if (list !== null) rememberTaskList(machine.home, root, loop.id, { list });
}

/** Reads the list into the loop before a decision. It has only tasks that a host numbered. */
export async function mirrorTaskList(
  machine: Machine,
  live: LiveLoop,
): Promise<"mirrored" | "gone" | "none"> {
  const { loop, project } = live;
  const list = taskListOf(machine, project.root, loop);
  if (list === null) return "none";
  const folder = taskListFolder(machine.env, list);
  const tasks = folder === null ? null : readTaskList(folder);
  if (tasks === null) return "gone";
  await live.record((current) => {
    const known = topFrame(current).tasks;
    const listed = tasks.map((task) => ({
      ...task,
      attempts: known.find((each) => each.id === task.id)?.attempts ?? 0,
    }));
    const own = known.filter((task) => !/^\d+$/.test(task.id));
    const isOurs = current.phase === "active" && taskListOf(machine, project.root, current) === list;
    return isOurs ? eventsOfTaskList(current, [...listed, ...own]) : [];
  });
  return "mirrored";
}

/**
 * After a decision, notes in the list which loop a task belongs to, how often it blocked completion, and that it is completed if
 * the agent just said so; also its wave and how it is verified, unless the agent has said that. If the list cannot be written, its tasks stay as they were and are asked for again.
 */
export async function writeBackTasks(machine: Machine, root: string, loop: Loop, said: Said): Promise<void> {
  const list = taskListOf(machine, root, loop);
  const folder = list === null ? null : taskListFolder(machine.env, list);
  const { tasks, breakers } = topFrame(loop);
  const numbered = tasks.filter(({ id }) => /^\d+$/.test(id));
  if (folder === null || numbered.length === 0 || readTaskList(folder) === null) return;
  const claimed = new Set(said.claims.flatMap((claim) => (claim.type === "task-done" ? [claim.name] : [])));
  const waves = wavesIfSound(tasks);
  const notes = numbered.map(({ id, subject, status }) => {
    const stuckCount = subject === breakers.stuck.lastUnmet ? breakers.stuck.count : 0;
    // The agent said so elsewhere; its own changes in the list stay.
    const isClaimed = status === "completed" && claimed.has(subject);
    const wave = waves.get(id);
    const note: TaskNote = {
      metadata: { loopId: loop.id, stuckCount },
      unlessSaid: { ...(wave === undefined ? {} : { wave }), verification: AGENTS_WORD },
      status: isClaimed ? status : null,
    };
    return [id, note] as const;
  });
  try {
    rememberListOfSession(machine, root, loop);
    await writeTaskNotes(folder, new Map(notes));
  } catch {
    // see above
  }
}

/**
 * Shows a session's plain loop as a task in the list of its client, where its user looks. A mirror only: nothing is read from it, and a
 * list that is gone, locked or without the task stays as it is.
 */
export async function showLoopTask(machine: Machine, root: string, loop: Loop): Promise<void> {
  if (isWorkflow(loop) || isDriven(loop) || loop.frames[0].exitRule === "tasks") return;
  const known = rememberedTaskList(machine.home, root, loop.id);
  const folder = known === null ? null : taskListFolder(machine.env, known.list);
  if (known === null || folder === null) return;
  try {
    if (!known.added.includes(WHOLE_LOOP)) {
      if (known.isNew) mkdirSync(folder, { recursive: true });
      if (
        !existsSync(folder) ||
        !(await addTasks(folder, [{ ...loopTaskText(loop), metadata: metadataOf(loop) }]))
      )
        return;
      rememberTaskList(machine.home, root, loop.id, { ...known, added: [WHOLE_LOOP] });
    }
    const own = readEveryTask(folder)?.find(
      ({ mirrors }) => mirrors?.loopId === loop.id && mirrors.task === WHOLE_LOOP,
    );
    if (own === undefined) return;
    const note = { metadata: metadataOf(loop), status: STATUS[loop.phase], subject: own.task.subject };
    await writeTaskNotes(folder, new Map([[own.task.id, note]]));
  } catch {
    // see above
  }
}

const STATUS: { readonly [P in Loop["phase"]]: TaskStatus } = {
  active: "in_progress",
  paused: "in_progress",
  completed: "completed",
  cancelled: "pending",
};

function metadataOf(loop: Loop): TaskMetadata & { readonly task: string } {
  return { ...loopTaskNotes(loop), loopId: loop.id, task: WHOLE_LOOP };
}
