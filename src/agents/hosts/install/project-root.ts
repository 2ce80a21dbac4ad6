import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The root of the worktree, which is where an agent is usually started. */
export function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
