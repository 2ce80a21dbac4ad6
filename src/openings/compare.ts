import type { Criterion } from "../core/criterion.ts";
import { describeCommand } from "../core/criterion.ts";
import type {
  Before,
  ChangedFiles,
  Changes,
  CheckChanges,
  DefinitionChanged,
  Shortfall,
} from "../core/proof.ts";
import type { Definition, DefinitionChange } from "../meaning/definition.ts";
import { changedDefinitions } from "../meaning/definition.ts";
import { nameOfDefinition } from "../meaning/definition-lines.ts";
import { filesAt } from "../meaning/files-at.ts";
import { findDefinitions } from "../meaning/find-definitions.ts";
import { kindOf } from "../meaning/path-kind.ts";
import type { CountFinding } from "../test-reports/compare-reports.ts";
import { compareReports, ranNothing } from "../test-reports/compare-reports.ts";
import type { TestReport } from "../test-reports/test-report.ts";
import { parsePathGlob } from "../tree/path-glob.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import type { Listing, Place } from "./kept-files.ts";
import { listKept, listNow } from "./kept-files.ts";
import type { Opening, WhichOpening } from "./opening-record.ts";
import { readOpening } from "./opening-record.ts";

/** A check beside its opening. */
export interface ComparedCheck {
  readonly opening: Opening;
  /** As they are now. */
  readonly definitions: readonly Definition[];
  readonly changes: readonly DefinitionChange[];
  /** Those of `changes` that the opening's judge undoes. */
  readonly judged: readonly DefinitionChange[];
  /** The parts of shared files that define it, now or then. */
  readonly parts: readonly { readonly path: string; readonly part: string }[];
}

/** A frame's checks and the project's files beside their openings. */
export interface Comparison {
  readonly changes: Changes;
  readonly checks: ReadonlyMap<string, ComparedCheck>;
  /** Every file as it is now. */
  readonly now: Listing;
}

