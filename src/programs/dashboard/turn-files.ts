import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { UserError } from "../../core/user-error.ts";
import { runsFolder } from "../../engine/lifecycle/turn-folders.ts";
import type { Project } from "../../storage/home/project.ts";

/** A piece of what a turn was told, or of what its agent printed. */
export interface TurnPiece {
  readonly text: string;
  /** Where it begins, in bytes. */
  readonly offset: number;
  readonly size: number;
}

const PIECE_BYTES = 256 * 1024;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;
const FILES = { prompt: "prompt.md", output: "output.jsonl" } as const;

/** `offset`: where the piece begins; null: the last one. */
export function readTurn(
  project: Project,
  loop: LoopId,
  turn: string,
  part: keyof typeof FILES,
  offset: number | null,
): TurnPiece {
  if (!NAME.test(turn)) throw new UserError("There is no such turn.");
  let file: number;
  try {
    file = openSync(join(runsFolder(project, loop), turn, FILES[part]), "r");
  } catch (error) {
    throw new UserError("What it printed is no longer kept: turns are deleted two weeks after the end.", {
      cause: error,
    });
  }
  try {
    const { size } = fstatSync(file);
    const start = Math.min(size, Math.max(0, offset ?? size - PIECE_BYTES));
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - start));
    const read = readSync(file, piece, 0, piece.length, start);
    return { text: piece.subarray(0, read).toString("utf8"), offset: start, size };
  } finally {
    closeSync(file);
  }
}
