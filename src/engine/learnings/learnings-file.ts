import { redactor } from "../../system/secrets/redact.ts";
import { addUp, idOf, keepable, learnedLine, markLine, strengthOf, parseLine } from "./learning.ts";
import type { Known, Learning, Lesson, Line, Mark } from "./learning.ts";
import {
  realpathSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { findGitFolders } from "../../system/git/git-files.ts";
import { createHash, randomUUID } from "node:crypto";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readLines } from "../../system/files/lines.ts";
import { withFile } from "../../system/files/read-file.ts";
import { namesIn } from "../../system/files/folders.ts";

/** What this needs of the machine. */
export interface Keeper {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}

/** Beyond this the weakest go; an ordinary line has a few hundred bytes. */
const MOST_LEARNINGS = 300;
const LARGEST_FILE_BYTES = 512 * 1024;
/** A person's word that has nothing to be about is kept this often, so that nothing comes back. */
const MOST_MARKS = 500;
/** The first line of a learning and the latest ones tell enough. */
const MOST_LINES_EACH = 6;
const FORGET_BELOW = 0.1;

export function knownLearnings({ home }: Pick<Keeper, "home">, project: string): Known {
  return addUp(project, readLearningsFile(learningsPath(home, project)));
}

/** Adds lessons to a project. What a loop has already said isn't written again. Returns those that are known now. */
export function learn(
  keeper: Keeper,
  project: string,
  lessons: readonly Lesson[],
  loop: string | null,
): readonly Learning[] {
  const redact = redactor(keeper.env);
  const path = learningsPath(keeper.home, project);
  const before = readLearningsFile(path);
  // One moment for all of them, so that their order doesn't depend on how fast this machine is.
  const now = keeper.now();
  const isSaid = ({ id }: Line): boolean =>
    loop !== null && before.some((line) => line.id === id && "kind" in line && line.loop === loop);
  const lines = lessons
    .map((lesson) => keepable(lesson, redact))
    .filter(({ text }) => text !== "")
    .map((lesson) => learnedLine(lesson, { project, loop, now }))
    .filter((line) => !isSaid(line));
  appendLines(path, lines);
  if (sizeOf(path) > LARGEST_FILE_BYTES) prune(keeper, project);
  const ids = new Set(lessons.map((lesson) => idOf(keepable(lesson, redact))));
  return knownLearnings(keeper, project).learnings.filter(({ id }) => ids.has(id));
}

/** A learning of another project becomes one of this project when somebody confirms it here. */
export function markLearning(keeper: Keeper, project: string, learning: Learning, mark: Mark): void {
  const now = keeper.now();
  const path = learningsPath(keeper.home, project);
  const isForeign = mark === "confirmed" && learning.project !== project;
  const copy = isForeign ? [learnedLine(learning, { project, loop: null, now: now - 1 })] : [];
  appendLines(path, [...copy, markLine(learning.id, mark, now)]);
  // What is forgotten leaves the disk.
  if (mark === "forgotten") rewriteLearningsFile(path, (lines) => kept(project, lines, now));
}

/** Removes what is forgotten, dismissed or of no more use. Returns how many went. */
export function prune(keeper: Pick<Keeper, "home" | "now">, project: string): number {
  const path = learningsPath(keeper.home, project);
  const before = knownLearnings(keeper, project).learnings.length;
  rewriteLearningsFile(path, (lines) => kept(project, lines, keeper.now()));
  return before - knownLearnings(keeper, project).learnings.length;
}

/** What the other projects of this machine learned. */
export function learningsElsewhere({ home }: Pick<Keeper, "home">, project: string): readonly Learning[] {
  const own = learningsPath(home, project);
  return listLearningsFiles(home)
    .filter((path) => path !== own)
    .slice(0, MOST_PROJECTS)
    .flatMap((path) => {
      const lines = readLearningsFile(path);
      const named = lines.find((line) => "kind" in line && learningsPath(home, line.project) === path);
      if (named === undefined || !("kind" in named)) return [];
      const { learnings, dismissed } = addUp(named.project, lines);
      return learnings.filter(({ id }) => !dismissed.has(id));
    });
}

const MOST_PROJECTS = 40;

