import { createHash } from "node:crypto";
import { cpSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { makeSharedFolder } from "./temporary-folder.ts";

/** Repositories that were made here before, by what was committed. */
const made = new Map<string, string>();

/**
 * Makes a folder a repository whose first commit holds all of it. One of the same files is copied from the one before:
 * most tests of a file begin alike, and three processes each add up.
 */
export function commitInto(folder: string, git: (...args: readonly string[]) => string): void {
  const contents = digestOf(folder);
  const template = made.get(contents);
  if (template !== undefined) {
    cpSync(template, join(folder, ".git"), { recursive: true });
    // The files here are not the ones that the copied index has seen.
    git("update-index", "-q", "--refresh");
    return;
  }
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "start");
  const copy = join(templates(), contents);
  cpSync(join(folder, ".git"), copy, { recursive: true });
  made.set(contents, copy);
}

let home: string | null = null;

function templates(): string {
  home ??= makeSharedFolder("templates");
  return home;
}

function digestOf(folder: string): string {
  const digest = createHash("sha256");
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const full = join(folder, path);
    const stat = lstatSync(full);
    digest.update(JSON.stringify([path, stat.mode, stat.size]));
    if (stat.isFile()) digest.update(readFileSync(full));
    if (stat.isSymbolicLink()) digest.update(readlinkSync(full));
  }
  return digest.digest("hex");
}
