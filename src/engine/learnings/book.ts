import { redactor } from "../../system/secrets/redact.ts";
import { addUp, idOf, keepable, learnedLine, markLine, strengthOf } from "./learning.ts";
import type { Known, Learning, Lesson, Line, Mark } from "./learning.ts";
import {
  appendLines,
  learningsPath,
  listLearningsFiles,
  readLearningsFile,
  rewriteLearningsFile,
  sizeOf,
} from "./learnings-file.ts";
import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { findGitFolders } from "../../system/git/git-files.ts";

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
