import type { LoopId } from "../../core/loop/id.ts";
import { refCommit } from "../checkpoints/refs.ts";

/** Where merges are checked: a worktree without work of its own. */
export const QUEUE_NAME = "queue";

const READING = "ask_";

/** Where an agent reads while it answers a question. No task has such a name. */
export function readingName(question: string): string {
  return `${READING}${question}`;
}

/** The question that a worktree is for; null: for none. */
export function questionNamed(name: string): string | null {
  return name.startsWith(READING) ? name.slice(READING.length) : null;
}

/** An attempt at a task of a workflow. */
export interface AttemptKey {
  readonly loop: LoopId;
  readonly task: string;
  readonly number: number;
}

/** The work of a plain loop in a worktree of its own, as if it were a task's only attempt. */
export function onlyAttempt(loop: LoopId): AttemptKey {
  return { loop, task: "work", number: 1 };
}

/** The ref that keeps an attempt's result. */
export function resultRef({ loop, task, number }: AttemptKey): string {
  return `refs/loopwright/${loop}/tasks/${task}/${number}`;
}

/** The ref that keeps the files of an attempt that came to nothing. */
export function unfinishedRef(attempt: AttemptKey): string {
  return `${resultRef(attempt)}-unfinished`;
}

/** The ref that keeps all files of an attempt whose result leaves some out. */
export function allRef(attempt: AttemptKey): string {
  return `${resultRef(attempt)}-all`;
}

/** The ref that keeps the merge whose files the next attempt carries on. */
export function carryRef(attempt: AttemptKey): string {
  return `${resultRef(attempt)}-carry`;
}

/** What is kept of an attempt's work; null: nothing. */
export async function keptAttempt(root: string, attempt: AttemptKey): Promise<string | null> {
  return (await refCommit(root, resultRef(attempt))) ?? refCommit(root, unfinishedRef(attempt));
}

/** What is kept of an attempt, with the files that its result leaves out: all that its worktree has. */
export async function keptFiles(root: string, attempt: AttemptKey): Promise<string | null> {
  return (await refCommit(root, allRef(attempt))) ?? keptAttempt(root, attempt);
}

/** The attempt that a worktree is of, by its name; null: of none. */
export function attemptNamed(loop: LoopId, name: string): AttemptKey | null {
  const [, task, number] = questionNamed(name) === null ? (/^(.+)-(\d+)$/.exec(name) ?? []) : [];
  return task === undefined ? null : { loop, task, number: Number(number) };
}