export interface CompareOptions {
  readonly place: Place;
  readonly which: Omit<WhichOpening, "name">;
  readonly folder: string;
  readonly criteria: readonly Criterion[];
  readonly mayChange: readonly string[];
  readonly reading: TreeReading | null;
  /** What the checks' own runs said of tests. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
}

const EARLIER = "it was opened by a version that kept no opening, so nothing shows what changed since";

/** What became of the checks and the files since the opening. */
export async function compareWithOpening(options: CompareOptions): Promise<Comparison> {
  const { place, which, reading } = options;
  const frame = readOpening({ ...which, name: null });
  if (frame === null) return nothingToCompare(EARLIER);
  try {
    const now = listNow(reading);
    const then = await listKept(place, frame.kept);
    const checks = await comparedChecks(options, now);
    if (typeof checks === "string") return nothingToCompare(checks);
    const all = [...checks.values()].flatMap(({ changes }) => changes);
    const isExempt = await matcherOf(options.mayChange);
    return {
      now,
      checks,
      changes: {
        missing: null,
        files: changedFiles(then, now, all),
        checks: new Map(
          [...checks].map(([name, check]) => [
            name,
            checkChanges(check, options.reports.get(name) ?? null, isExempt),
          ]),
        ),
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return nothingToCompare(`its opening cannot be read any more: ${why}`);
  }
}

function nothingToCompare(missing: string): Comparison {
  return { now: new Map(), checks: new Map(), changes: { missing, checks: new Map(), files: null } };
}

/** By name; the reason instead where one of them has no opening. */
async function comparedChecks(
  options: CompareOptions,
  now: Listing,
): Promise<ReadonlyMap<string, ComparedCheck> | string> {
  const { place, which, folder, criteria, mayChange } = options;
  const isExempt = await matcherOf(mayChange);
  const files = filesAt(place.root, [...now.keys()], now);
  const compared = new Map<string, ComparedCheck>();
  for (const { name, check } of criteria) {
    if (check === null) continue;
    const opening = readOpening({ ...which, name });
    if (opening?.meaning == null || opening.meaning.command !== describeCommand(check.command))
      return EARLIER;
    const known = opening.meaning.definitions;
    const { definitions } = await findDefinitions({
      command: check.command,
      files,
      folder,
      root: place.root,
      known,
    });
    const changes = withoutMoved(changedDefinitions(known, definitions));
    compared.set(name, {
      opening,
      definitions,
      changes,
      judged: changes.filter(({ path }) => !isExempt(path)),
      parts: definitions.flatMap(({ path, part, kind }) =>
        part === null || kind === "inline" ? [] : [{ path, part }],
      ),
    });
  }
  return compared;
}

/** A test inside a source file moves with what it tests; only its name counts. New ones are no change of those that judge. */
function withoutMoved(changes: readonly DefinitionChange[]): readonly DefinitionChange[] {
  const added = new Set(changes.filter(isInline("added")).map(({ part }) => part));
  return changes.filter(
    (each) =>
      each.kind !== "inline" ||
      (each.change !== "added" && !(isInline("removed")(each) && added.has(each.part))),
  );
}

function isInline(change: DefinitionChange["change"]): (each: DefinitionChange) => boolean {
  return (each) => each.kind === "inline" && each.change === change;
}

function checkChanges(
  { opening, changes }: ComparedCheck,
  report: TestReport | null,
  isExempt: (path: string) => boolean,
): CheckChanges {
  const before = beforeOf(opening, report);
  return {
    before,
    definitions: changes.map((each): DefinitionChanged => ({
      name: nameOfDefinition(each),
      path: each.path,
      isTest: each.kind === "test" || each.kind === "inline",
      change: each.change,
      isExempt: isExempt(each.path),
    })),
    shortfalls: shortfallsOf(opening, report, before),
  };
}

/** The shell's own: what is called cannot be executed, or is not there. */
export const CANNOT_RUN: ReadonlySet<number> = new Set([126, 127]);

function beforeOf({ start, meaning }: Opening, report: TestReport | null): Before {
  if (start === null) return "unknown";
  if (start.passed) return "green";
  const isSilent = start.report === null && meaning?.runsTests === true;
  const neverRan = start.exitCode === null || CANNOT_RUN.has(start.exitCode);
  return neverRan || isSilent || ranNothing(start.report, report) ? "unrun" : "red";
}

const UNCLEAR = new Set<CountFinding["kind"]>(["other-names", "partial", "more-reports"]);

function shortfallsOf(
  { start, meaning }: Opening,
  report: TestReport | null,
  before: Before,
): readonly Shortfall[] | null {
  const then = start?.report ?? null;
  if (then === null && report === null) {
    if (meaning?.runsTests !== true || before === "green" || before === "red") return null;
    return [{ text: "It runs tests and prints no report of them that can be read.", isClear: false }];
  }
  return compareReports(then, report)
    .filter(({ isNew }) => isNew)
    .map(({ kind, text }) => ({ text, isClear: !UNCLEAR.has(kind) }));
}

/** What a run with the opening's tests lacks of those that the opening executed. */
export function shortfallOfJudge({ start }: Opening, report: TestReport | null): string | null {
  const found = compareReports(start?.report ?? null, report).filter(
    ({ isNew, kind }) => isNew && !UNCLEAR.has(kind),
  );
  return found.length === 0 ? null : found.map(({ text }) => text).join(" ");
}

function changedFiles(then: Listing, now: Listing, changes: readonly DefinitionChange[]): ChangedFiles {
  const differ = [...new Set([...then.keys(), ...now.keys()])]
    .filter((path) => then.get(path) !== now.get(path))
    .toSorted();
  const present = differ.filter((path) => now.has(path));
  const ofKind = (kind: ReturnType<typeof kindOf>): readonly string[] =>
    present.filter((path) => kindOf(path, changes) === kind);
  return {
    source: ofKind("source"),
    tests: ofKind("test"),
    definitions: ofKind("definition"),
    deleted: differ.filter((path) => !now.has(path)),
  };
}

async function matcherOf(globs: readonly string[]): Promise<(path: string) => boolean> {
  const parsed = await Promise.all(globs.map((glob) => parsePathGlob(glob)));
  return (path) => parsed.some((glob) => glob.matches(path));
}
