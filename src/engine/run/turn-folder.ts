import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  lstatSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { runsFolder, listTurns } from "../lifecycle/turn-folders.ts";
import type { AgentEnding } from "../../agents/drivers/driver.ts";
import type { Trouble } from "../../core/stop/trouble.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { errnoOf } from "../../system/files/path-errors.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { readLines } from "../../system/files/lines.ts";
import { withFile } from "../../system/files/read-file.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import type { Project } from "../../storage/home/project.ts";

/** Enough for any turn that a person will read; the rest is counted, not kept. */
const OUTPUT_LIMIT_BYTES = 32 * 1024 * 1024;
const NEEDED_LINE_BYTES = 256 * 1024;

const OUTPUT_FILE = "output.jsonl";
const ENDING_FILE = "ending.json";
const PROMPT_FILE = "prompt.md";

/** What a turn leaves behind: its prompt, the agent's output and how it ended. Enough to settle it after a crash. */
export interface TurnFolder {
  readonly id: string;
  readonly path: string;
}

export interface KeptEnding {
  readonly ending: AgentEnding;
  /** Why we ended it; null if we didn't. */
  readonly cause: Trouble | null;
  readonly at: number;
}

const text = v.string();
const endingSchema: v.GenericSchema<unknown, KeptEnding> = v.object({
  ending: v.variant("type", [
    v.object({ type: v.literal("exited"), code: v.number(), stderr: text }),
    v.object({ type: v.literal("signalled"), signal: text, stderr: text }),
    v.object({ type: v.literal("not-started"), message: text }),
    v.object({ type: v.literal("cut-off"), why: text }),
  ]),
  cause: v.nullable(
    v.variant("kind", [
      v.object({ kind: v.literal("usage-limit"), detail: text, resetsAt: v.nullable(v.number()) }),
      v.object({
        kind: v.picklist(["transient", "blocking", "budget", "lost-conversation", "interrupted", "unknown"]),
        detail: text,
      }),
    ]),
  ),
  at: v.number(),
});

export function turnFolder(project: Project, loop: LoopId, id: string): TurnFolder {
  return { id, path: join(runsFolder(project, loop), id) };
}

/** A folder for the next attempt at an iteration of this name. */
export function createTurnFolder(
  project: Project,
  loop: LoopId,
  iteration: string,
  prompt: string,
): TurnFolder {
  for (let attempt = 1; ; attempt += 1) {
    const folder = turnFolder(project, loop, `${iteration}-${attempt}`);
    if (existsSync(folder.path)) continue;
    createFolder(folder.path);
    writeFileSync(join(folder.path, PROMPT_FILE), prompt, { mode: 0o600 });
    return folder;
  }
}

/** Creates folders inside the loop's folder, never that folder itself: what was deleted stays deleted. */
function createFolder(path: string): void {
  try {
    if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 });
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    throw new JournalError("missing", "the loop's folder is gone", { cause: error });
  }
}

/** Deletes all but the prompts of ended turns of this name: agents that work in the project must not read what was said there. */
export function forgetAnswers(project: Project, loop: LoopId, iteration: string): void {
  for (let attempt = 1; ; attempt += 1) {
    const { path } = turnFolder(project, loop, `${iteration}-${attempt}`);
    if (!existsSync(path)) return;
    for (const name of readdirSync(path))
      if (name !== PROMPT_FILE) rmSync(join(path, name), { recursive: true, force: true });
  }
}

export function isFirstAttempt({ id }: TurnFolder): boolean {
  return id.endsWith("-1");
}

/**
 * Writes lines as they come, so a crash loses none we saw. Past the limit, keeps only the lines needed to settle the turn.
 */
export function outputKeeper(
  folder: TurnFolder,
): (line: string, weight: "passing" | "plain" | "vital") => void {
  const path = join(folder.path, OUTPUT_FILE);
  let bytes = 0;
  return (line, weight) => {
    if (weight === "passing") return;
    const text = `${line}\n`;
    const length = Buffer.byteLength(text);
    const isNeeded = weight === "vital" && length <= NEEDED_LINE_BYTES;
    if (bytes + length > OUTPUT_LIMIT_BYTES && !isNeeded) return;
    bytes += length;
    try {
      appendFileSync(path, text, { mode: 0o600 });
    } catch {
      // The folder was deleted or the disk is full; the turn itself continues.
    }
  };
}

export function keepEnding(folder: TurnFolder, kept: KeptEnding): void {
  try {
    writeAtomically(join(folder.path, ENDING_FILE), JSON.stringify(kept));
  } catch {
    // Without it, a crash right now would make the turn look cut off; nothing worse.
  }
}

/** What was kept of a turn; null if it was cut off or its folder is gone. */
export function keptEnding(folder: TurnFolder): KeptEnding | null {
  return readJsonFile(join(folder.path, ENDING_FILE), endingSchema);
}

export function keptLines(folder: TurnFolder): readonly string[] {
  const lines: string[] = [];
  withFile(join(folder.path, OUTPUT_FILE), (file, { size }) =>
    readLines(file, { from: 0, until: size, limitBytes: OUTPUT_LIMIT_BYTES }, (line) => lines.push(line)),
  );
  return lines;
}

/** When the turn last showed activity; null if it left nothing. */
export function lastSignOf(folder: TurnFolder): number | null {
  const times = [OUTPUT_FILE, ENDING_FILE].flatMap(
    (name) => statSync(join(folder.path, name), { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}

/** Across all turns of a loop. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** Limits what the turns of one loop print. */
export interface OutputQuota {
  /** Before a turn is given a folder. */
  readonly make: () => void;
  /** From now on, output goes there. */
  readonly isUsedBy: (turn: string) => void;
}

/** When the agent of a turn printed something last, by the file that keeps it; null: nothing yet, or there is no such turn. */
export function lastHeard(project: Project, loop: LoopId, turn: string): number | null {
  if (!listTurns(project, loop).includes(turn)) return null;
  return lstatSync(outputPath(project, loop, turn), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Scans all turns only when there may be too much output, not before each of a thousand. */
export function outputQuota(project: Project, loop: LoopId): OutputQuota {
  let kept: number | null = null;
  let last: string | null = null;
  return {
    make: () => {
      if (kept !== null && last !== null) kept += sizeOf(outputPath(project, loop, last));
      last = null;
      if (kept === null || kept + OUTPUT_LIMIT_BYTES > KEPT_BYTES) kept = makeRoom(project, loop);
    },
    isUsedBy: (turn) => {
      last = turn;
    },
  };
}

/**
 * Deletes the output of the oldest turns as far as the next one needs the space, and returns how much is left. Their folders
 * stay, with prompt and ending, because attempts are counted by them.
 */
function makeRoom(project: Project, loop: LoopId): number {
  const outputs = listTurns(project, loop).flatMap((turn) => {
    const path = outputPath(project, loop, turn);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, bytes: found.size, at: found.mtimeMs }];
  });
  let bytes = outputs.reduce((sum, output) => sum + output.bytes, 0);
  for (const output of outputs.toSorted((one, other) => one.at - other.at)) {
    if (bytes + OUTPUT_LIMIT_BYTES <= KEPT_BYTES) break;
    try {
      rmSync(output.path, { force: true });
      bytes -= output.bytes;
    } catch {
      // If one cannot be deleted, the next ones are.
    }
  }
  return bytes;
}

function outputPath(project: Project, loop: LoopId, turn: string): string {
  return join(runsFolder(project, loop), turn, OUTPUT_FILE);
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
