import { existsSync } from "node:fs";
import { foldersOf } from "../../system/tree/ignored-files.ts";
import { diskPath } from "../../system/tree/index-entries.ts";

/** A `.gitignore`, which decides what else is listed. */
export function isRules(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** Rules on disk, in the folders of these files, that aren't in the list, because rules can ignore themselves. */
export function rulesBeside(root: string, files: readonly string[]): readonly string[] {
  const listed = new Set(files.filter(isRules));
  const rules = [...foldersOf(files)].map((folder) => `${folder}.gitignore`);
  return rules.filter((path) => !listed.has(path) && existsSync(diskPath(root, path)));
}
