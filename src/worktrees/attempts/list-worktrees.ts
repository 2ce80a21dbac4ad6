import { existsSync } from "node:fs";
import { isLinked, markersOf, worktreePath, type Marker } from "./marker.ts";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { refCommit } from "../checkpoints/refs.ts";

/** `live`: a process works in it. `resumable`: one could go on. `dead`: nobody will, and it can be removed. */
type WorktreeState = "live" | "resumable" | "dead";

export interface WorktreeFacts {
  /** Whether the process that drives its loop is alive. */
  readonly isDriven: boolean;
  /** Whether its loop, or its task, has come to an end. */
  readonly hasEnded: boolean;
}

export interface ListedWorktree extends Marker {
  readonly path: string;
  readonly state: WorktreeState;
  readonly isThere: boolean;
  /** Whether git still knows it. It can be mended while its files are there. */
  readonly isLinked: boolean;
  readonly use: DiskUse;
}

export function worktreeState(facts: WorktreeFacts & { readonly isThere: boolean }): WorktreeState {
  if (!facts.isThere) return "dead";
  if (facts.isDriven) return "live";
  return facts.hasEnded ? "dead" : "resumable";
}

/** All worktrees of a project that are ours, by loop and name. */
export async function listWorktrees(
  project: { readonly stateHome: string; readonly root: string },
  factsOf: (marker: Marker) => WorktreeFacts | Promise<WorktreeFacts>,
): Promise<readonly ListedWorktree[]> {
  const listed: ListedWorktree[] = [];
  for (const marker of markersOf(project)) {
    const path = worktreePath({ ...project, ...marker });
    const isThere = existsSync(path) && marker.stage === "ready";
    const state = worktreeState({ ...(await factsOf(marker)), isThere });
    listed.push({
      ...marker,
      path,
      state,
      isThere,
      isLinked: isLinked(project.root, path),
      use: await diskUse(path),
    });
  }
  return listed;
}

interface DiskUse {
  readonly bytes: number;
  /** Not all of it was looked at: there is at least as much. */
  readonly isAtLeast: boolean;
}

const MOST_ENTRIES = 200_000;
const BLOCK_BYTES = 512;

/** What a folder takes on the disk. Links are not followed; a file with two names counts once. */
export async function diskUse(folder: string, mostEntries = MOST_ENTRIES): Promise<DiskUse> {
  const folders = [folder];
  const seen = new Set<string>();
  let bytes = 0;
  let entries = 0;
  for (const each of folders) {
    const found = await readdir(each, { withFileTypes: true }).catch(() => []);
    if (entries + found.length > mostEntries) return { bytes, isAtLeast: true };
    entries += found.length;
    const sizes = await Promise.all(found.map(({ name }) => lstat(join(each, name)).catch(() => null)));
    for (const [position, stat] of sizes.entries()) {
      if (stat === null) continue;
      const identity = `${stat.dev} ${stat.ino}`;
      if (stat.nlink > 1 && !stat.isDirectory()) {
        if (seen.has(identity)) continue;
        seen.add(identity);
      }
      bytes += stat.blocks * BLOCK_BYTES;
      if (stat.isDirectory()) folders.push(join(each, found[position]?.name ?? ""));
    }
  }
  return { bytes, isAtLeast: false };
}

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
interface AttemptKey {
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

/** The ref that keeps what is about to be merged. */
export function mergingRef(loop: LoopId): string {
  return `refs/loopwright/${loop}/merging`;
}

/** The ref that keeps the end of a loop's branch from before merges were undone. */
export function undoneRef(loop: LoopId, merges: number): string {
  return `refs/loopwright/${loop}/undone/${merges}`;
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
