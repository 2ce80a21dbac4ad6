import { existsSync } from "node:fs";
import { diskPath } from "./checkpoint-files.ts";

/** A `.gitignore`, which decides what else there is. */
export function isRules(path: string): boolean {
  return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** Rules on the disk, in the folders of these files, that are not among them: rules can ignore themselves. */
export function rulesBeside(root: string, files: Iterable<string>): readonly string[] {
  const folders = new Set([""]);
  const listed = new Set<string>();
  let last = "";
  for (const path of files) {
    if (isRules(path)) listed.add(path);
    let folder = path.slice(0, path.lastIndexOf("/") + 1);
    if (folder === last) continue;
    last = folder;
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  const rules = [...folders].map((folder) => `${folder}.gitignore`);
  return rules.filter((path) => !listed.has(path) && existsSync(diskPath(root, path)));
}
