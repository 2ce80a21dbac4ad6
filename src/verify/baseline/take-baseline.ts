import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Examination, NamedCheck } from "../checks/run-checks.ts";
import { checkpointsOfLoop } from "../../worktrees/checkpoints/refs.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { filesAt } from "../definitions/project-files.ts";
import { findDefinitions } from "../definitions/find-definitions.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { builtAtStart } from "./built-files.ts";
import { keepFiles, listNow, type Listing, type Place } from "./kept-files.ts";
import { noteWritten } from "./loop-baselines.ts";
import type { CheckDefinitions, Baseline, StartLook, WhichFrame } from "./baseline-record.ts";
import { baselinesFolder, readBaseline, writeBaseline } from "./baseline-record.ts";

type Looked = Pick<Examination, "evidence" | "reports" | "unrun"> & Partial<Pick<Examination, "written">>;

export interface BaselineOptions {
  readonly place: Place;
  readonly which: WhichFrame;
  /** Where the checks run, relative to the worktree's root. */
  readonly folder: string;
  readonly now: number;
  /** The files, if the caller just read them. */
  readonly reading: TreeReading | null;
  /** The results of the checks before the work, if they ran. */
  readonly looked?: Looked;
}

/**
 * Keeps the moment these checks are compared with: all files, and what defines each check. Written before anybody learns of the
 * loop, the frame or the criterion. `isFrame`: also the opening of a whole frame.
 */
export async function takeBaseline(
  options: BaselineOptions,
  checks: readonly NamedCheck[],
  { isFrame }: { readonly isFrame: boolean },
): Promise<void> {
  const { place, which, now, reading } = options;
  const stamp = `${which.depth}-${now}`;
  const where = {
    ref: `${checkpointsOfLoop(which.id)}/opening-${stamp}`,
    folder: join(baselinesFolder(which), `files-${stamp}`),
    message: `The opening of ${which.id}`,
  };
  // While git saves the files, there is time to find what defines the checks.
  const [kept, meanings] = await Promise.all([
    keepFiles(place, where, reading),
    checks.length === 0 ? [] : meaningsOf(options, checks),
  ]);
  const base = { at: now, kept, approved: [] };
  if (isFrame)
    writeBaseline({ ...which, name: null, command: null }, { ...base, meaning: null, start: null });
  for (const [name, meaning] of meanings)
    writeBaseline(
      { ...which, name, command: meaning.command },
      { ...base, meaning, start: startOf(options, name) },
    );
  noteWritten(which, [...(options.looked?.written?.values() ?? [])].flat());
}

async function meaningsOf(
  options: BaselineOptions,
  checks: readonly NamedCheck[],
): Promise<readonly (readonly [name: string, meaning: CheckDefinitions])[]> {
  const listing = options.reading === null ? new Map<string, string>() : listNow(options.reading);
  const meanings: [string, CheckDefinitions][] = [];
  for (const named of checks) meanings.push([named.name, await meaningOf(options, listing, named)]);
  return meanings;
}

/** Adds the results from before the work, if they came later. */
export function noteStart(
  which: WhichFrame,
  looked: Looked,
  { isAgents }: Pick<StartLook, "isAgents">,
): void {
  for (const [name, { command }] of looked.evidence) {
    const one = { ...which, name, command };
    const baseline = readBaseline(one);
    if (baseline === null || baseline.start !== null) continue;
    writeBaseline(one, { ...baseline, start: lookOf(looked, name, isAgents) });
  }
}

function startOf({ looked }: BaselineOptions, name: string): Baseline["start"] {
  return looked === undefined ? null : lookOf(looked, name, false);
}

function lookOf({ evidence, reports, unrun }: Looked, name: string, isAgents: boolean): StartLook | null {
  const shown = evidence.get(name);
  if (shown === undefined) return null;
  const { passed, exitCode, at: endedAt } = shown;
  const report = reports.get(name) ?? null;
  return { passed, exitCode, report, neverBegan: unrun.has(name), isAgents, endedAt };
}

async function meaningOf(
  { place: { root }, folder: usual, looked }: BaselineOptions,
  listing: Listing,
  { name, check }: NamedCheck,
): Promise<CheckDefinitions> {
  const files = filesAt(root, [...listing.keys()], listing);
  const { command, folder = usual } = check;
  const { definitions, runsTests, leftOut } = await findDefinitions({ command, files, folder, root });
  const unlisted: Record<string, string> = {};
  for (const { path, digest } of definitions) {
    if (digest === null || listing.has(path)) continue;
    const content = await readFile(join(root, path)).catch(() => null);
    if (content !== null && content.length <= LARGEST_UNLISTED_BYTES)
      unlisted[path] = content.toString("base64");
  }
  const built = looked === undefined ? [] : await builtAtStart(root, name, { looked, definitions });
  return { command: describeCheck(check), definitions, runsTests, leftOut, built, unlisted };
}

const LARGEST_UNLISTED_BYTES = 1024 * 1024;
