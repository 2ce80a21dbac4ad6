import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { nameOfDefinition, type DefinitionChange } from "../../verify/definitions/definition.ts";
import { compareWithBaseline, NOTHING_RUN, type Comparison } from "../../verify/baseline/compare.ts";
import { moveBaseline } from "../../verify/baseline/approved.ts";
import { comparisonOf, baselinesOf } from "../../verify/baseline/loop-baselines.ts";
import { approvePlan, rememberProtected } from "../../storage/home/approval-record.ts";
import { changedPaths, combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { expectPerson } from "./expect-person.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import type { Check } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { filesAt } from "../../verify/definitions/project-files.ts";
import { findDefinitions, type FoundDefinitions } from "../../verify/definitions/find-definitions.ts";
import { filesBeforeAndNow, listNow } from "../../verify/baseline/kept-files.ts";
import { criterionName } from "./amend.ts";

interface ApprovableChange {
  /** A path, or `scripts.test in package.json`. */
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** Whether it is under `--protect` or defines a check. */
  readonly kind: "protected" | "definition";
}

/** The current changes to everything that only a person may change. */
interface Approvable {
  readonly changes: readonly ApprovableChange[];
  /** null: unchanged since they were approved. */
  readonly protectedFiles: { readonly [path: string]: string } | null;
  readonly comparison: Comparison;
  readonly reading: TreeReading | null;
}

/** Compares protected files and check definitions with what a person last approved; null when nothing changed. */
export async function approvableIn(machine: Machine, chosen: KnownLoop): Promise<Approvable | null> {
  const { loop } = chosen.live;
  const { root } = chosen.workingDirectory;
  const reading = await machine.git.readTree(root);
  const options = comparisonOf(machine, chosen, reading);
  const comparison = await compareWithBaseline({ ...options, ...NOTHING_RUN });
  const files = await pathDigests({ root, globs: loop.protects });
  const areProtectedSame = loop.protects.length === 0 || combinedDigest(files) === loop.protectedDigest;
  const definitions = new Map(
    [...comparison.checks.values()]
      .flatMap(({ changes }) => changes)
      .map((each) => [nameOfDefinition(each), each.change]),
  );
  if (comparison.changes.missing !== null && areProtectedSame)
    throw new UserError(`Nothing can be approved: ${comparison.changes.missing}.`);
  if (areProtectedSame && definitions.size === 0) return null;
  const changed = areProtectedSame ? [] : changedPaths(chosen.approval.protectedFiles, files);
  return {
    changes: [
      ...changed.map((each) => ({ ...each, kind: "protected" as const })),
      ...[...definitions]
        .filter(([path]) => !changed.some((each) => each.path === path))
        .map(([path, change]) => ({ path, change, kind: "definition" as const })),
    ],
    protectedFiles: areProtectedSame ? null : files,
    comparison,
    reading,
  };
}

/** A changed text before and now; empty where there was none. */
interface ChangedText {
  readonly before: string;
  readonly now: string;
}

/** What changed in these files since a person last approved them, as far as it is text and was kept. By the path of the change. */
export async function changedTexts(
  machine: Machine,
  chosen: KnownLoop,
  { changes, comparison, reading }: Approvable,
): Promise<ReadonlyMap<string, ChangedText>> {
  const place = { root: chosen.workingDirectory.root, home: machine.home };
  const texts = new Map<string, ChangedText>();
  for (const { baseline, changes: ofCheck } of comparison.checks.values()) {
    const { before, now } = await filesBeforeAndNow(place, baseline.kept, listNow(reading));
    const pathOf = new Map(ofCheck.map((each) => [nameOfDefinition(each), each.path]));
    for (const { path } of changes) {
      const file = pathOf.get(path) ?? path;
      const text = { before: (await before.read(file)) ?? "", now: (await now.read(file)) ?? "" };
      if (!texts.has(path) && text.before !== text.now) texts.set(path, text);
    }
  }
  return texts;
}

/** A person accepts the changes as shown: evidence counts again, and the opening moves for those files. */
export async function approve(machine: Machine, chosen: KnownLoop, shown: Approvable): Promise<void> {
  await expectPerson(machine, "approve", chosen);
  const now = await machine.git.readTree(chosen.workingDirectory.root);
  if (now?.digest !== shown.reading?.digest)
    throw new UserError("Files changed while you were reading; review them again with: loop approve");
  const { project, loop } = chosen.live;
  const files = shown.protectedFiles;
  const names = shown.changes.filter(({ kind }) => kind === "definition").map(({ path }) => path);
  const events: readonly LoopEvent[] = [
    ...(files === null ? [] : [{ type: "protection.approved" as const, digest: combinedDigest(files) }]),
    ...(names.length === 0 ? [] : [{ type: "opening.approved" as const, names }]),
  ];
  await chosen.live.record((current) => {
    expectOpen(current);
    approvePlan(machine.home, project.root, evolveAll(current, events, machine.now()));
    return events;
  });
  // After the journal: a crash in between asks the person again, and never loosens anything unrecorded.
  const place = { root: chosen.workingDirectory.root, home: machine.home };
  const at = { now: machine.now(), reading: now };
  await moveBaseline(place, baselinesOf(machine, chosen), shown.comparison, at);
  if (files !== null) rememberProtected({ home: machine.home, root: project.root, loop: loop.id }, files);
}

interface CheckDefinitions extends Pick<FoundDefinitions, "definitions" | "leftOut" | "runsTests"> {
  readonly name: string;
  readonly command: Check["command"];
  readonly folder?: string;
  /** Since the opening; empty where none was kept. */
  readonly changes: readonly DefinitionChange[];
}

/**
 * What defines each check of a loop, or the requested one: scripts, configuration and test files as locked at the opening,
 * and what changed since. Runs nothing.
 */
export async function definitionsOfChecks(
  machine: Machine,
  chosen: KnownLoop,
  wanted: string | undefined,
): Promise<readonly CheckDefinitions[]> {
  const { live, workingDirectory } = chosen;
  const { loop } = live;
  const name = wanted === undefined ? null : criterionName(loop, wanted);
  const { root } = workingDirectory;
  const reading = await machine.git.readTree(root);
  const options = comparisonOf(machine, chosen, reading);
  const { checks } = await compareWithBaseline({ ...options, ...NOTHING_RUN });
  const files = filesAt(root, [...listNow(reading).keys()]);
  const meanings: CheckDefinitions[] = [];
  for (const criterion of topFrame(loop).criteria) {
    const { check } = criterion;
    if (check === null || (name !== null && criterion.name !== name)) continue;
    const compared = checks.get(criterion.name);
    const { command, folder } = check;
    const { definitions, leftOut, runsTests } =
      compared?.baseline.meaning ??
      (await findDefinitions({ command, files, folder: folder ?? loop.folder, root }));
    const changes = compared?.changes ?? [];
    const own = folder === undefined ? {} : { folder };
    meanings.push({ name: criterion.name, command, ...own, definitions, leftOut, runsTests, changes });
  }
  return meanings;
}
