import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/id.ts";
import type { ProcessMark } from "../../core/loop.ts";
import { isStillAlive, ownMark } from "../../system/process/process-mark.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";
import { lockFolder } from "../../storage/home/loop-lock.ts";
import type { Project } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";

/**
 * Announces that this process restores a loop's files, before the journal says so. Counts only while the process lives. Each
 * process has its own file, so two at once are both visible. Returns a function that withdraws the announcement.
 */
export function announceUndo(machine: Machine, project: Project, loop: LoopId): () => void {
  const folder = notesFolder(machine, project, loop);
  const path = join(folder, `${process.pid}.json`);
  for (const note of notesIn(folder)) if (!isBelieved(note)) rmSync(note, { force: true });
  writePrivateJson(path, ownMark());
  return () => rmSync(path, { force: true });
}

/**
 * Throws while another process is restoring the files. Call it while deciding what to append to the journal: an undo announces
 * itself before it appends, so the second of two sees the first.
 */
export function expectNobodyUndoes(machine: Machine, project: Project, loop: LoopId): void {
  const notes = notesIn(notesFolder(machine, project, loop));
  const pid = notes.flatMap((note) => readMark(note) ?? []).find(isSomebodyElse)?.pid;
  if (pid === undefined) return;
  throw new UserError(
    `Process ${pid} is restoring the files of the loop ${loop} (loop undo); try again when it is done.`,
  );
}

function isSomebodyElse(mark: ProcessMark): boolean {
  return mark.pid !== process.pid && isStillAlive(mark);
}

function isBelieved(note: string): boolean {
  const mark = readMark(note);
  return mark !== null && isStillAlive(mark);
}

function readMark(path: string): ProcessMark | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ProcessMark;
  } catch {
    return null;
  }
}

function notesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function notesFolder(machine: Machine, project: Project, loop: LoopId): string {
  return join(lockFolder({ home: machine.home, root: project.root, loop }), "undoing");
}
