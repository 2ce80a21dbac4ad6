import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { namesIn, realOrSame } from "../../system/files/folders.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { readOrEmpty } from "../../system/files/read-file.ts";
import { runGit } from "../../system/git/run-git.ts";

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
