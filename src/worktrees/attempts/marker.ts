import { createHash } from "node:crypto";
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as v from "valibot";
import { parseLoopId, type LoopId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { namesIn, realOrSame } from "../../system/files/folders.ts";
import { sweepDrafts } from "../../system/files/write-atomically.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { readOrEmpty } from "../../system/files/read-file.ts";
import { runGit } from "../../system/git/run-git.ts";

/** Which worktree is meant. Its name is of an attempt, such as `T-001-1`, or of what else works beside the user. */
export interface WorktreeName {
  readonly stateHome: string;
  /** Of the user's project. */
  readonly root: string;
  readonly loop: LoopId;
  readonly name: string;
}

/** Says, outside the worktree, that it is ours. No folder without one is ever removed. */
export interface Marker {
  readonly root: string;
  readonly loop: LoopId;
  readonly name: string;
  /** The commit that the work began at. */
  readonly commit: string;
  /** `making`: nobody has worked in it yet. `removing`: all that it held is kept elsewhere. */
  readonly stage: "making" | "ready" | "removing";
}

const schema = v.object({
  root: v.string(),
  loop: v.pipe(
    v.string(),
    v.check((text) => parseLoopId(text) !== null),
    v.transform((text) => text as LoopId),
  ),
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w-]{0,63}$/)),
  commit: v.string(),
  stage: v.picklist(["making", "ready", "removing"]),
});

const ENDING = ".json";

export function attemptName(task: string, attempt: number): string {
  return `${task}-${attempt}`;
}

export function worktreePath(which: WorktreeName): string {
  if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(which.name)) throw new Error(`${which.name} can't name a worktree`);
  return join(projectFolder(which), which.loop, which.name);
}

/** The folder for all worktrees of a project. */
export function projectFolder({ stateHome, root }: Pick<WorktreeName, "stateHome" | "root">): string {
  return join(stateHome, "worktrees", createHash("sha256").update(root).digest("hex").slice(0, 16));
}

/** Null when there is none, or it is about another worktree. */
export function readMarker(which: WorktreeName): Marker | null {
  const marker = readJsonFile(markerPath(which), schema);
  const isOurs =
    marker !== null && marker.root === which.root && marker.loop === which.loop && marker.name === which.name;
  return isOurs ? marker : null;
}

export function writeMarker(which: WorktreeName, said: Pick<Marker, "commit" | "stage">): void {
  const { root, loop, name } = which;
  writePrivateJson(markerPath(which), { root, loop, name, ...said } satisfies Marker);
}

export function removeMarker(which: WorktreeName): void {
  rmSync(markerPath(which), { force: true });
  sweepDrafts(dirname(markerPath(which)));
}

export function markersOf(project: Pick<WorktreeName, "stateHome" | "root">): readonly Marker[] {
  const folder = projectFolder(project);
  return namesIn(folder).flatMap((loopName) => {
    const loop = parseLoopId(loopName);
    if (loop === null) return [];
    const files = namesIn(join(folder, loop)).filter((file) => file.endsWith(ENDING));
    return files.flatMap(
      (file) => readMarker({ ...project, loop, name: file.slice(0, -ENDING.length) }) ?? [],
    );
  });
}

/** The first of the folders down to the worktree that is a link, or no folder: nothing is done through it. */
export function linkOnTheWay(which: WorktreeName): string | null {
  const project = projectFolder(which);
  const folders = [
    join(which.stateHome, "worktrees"),
    project,
    join(project, which.loop),
    worktreePath(which),
  ];
  const isOdd = (path: string): boolean => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isDirectory();
  };
  return folders.find(isOdd) ?? null;
}

function markerPath(which: WorktreeName): string {
  return `${worktreePath(which)}${ENDING}`;
}

/** Whether a worktree and the repository know each other: its `.git` leads to a folder there that leads back. */
export function isLinked(root: string, worktree: string): boolean {
  const own = findGitFolders(worktree);
  const repository = findGitFolders(root);
  if (own === null || repository === null) return false;
  return (
    realOrSame(own.commonFolder) === realOrSame(repository.commonFolder) && leadsTo(own.gitFolder, worktree)
  );
}

/** What the repository keeps of a worktree: its HEAD and index. Null when that was pruned. */
export function adminFolder(root: string, worktree: string): string | null {
  const repository = findGitFolders(root);
  if (repository === null) return null;
  const folder = join(repository.commonFolder, "worktrees");
  return (
    namesIn(folder)
      .map((name) => join(folder, name))
      .find((each) => leadsTo(each, worktree)) ?? null
  );
}

/** Of a git that was killed there. Nobody works in the worktree. */
export function dropLocks(root: string, worktree: string): void {
  const admin = adminFolder(root, worktree);
  if (admin === null) return;
  for (const name of ["index.lock", "HEAD.lock"]) rmSync(join(admin, name), { force: true });
}

/**
 * Brings the link back after an agent deleted the worktree's `.git`, or git pruned what the repository kept of it. Files are left as
 * they are. False when something else is there in the place of `.git`.
 */
export async function mendLink(root: string, worktree: string, commit: string): Promise<boolean> {
  const file = join(worktree, ".git");
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) return false;
  const admin = adminFolder(root, worktree) ?? (await newAdmin(root, worktree, commit));
  if (admin === null) return false;
  if (found !== undefined) rmSync(file);
  writeFileSync(file, `gitdir: ${admin}\n`, { flag: "wx" });
  return isLinked(root, worktree);
}

/** Git makes one only together with a folder, which is then exchanged for the worktree's. */
async function newAdmin(root: string, worktree: string, commit: string): Promise<string | null> {
  const draft = `${worktree}.mending`;
  rmSync(draft, { recursive: true, force: true });
  const args = ["worktree", "add", "--force", "--force", "--no-checkout", "--detach", draft, commit];
  const { ok } = await runGit({ root, args });
  const admin = ok ? adminFolder(root, draft) : null;
  if (admin !== null) writeFileSync(join(admin, "gitdir"), `${join(worktree, ".git")}\n`);
  rmSync(draft, { recursive: true, force: true });
  return admin;
}

function leadsTo(admin: string, worktree: string): boolean {
  const target = readOrEmpty(join(admin, "gitdir")).trimEnd();
  if (target === "") return false;
  // Later versions of git may write a relative path.
  const full = target.startsWith("/") || /^[a-z]:/i.test(target) ? target : join(admin, target);
  return relative(realOrSame(worktree), realOrSame(full.replace(/[\\/]\.git$/, ""))) === "";
}
