import { readSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { UserError } from "../../core/user-error.ts";
import { runsFolder } from "../../engine/lifecycle/turn-folders.ts";
import type { Project } from "../../storage/home/project.ts";
import { withFile } from "../../system/files/read-file.ts";

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
  const piece = withFile(join(runsFolder(project, loop), turn, FILES[part]), (file, { size }) => {
    const start = Math.min(size, Math.max(0, offset ?? size - PIECE_BYTES));
    const bytes = Buffer.alloc(Math.min(PIECE_BYTES, size - start));
    const read = readSync(file, bytes, 0, bytes.length, start);
    return { text: bytes.subarray(0, read).toString("utf8"), offset: start, size };
  });
  if (piece === null)
    throw new UserError("What it printed is no longer kept: turns are deleted two weeks after the end.");
  return piece;
}
