import { changesBetween } from "./commit-changes.ts";
import { withObjects, type Repository } from "./repository.ts";
import { toText } from "../../system/tree/index-entries.ts";
import { isObjectId } from "../../system/git/git-files.ts";

export interface PatchLine {
  readonly kind: "added" | "removed" | "context";
  /** In the new file; null for a line that was removed. */
  readonly line: number | null;
  readonly text: string;
}

export interface PatchedFile {
  readonly path: string;
  readonly lines: readonly PatchLine[];
}

export const PATCH = [
  "--literal-pathspecs",
  ...["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=3"],
];

export interface Between {
  readonly from: string;
  readonly to: string;
}

/** The lines that these files differ in, in the order of the paths. Null when git doesn't say. */
export async function readDiff(
  repository: Repository,
  { from, to }: Between,
  paths: readonly string[],
): Promise<readonly PatchedFile[] | null> {
  const changes = await changesBetween(repository.root, from, to);
  if (changes === null) return null;
  const wanted = new Set(paths);
  const changed = changes.map(({ path }) => toText(path)).filter((path) => wanted.has(path));
  // Without a path, git would show them all.
  if (changed.length === 0) return [];
  try {
    const stdout = await withObjects(repository, async (store) =>
      store.run([...PATCH, from, to, "--", ...changed]),
    );
    return patchedFiles(stdout, changed);
  } catch {
    return null;
  }
}

/** Git lists files in one order everywhere; the names in a patch may be quoted. Null: it isn't a patch of these. */
export function patchedFiles(patch: Buffer, paths: readonly string[]): readonly PatchedFile[] | null {
  const sections = sectionsOf(toText(patch.toString("latin1")));
  if (sections.length !== paths.length) return null;
  return sections.map((section, index) => ({ path: paths[index] ?? "", lines: linesOf(section) }));
}

/** One for each file. A file that became a link has two parts under the same heading. Only a line feed ends a line of a patch. */
function sectionsOf(patch: string): readonly string[] {
  const byHeading = new Map<string, string>();
  for (const part of patch.split(/(?<=^|\n)(?=diff --git )/)) {
    if (!part.startsWith("diff --git ")) continue;
    const heading = part.slice(0, part.indexOf("\n"));
    byHeading.set(heading, `${byHeading.get(heading) ?? ""}${part}`);
  }
  return [...byHeading.values()];
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

function linesOf(section: string): readonly PatchLine[] {
  const lines: PatchLine[] = [];
  let next: number | null = null;
  for (const row of section.split("\n")) {
    if (row.startsWith("diff --git ")) next = null;
    const begins = HUNK.exec(row)?.[1];
    if (begins !== undefined) {
      next = Number(begins);
      continue;
    }
    if (next === null) continue;
    const text = row.slice(1).replace(/\r$/, "");
    if (row.startsWith("-")) lines.push({ kind: "removed", line: null, text });
    else if (row.startsWith("+") || row.startsWith(" ")) {
      lines.push({ kind: row.startsWith("+") ? "added" : "context", line: next, text });
      next += 1;
    }
  }
  return lines;
}

export interface ChangedLines {
  readonly path: string;
  /** null: not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

const NUMSTAT = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];

/** How many lines of which files each of these commits changes against its parent, with one git process for all of them. Null when git doesn't say. */
export async function changedLinesOf(
  repository: Repository,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly ChangedLines[]> | null> {
  if (!commits.every(isObjectId)) return null;
  if (commits.length === 0) return new Map();
  const input = Buffer.from(`${commits.join("\n")}\n`);
  try {
    const stdout = await withObjects(repository, async (store) =>
      store.run([...NUMSTAT, "--stdin"], { input }),
    );
    return linesByCommit(stdout);
  } catch {
    return null;
  }
}

function linesByCommit(stdout: Buffer): ReadonlyMap<string, readonly ChangedLines[]> {
  const changed = new Map<string, readonly ChangedLines[]>();
  let commit = "";
  for (const part of stdout.toString("latin1").split("\0")) {
    if (isObjectId(part)) commit = part;
    const lines = parseNumstat(part);
    if (isObjectId(part) || lines.length > 0) changed.set(commit, [...(changed.get(commit) ?? []), ...lines]);
  }
  return changed;
}

/** How many lines of which files differ between two commits. */
export async function changedLinesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedLines[] | null> {
  return [from, to].every(isObjectId) ? numstat(repository, from, to) : null;
}

async function numstat(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly ChangedLines[] | null> {
  if (from === to) return [];
  try {
    const stdout = await withObjects(repository, async (store) => store.read([...NUMSTAT, from, to]));
    return parseNumstat(stdout.toString("latin1"));
  } catch {
    return null;
  }
}

function parseNumstat(text: string): readonly ChangedLines[] {
  return text.split("\0").flatMap((line) => {
    const [, added, removed, path] = /^(\d+|-)\t(\d+|-)\t([^]+)$/.exec(line) ?? [];
    if (added === undefined || removed === undefined || path === undefined) return [];
    return [{ path: toText(path), added: countOf(added), removed: countOf(removed) }];
  });
}

function countOf(text: string): number | null {
  return text === "-" ? null : Number(text);
}
