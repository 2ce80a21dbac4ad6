import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NamedCheck } from "../checks/run-checks.ts";
import { checkpointsOfLoop } from "../checkpoints/refs.ts";
import type { Evidence } from "../core/criterion.ts";
import { describeCommand } from "../core/criterion.ts";
import { filesAt } from "../meaning/files-at.ts";
import { findDefinitions } from "../meaning/find-definitions.ts";
import type { TestReport } from "../test-reports/test-report.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import type { Listing, Place } from "./kept-files.ts";
import { keepFiles, listNow } from "./kept-files.ts";
import type { CheckMeaning, Opening, StartLook, WhichOpening } from "./opening-record.ts";
import { openingsFolder, readOpening, writeOpening } from "./opening-record.ts";

export interface OpeningOptions {
  readonly place: Place;
  readonly which: Omit<WhichOpening, "name">;
  /** Where the checks run, relative to the worktree's root. */
  readonly folder: string;
  readonly now: number;
  /** The files, for those who have just looked. */
  readonly reading: TreeReading | null;
  /** What the checks showed before the work, where they were asked. */
  readonly looked?: {
    readonly evidence: ReadonlyMap<string, Evidence>;
    readonly reports: ReadonlyMap<string, TestReport | null>;
  };
}

/**
 * Keeps the moment from which these checks are held to the work: all files, and what defines each check. Written before
 * anybody hears of the loop, the frame or the criterion. `isFrame`: it is the moment of a whole frame, too.
 */
export async function takeOpening(
  options: OpeningOptions,
  checks: readonly NamedCheck[],
  { isFrame }: { readonly isFrame: boolean },
): Promise<void> {
  const { place, which, now, reading } = options;
  const stamp = `${which.depth}-${now}`;
  const kept = await keepFiles(
    place,
    {
      ref: `${checkpointsOfLoop(which.id)}/opening-${stamp}`,
      folder: join(openingsFolder(which), `files-${stamp}`),
      message: `The opening of ${which.id}`,
    },
    reading,
  );
  const base = { at: now, kept, approved: [] };
  if (isFrame) writeOpening({ ...which, name: null }, { ...base, meaning: null, start: null });
  if (checks.length === 0) return;
  const listing = reading === null ? new Map<string, string>() : listNow(reading);
  for (const { name, check } of checks) {
    const meaning = await meaningOf(options, listing, check.command);
    writeOpening({ ...which, name }, { ...base, meaning, start: startOf(options, name) });
  }
}

/** Adds how the checks stood before the work, where that was found out later. */
export function noteStart(
  which: Omit<WhichOpening, "name">,
  looked: NonNullable<OpeningOptions["looked"]>,
): void {
  for (const [name, evidence] of looked.evidence) {
    const opening = readOpening({ ...which, name });
    if (opening === null || opening.start !== null) continue;
    writeOpening(
      { ...which, name },
      { ...opening, start: lookOf(evidence, looked.reports.get(name) ?? null) },
    );
  }
}

function startOf({ looked }: OpeningOptions, name: string): Opening["start"] {
  const evidence = looked?.evidence.get(name);
  return evidence === undefined ? null : lookOf(evidence, looked?.reports.get(name) ?? null);
}

function lookOf({ passed, exitCode }: Evidence, report: TestReport | null): StartLook {
  return { passed, exitCode, report };
}

async function meaningOf(
  { place: { root }, folder }: OpeningOptions,
  listing: Listing,
  command: NamedCheck["check"]["command"],
): Promise<CheckMeaning> {
  const files = filesAt(root, [...listing.keys()], listing);
  const { definitions, runsTests, leftOut } = await findDefinitions({ command, files, folder, root });
  const unlisted: Record<string, string> = {};
  for (const { path, digest } of definitions) {
    if (digest === null || listing.has(path)) continue;
    const content = await readFile(join(root, path)).catch(() => null);
    if (content !== null && content.length <= LARGEST_UNLISTED_BYTES)
      unlisted[path] = content.toString("base64");
  }
  return { command: describeCommand(command), definitions, runsTests, leftOut, unlisted };
}

const LARGEST_UNLISTED_BYTES = 1024 * 1024;
