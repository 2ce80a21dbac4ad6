import { describeCheck, type Criterion, type Evidence } from "../../core/loop/criterion.ts";
import { BUILD_SCRIPT, asksForTests, namesWork, removedAsAsked } from "../../core/spec/asked-changes.ts";
import { isProse } from "../../core/spec/goes-along.ts";
import type { ChangedFiles, Changes, Shortfall } from "../../core/loop/proof.ts";
import { changedDefinitions, type Definition, type DefinitionChange } from "../definitions/definition.ts";
import { filesAt, nameOf } from "../definitions/project-files.ts";
import { findDefinitions, type FoundDefinitions } from "../definitions/find-definitions.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { isCode, isJudge, plainTests } from "../definitions/test-files.ts";
import type { TestReport } from "../reports/test-report.ts";
import { pathMatcher } from "../../system/tree/path-glob.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { namesFile } from "../violations/suppressions.ts";
import { builtAmong } from "./built-files.ts";
import { doubtsOf } from "./doubts.ts";
import { listKept, listNow, type Listing, type Place } from "./kept-files.ts";
import { readBaseline, type Baseline, type WhichFrame } from "./baseline-record.ts";
import { writtenFiles } from "./loop-baselines.ts";
import { shadowsOf } from "./shadowed-modules.ts";
import { checkChanges, type OwnRun } from "./shortfalls.ts";

/** A check compared with its opening. */
export interface ComparedCheck {
  readonly baseline: Baseline;
  /** The current ones. */
  readonly definitions: readonly Definition[];
  readonly changes: readonly DefinitionChange[];
  /** The `changes` that the opening's judge undoes. */
  readonly judged: readonly DefinitionChange[];
  /** The changed files that it, its rules or a compiler makes. */
  readonly built: ReadonlySet<string>;
  /** The parts of shared files that define it, now or then. */
  readonly parts: readonly { readonly path: string; readonly part: string }[];
  readonly doubts: readonly Shortfall[];
  /** The scripts that it runs, by themselves or through a runner. */
  readonly scripts: FoundDefinitions["scripts"];
  readonly lastScript: FoundDefinitions["lastScript"];
  /** Those of them that a runner runs, each as one test. */
  readonly plainTests: readonly string[];
  readonly code: FoundDefinitions["code"];
  readonly sourceJudges: FoundDefinitions["sourceJudges"];
}

/** A frame's checks and the project's files compared with their openings. */
export interface Comparison {
  readonly changes: Changes;
  readonly checks: ReadonlyMap<string, ComparedCheck>;
  /** Every current file. */
  readonly now: Listing;
  /** The changed files that a check or a compiler makes. */
  readonly built: ReadonlySet<string>;
  /** The spec asks for tests. */
  readonly wantsTests: boolean;
  /** The files that are gone because the spec asks for it, and tests that may go. */
  readonly removed: readonly string[];
}

