import { realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isFolderBelowRoot } from "../../core/loop/folder.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AskedLoop } from "./open-loop.ts";

/** What is asked for, as a frame of a loop: it works where the loop does, and its checks run where they were typed. */
export function inFrameOf(
  { cwd }: Pick<Machine, "cwd">,
  { live, workplace }: LockedLoop,
  asked: AskedLoop,
): AskedLoop {
  const work = { worktree: workplace.root, folder: live.loop.folder };
  const folder = folderBelow(workplace.root, cwd);
  if (folder === null || folder === work.folder) return { ...asked, work };
  const criteria = asked.criteria.map(({ name, check }) => ({
    name,
    check: check === null ? null : { ...check, folder },
  }));
  return { ...asked, work, criteria };
}

/** null: it lies elsewhere, where no check of this loop runs. */
function folderBelow(root: string, path: string): string | null {
  const inside = relative(realpathSync(root), realpathSync(path)).split(sep).join("/");
  return isAbsolute(inside) || /^\.git(?:\/|$)/.test(inside) || !isFolderBelowRoot(inside) ? null : inside;
}