function kept(project: string, lines: readonly Line[], now: number): readonly Line[] {
  const { learnings, dismissed } = addUp(project, lines);
  const ids = new Set(
    learnings
      .filter((each) => !dismissed.has(each.id) && strengthOf(each, now) >= FORGET_BELOW)
      .toSorted((one, other) => strengthOf(other, now) - strengthOf(one, now))
      .slice(0, MOST_LEARNINGS)
      .map(({ id }) => id),
  );
  const about = [...ids].flatMap((id) => {
    const own = lines.filter((line) => line.id === id);
    return own.length <= MOST_LINES_EACH ? own : [...own.slice(0, 1), ...own.slice(1 - MOST_LINES_EACH)];
  });
  const refusals = lines.filter((line) => "mark" in line && line.mark !== "confirmed" && !ids.has(line.id));
  return [...refusals.slice(-MOST_MARKS), ...about];
}

/** What stands for a project: its repository, so that all worktrees of it learn together. Without git, its root. */
export function projectPath(root: string): string {
  const common = findGitFolders(root)?.commonFolder;
  if (common === undefined) return root;
  try {
    const path = realpathSync(common);
    return basename(path) === ".git" ? dirname(path) : path;
  } catch {
    return root;
  }
}

/** Somebody else may have made a file huge; its end is the newest. */
const READ_LIMIT_BYTES = 4 * 1024 * 1024;
const LINE_LIMIT_BYTES = 16 * 1024;
const TRIES = 8;
/** A file that was taken away to be rewritten. It counts until that is done, whoever was killed meanwhile. */
const TAKEN = ".taken";

/** One file for each project. */
export function learningsPath(home: string, project: string): string {
  return join(folderIn(home), `${createHash("sha256").update(project).digest("hex").slice(0, 32)}.jsonl`);
}

/** Lines that aren't ours or are damaged are left out. */
export function readLearningsFile(path: string): readonly Line[] {
  for (let tries = 1; ; tries += 1) {
    const names = namesOf(path);
    const read = names.map(linesIn);
    // One that is gone meanwhile goes on under another name.
    if (tries === TRIES || read.every((lines) => lines !== null)) return read.flatMap((lines) => lines ?? []);
  }
}

/** The files of all projects, those that changed last first. */
function listLearningsFiles(home: string): readonly string[] {
  const folder = folderIn(home);
  const paths = namesIn(folder)
    .filter((name) => /^[0-9a-f]{32}\.jsonl$/.test(name))
    .map((name) => join(folder, name));
  const changed = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths
    .map((path) => [path, changed(path)] as const)
    .toSorted((a, b) => b[1] - a[1])
    .map(([path]) => path);
}

/** On disk when it returns, however many write at once and whoever rewrites the file meanwhile. */
export function appendLines(path: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  for (let tries = 0; tries < TRIES; tries += 1) if (appendOnce(path, text)) return;
  throw new Error(`${path} is rewritten all the time`);
}

/** False: the file was taken away meanwhile, perhaps without these lines. */
function appendOnce(path: string, text: string): boolean {
  const file = openSync(path, "a+", 0o600);
  try {
    const { size, ino } = fstatSync(file);
    const bytes = Buffer.from(`${endsInLine(file, size) ? "\n" : ""}${text}`);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fdatasyncSync(file);
    return statSync(path, { throwIfNoEntry: false })?.ino === ino;
  } finally {
    closeSync(file);
  }
}

/** Its last writer died within a line. */
function endsInLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}

/**
 * Replaces the file by those of its lines that are kept. Takes it away first: then nobody else rewrites it, whoever still appends
 * to it notices and does it again, and after a kill it is still read.
 */
function rewriteLearningsFile(path: string, keep: (lines: readonly Line[]) => readonly Line[]): void {
  try {
    renameSync(path, `${path}.${randomUUID()}${TAKEN}`);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  const taken = namesOf(path).filter((name) => name.endsWith(TAKEN));
  appendLines(path, keep(taken.flatMap((name) => linesIn(name) ?? [])));
  for (const name of taken) rmSync(name, { force: true });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesOf(path: string): readonly string[] {
  const folder = join(path, "..");
  const names = namesIn(folder).map((name) => join(folder, name));
  return names.filter((name) => name === path || (name.startsWith(`${path}.`) && name.endsWith(TAKEN)));
}

/** null: it is no longer there. */
function linesIn(path: string): readonly Line[] | null {
  const lines: Line[] = [];
  return withFile(path, (file, { size }) => {
    readLines(
      file,
      { from: Math.max(0, size - READ_LIMIT_BYTES), until: size, limitBytes: LINE_LIMIT_BYTES },
      (text) => {
        const line = parseLine(text);
        if (line !== null) lines.push(line);
      },
    );
    return lines;
  });
}

function folderIn(home: string): string {
  return join(home, "learnings");
}