export interface CompareOptions {
  readonly place: Place;
  readonly which: WhichFrame;
  readonly folder: string;
  readonly criteria: readonly Pick<Criterion, "name" | "check">[];
  readonly mayChange: readonly string[];
  /** A file that it names is the work, where it might also be what judges. */
  readonly spec: string;
  readonly reading: TreeReading | null;
  /** Test reports and results of the checks' own runs. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
  readonly evidence: ReadonlyMap<string, Pick<Evidence, "alteredTree">>;
}

/** For callers that only want the changes and ran nothing. */
export const NOTHING_RUN: Pick<CompareOptions, "reports" | "evidence"> = {
  reports: new Map(),
  evidence: new Map(),
};

const EARLIER = "a version without openings opened it, so it is unknown what changed since";

/** What changed about the checks and the files since the opening. */
export async function compareWithBaseline(options: CompareOptions): Promise<Comparison> {
  const { place, which, reading } = options;
  const frame = readBaseline({ ...which, name: null, command: null });
  if (frame === null) return nothingToCompare(EARLIER);
  try {
    const now = listNow(reading);
    const { listing: then, leftOut } = await listKept(place, frame.kept);
    const checks = await comparedChecks(options, then, without(now, leftOut));
    if (typeof checks === "string") return nothingToCompare(checks);
    const all = [...checks.values()].flatMap(({ changes }) => changes);
    const isExempt = await pathMatcher(options.mayChange);
    const built = new Set([...checks.values()].flatMap((each) => [...each.built]));
    const files = changedFiles(then, without(now, leftOut), all, built);
    const runOf = (name: string): OwnRun => ({
      report: options.reports.get(name) ?? null,
      altersFiles: options.evidence.get(name)?.alteredTree === true,
    });
    return {
      now,
      built,
      wantsTests: asksForTests(options.spec),
      removed: removedIn(options.spec, files.deleted, isExempt),
      checks,
      changes: {
        missing: null,
        files,
        isWorkThere: [...files.source, ...files.deleted].some((path) => !isProse(path)),
        checks: new Map(
          [...checks].map(([name, check]) => [name, checkChanges(check, runOf(name), isExempt)]),
        ),
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return nothingToCompare(`there is no opening to compare with: ${why}`);
  }
}

function nothingToCompare(missing: string): Comparison {
  return {
    now: new Map(),
    built: new Set(),
    wantsTests: false,
    removed: [],
    checks: new Map(),
    changes: { missing, checks: new Map(), files: null, isWorkThere: false },
  };
}

function removedIn(
  spec: string,
  deleted: readonly string[],
  isExempt: (path: string) => boolean,
): readonly string[] {
  const named = new Set(removedAsAsked(spec, deleted));
  return named.size === 0 ? [] : deleted.filter((path) => named.has(path) || isExempt(path));
}

/** By name; or the reason if one of them has no opening. */
async function comparedChecks(
  options: CompareOptions,
  then: Listing,
  now: Listing,
): Promise<ReadonlyMap<string, ComparedCheck> | string> {
  const { place, which, folder, criteria, mayChange, spec } = options;
  const isExempt = await pathMatcher(mayChange);
  const written = new Set(writtenFiles(which));
  const files = filesAt(place.root, [...now.keys()], now);
  const compared = new Map<string, ComparedCheck>();
  for (const { name, check } of criteria) {
    if (check === null) continue;
    const baseline = readBaseline({ ...which, name, command: describeCheck(check) });
    if (baseline?.meaning == null) return `"${name}" has no opening to compare with`;
    const known = baseline.meaning.definitions;
    // The check's own line names what it runs, not what is to be done.
    const asked = spec.replaceAll(describeCheck(check), " ");
    const meaning = await findDefinitions({
      command: check.command,
      files,
      folder: check.folder ?? folder,
      root: place.root,
      known,
    });
    const { definitions, code } = meaning;
    const isRunByNode = options.reports.get(name)?.runner === "node:test";
    const plain = isRunByNode ? await plainTests(files, definitions) : [];
    const shadows = await shadowsOf({ place, baseline, before: then, now });
    const found = withoutMoved([...changedDefinitions(known, definitions), ...shadows]).filter(
      (each) => !isNamedWork(each, asked) && !isAskedBuild(each, isExempt),
    );
    const all = baseline.meaning.runsTests ? [...found, ...otherTests(then, now, definitions)] : found;
    const built = await builtAmong(
      { place, baseline, targets: meaning.targets, written, before: then, now },
      all,
    );
    const changes = all.map((each) =>
      each.part === null && built.has(each.path) ? { ...each, kind: "built" as const } : each,
    );
    const isMade = (path: string): boolean =>
      built.has(path) || baseline.meaning?.built.includes(path) === true;
    compared.set(name, {
      baseline,
      definitions: definitions.filter(({ path, part }) => part !== null || !isMade(path)),
      built,
      scripts: isRunByNode ? plain : meaning.scripts,
      lastScript: isRunByNode ? (plain.at(-1) ?? null) : meaning.lastScript,
      plainTests: plain,
      code,
      sourceJudges: meaning.sourceJudges,
      changes,
      judged: changes.filter(({ path }) => !isExempt(path)),
      parts: definitions.flatMap(({ path, part, kind }) =>
        part === null || kind === "inline" || kind === "input" ? [] : [{ path, part }],
      ),
      doubts: await doubtsOf({ place, baseline, meaning, before: then, now, spec: asked }),
    });
  }
  return compared;
}

/** What a check only reads or loads is the work if the spec names it: data, or a source that its command names. */
function isNamedWork({ kind, path, part }: DefinitionChange, asked: string): boolean {
  if (kind === "input") return namesWork(asked, nameOf(path));
  const isSource = isCode(path) && kindOf(path) === "source" && !isJudge(path);
  return (kind === "config" || kind === "test") && part === null && isSource && namesFile(asked, path);
}

/** A script that builds, and that may change, since the spec asks for it: then it is the work. */
function isAskedBuild({ kind, path, part }: DefinitionChange, isExempt: (path: string) => boolean): boolean {
  return kind === "script" && part === null && BUILD_SCRIPT.test(path) && isExempt(path);
}

/** Changed test files that no check is known to read: one may, and then they judge. */
function otherTests(
  then: Listing,
  now: Listing,
  definitions: readonly Definition[],
): readonly DefinitionChange[] {
  const known = new Set(definitions.map(({ path }) => path));
  return [...new Set([...then.keys(), ...now.keys()])]
    .filter((path) => then.get(path) !== now.get(path) && !known.has(path) && kindOf(path) === "test")
    .map((path): DefinitionChange => {
      const change = !then.has(path) ? "added" : now.has(path) ? "changed" : "removed";
      return { kind: "test", path, part: null, change };
    });
}

/** A test inside a source file moves with what it tests, so only its name counts. New tests don't change the judging ones. */
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

/** Files that were too large to keep existed before too. */
export function without(listing: Listing, leftOut: ReadonlySet<string>): Listing {
  return leftOut.size === 0 ? listing : new Map([...listing].filter(([path]) => !leftOut.has(path)));
}

/** Without what is built: it changes with what it is built from. */
function changedFiles(
  then: Listing,
  now: Listing,
  changes: readonly DefinitionChange[],
  built: ReadonlySet<string>,
): ChangedFiles {
  const differ = [...new Set([...then.keys(), ...now.keys()])]
    .filter((path) => then.get(path) !== now.get(path) && !built.has(path))
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
