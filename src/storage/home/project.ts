import {
  existsSync,
  mkdirSync,
  realpathSync,
  writeFileSync,
  chmodSync,
  lstatSync,
  readdirSync,
} from "node:fs";
import { dirname, join, relative, sep, isAbsolute } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { errnoOf, UnusablePath } from "../../system/files/path-errors.ts";
import { createHash } from "node:crypto";
import * as v from "valibot";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";

/** The paths of one project's `.loop/`. */
export interface Project {
  /** The root of the worktree, links resolved. */
  readonly root: string;
  readonly folder: string;
}

/** The nearest parent folder that has a `.loop` or is a worktree. Needs no git command. */
export function findProject(from: string): Project {
  const start = realpathSync(from);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".loop")) || existsSync(join(folder, ".git"))) return projectAt(folder);
    if (dirname(folder) === folder) return projectAt(start);
  }
}

export function projectAt(root: string): Project {
  return { root, folder: join(root, ".loop") };
}

/** Creates `.loop/`, which ignores itself, so the user's own ignore file isn't touched. */
export function createProjectFolder(project: Project): void {
  const link = linkBelow(project, null);
  if (link !== null) throw new UnusablePath(link);
  mkdirSync(project.folder, { recursive: true });
  mkdirSync(join(project.folder, "loops"), { recursive: true, mode: 0o700 });
  keepPrivate(join(project.folder, "loops"));
  try {
    writeFileSync(join(project.folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

export function loopFolder(project: Project, id: LoopId): string {
  return join(project.folder, "loops", id);
}

/** Created before the journal begins: turns, evidence and notes are kept there, wherever the journal is. */
export function createLoopFolder(project: Project, id: LoopId): void {
  mkdirSync(loopFolder(project, id), { recursive: true, mode: 0o700 });
}

/**
 * Why a project's `.loop/` cannot be used; null if it can. A clone can contain links, and writing or deleting through one
 * would hit somebody else's files.
 */
export function linkBelow({ root, folder }: Project, id: LoopId | null): string | null {
  const loop =
    id === null ? [] : [id, ...["journal.jsonl", "runs", "evidence"].map((name) => join(id, name))];
  const used = [
    folder,
    ...["loops", "shape", ...loop.map((name) => join("loops", name))].map((name) => join(folder, name)),
  ];
  const link = used.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true);
  return link === undefined
    ? null
    : `${relative(root, link)} is a link, which is not followed; delete the link`;
}

/** Closes our folder to other users, even if an earlier version left it open. */
export function keepPrivate(path: string): void {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch {
    // It belongs to another user, who decides who may read it.
  }
}

/** Where somebody stands: in a project, in its root or in a folder below it. */
export interface CallerLocation {
  readonly project: Project;
  /** Below the project's root, with slashes. Empty for the root. */
  readonly folder: string;
}

/** Where a loop is opened from a folder: in the git worktree around it. Without git that folder is the project, whatever is above it. */
export function openingCallerLocation(from: string): CallerLocation {
  const here = realpathSync(from);
  return callerLocationIn(isInRepository(here) ? findProject(here) : projectAt(here), here);
}

/** Where a folder is, for whoever looks for what is there already. */
export function callerLocationAt(from: string): CallerLocation {
  const here = realpathSync(from);
  return callerLocationIn(findProject(here), here);
}

function callerLocationIn(project: Project, here: string): CallerLocation {
  return { project, folder: relative(project.root, here).split(sep).join("/") };
}

/** Where a loop's work happens. Its records may be elsewhere: a project has one `.loop/` but may have many worktrees. */
export interface WorkingDirectory {
  /** The top folder of the worktree: what digests and checkpoints cover. */
  readonly root: string;
  /** Where the agent and the checks work: the root, or a folder below it. */
  readonly folder: string;
}

/** `worktree` is set if the work happens in a worktree other than the project's; `folder` is relative to the worktree. */
export function workingDirectoryOf(
  project: Project,
  worktree: string | null,
  folder: string,
): WorkingDirectory {
  const root = worktree ?? project.root;
  return { root, folder: join(root, folder) };
}

/** A link in a project may lead anywhere, and nothing may run in a git folder. If a folder is gone, its commands will report it. */
export function isBelowRoot({ root, folder }: WorkingDirectory): boolean {
  if (folder === root) return true;
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    return !/^(\.\.|\.git)(\/|\\|$)/.test(inside) && !isAbsolute(inside);
  } catch {
    return true;
  }
}

const knownSchema = v.object({ root: v.string(), openedAt: v.string() });

type KnownProject = v.InferOutput<typeof knownSchema>;

/** Remembers where loops were opened, so they can be found from anywhere. */
export function rememberProject(home: string, root: string, now: number): void {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
  writePrivateJson(join(home, "projects", `${name}.json`), { root, openedAt: new Date(now).toISOString() });
}

export function knownProjects(home: string): readonly KnownProject[] {
  const folder = join(home, "projects");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => readJsonFile(join(folder, name), knownSchema) ?? []);
}

/** Whether a folder is in a git repository. Doesn't run git. */
export function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  return folder !== dirname(folder) && isInRepository(dirname(folder));
}
