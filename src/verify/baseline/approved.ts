import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpointsOfLoop } from "../../worktrees/checkpoints/refs.ts";
import type { DefinitionChange } from "../definitions/definition.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import type { ComparedCheck, Comparison } from "./compare.ts";
import { keepFiles, listKept, type Place } from "./kept-files.ts";
import { baselinesFolder, writeBaseline, type Baseline, type WhichFrame } from "./baseline-record.ts";

/**
 * From now on the changed tests and definitions, as they are at this moment, belong to the opening. Earlier test reports are
 * about the earlier tests, so they are dropped if those changed.
 */
export async function moveBaseline(
  place: Place,
  which: WhichFrame,
  comparison: Comparison,
  { now, reading }: { readonly now: number; readonly reading: TreeReading | null },
): Promise<void> {
  const moved = [...comparison.checks].filter(([, { changes }]) => changes.length > 0);
  if (moved.length === 0) return;
  const stamp = `${which.depth}-${now}`;
  const kept = await keepFiles(
    place,
    {
      ref: `${checkpointsOfLoop(which.id)}/approved-${stamp}`,
      folder: join(baselinesFolder(which), `approved-${stamp}`),
      message: `Approved in ${which.id}`,
    },
    reading,
  );
  if (kept.type === "none") throw new Error(kept.why);
  for (const [name, check] of moved) {
    const { baseline, changes } = check;
    if (baseline.meaning === null) continue;
    const paths = [...new Set(changes.map(({ path }) => path))];
    writeBaseline(
      { ...which, name, command: baseline.meaning.command },
      {
        ...baseline,
        approved: [...baseline.approved, { kept, paths }],
        meaning: {
          ...baseline.meaning,
          definitions: check.definitions,
          unlisted: await unlistedNow(place, comparison, check),
        },
        start: startSince(baseline, changes),
      },
    );
  }
}

/** A failure without tests came from the earlier definitions; whether the current ones would fail is unknown. */
function startSince({ start, meaning }: Baseline, changes: readonly DefinitionChange[]): Baseline["start"] {
  if (start === null) return null;
  if (!start.passed && meaning?.runsTests !== true) return null;
  return changes.some(isTest) ? { ...start, report: null } : start;
}

function isTest({ kind }: DefinitionChange): boolean {
  return kind === "test" || kind === "inline";
}

async function unlistedNow(
  { root }: Place,
  { now }: Comparison,
  { baseline, changes }: ComparedCheck,
): Promise<{ readonly [path: string]: string }> {
  const unlisted = { ...baseline.meaning?.unlisted };
  for (const { path } of changes) {
    if (now.has(path)) {
      delete unlisted[path];
      continue;
    }
    const content = await readFile(join(root, path)).catch(() => null);
    if (content === null) delete unlisted[path];
    else unlisted[path] = content.toString("base64");
  }
  return unlisted;
}

/**
 * A check whose opening moves for files that a person approved in another loop. What is exactly as approved is judged no more;
 * anything else is judged by what was approved, the last one.
 */
export async function withApproved(
  place: Place,
  { now }: Pick<Comparison, "now">,
  check: ComparedCheck,
  approved: Baseline["approved"],
): Promise<ComparedCheck> {
  const versions = new Map<string, string | undefined>();
  for (const { kept, paths } of approved) {
    const { listing } = await listKept(place, kept);
    for (const path of paths) versions.set(path, listing.get(path));
  }
  const changes = check.changes.filter(({ path }) => versions.has(path));
  if (changes.length === 0) return check;
  const { baseline } = check;
  const { listing: then } = await listKept(place, baseline.kept);
  // Files that git ignores are in no listing, which says nothing about them.
  const isListed = (path: string): boolean => then.has(path) || now.has(path);
  const isAsApproved = (path: string): boolean =>
    versions.has(path) && isListed(path) && versions.get(path) === now.get(path);
  return {
    ...check,
    baseline: {
      ...baseline,
      approved: [...baseline.approved, ...approved],
      start: startSince(baseline, changes),
    },
    judged: check.judged.filter(({ path }) => !isAsApproved(path)),
  };
}
