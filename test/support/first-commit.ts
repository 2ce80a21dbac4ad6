import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** Removed when the process ends. */
function templates(): string {
  if (home !== null) return home;
  const made = mkdtempSync(join(tmpdir(), "loopwright-templates-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  home = made;
  return made;
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
