import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { runCommand } from "../process/run-command.ts";
import { copyTree } from "./copy-tree.ts";
import { gitFoldersOf, isWithin } from "./covered-folders.ts";
import type { BareRoom } from "./overlay-room.ts";

export interface CopyRoomOptions {
  /** Without symbolic links. */
  readonly root: string;
  readonly scratch: string;
  readonly signal: AbortSignal | undefined;
}

/** The project copied to another path, for machines that can't do better. */
export async function openCopyRoom({ root, scratch, signal }: CopyRoomOptions): Promise<BareRoom> {
  const base = join(scratch, "project");
  await copyTree({ from: root, to: base, signal });
  await bringGitAlong({ root, base, signal });
  return {
    base,
    async run(options) {
      const cwd = isWithin(options.cwd, root) ? join(base, relative(root, options.cwd)) : options.cwd;
      return runCommand({ ...options, cwd });
    },
    async close() {},
  };
}

/** A git folder elsewhere would still be the real one. The copy gets its own, including objects, because git touches borrowed ones. */
async function bringGitAlong(options: {
  readonly root: string;
  readonly base: string;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  const { root, base, signal } = options;
  const [common, own] = await gitFoldersOf(root);
  if (common === undefined || own === undefined || isWithin(common, root)) return;
  const git = join(base, ".git");
  await rm(git, { recursive: true, force: true });
  await copyTree({ from: common, to: git, without: ["worktrees", "modules"], signal });
  if (own !== common) await copyTree({ from: own, to: git, without: ["commondir", "gitdir"], signal });
  const config = await readFile(join(git, "config"), "utf8");
  await writeFile(join(git, "config"), config.replaceAll(/^\s*(worktree|bare)\s*=.*$/gim, ""));
}
