import { join } from "node:path";
import type { Check, Evidence } from "../../core/loop/criterion.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { addedPaths } from "../../system/tree/added-paths.ts";
import { combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { whyItCannotRun } from "./cannot-run.ts";
import type { CheckSite } from "./check-site.ts";
import { evidenceOf } from "./evidence.ts";
import { scriptSilentlyMissing } from "./silent-npm.ts";
import type { TestReport } from "../reports/test-report.ts";
import { writtenForRoot } from "./written-for-root.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import { oneLine } from "../../system/text/plain-text.ts";

export interface NamedCheck {
  readonly name: string;
  readonly check: Check;
}

export interface Examination {
  /** The files after the last check; null when they cannot be read. */
  readonly tree: TreeReading | null;
  readonly evidence: ReadonlyMap<string, Evidence>;
  /** The test report in the whole output; null if there is none. */
  readonly reports: ReadonlyMap<string, TestReport | null>;
  /** The checks that could not even start, and why. */
  readonly unrun: ReadonlyMap<string, string>;
  /** The files that weren't there before a check ran and were afterwards, by the check's name. */
  readonly written: ReadonlyMap<string, readonly string[]>;
}

/**
 * Runs checks one after the other and records the tree each ran on. A check that altered the tree runs once more: then its
 * output has settled, or it is reported. Checks that passed before the tree changed run again too, because they judged
 * another tree. `tree`: a reading of the current files, if the caller just took one.
 */
export async function runChecks(
  site: CheckSite,
  checks: readonly NamedCheck[],
  options: { readonly tree?: TreeReading | null } = {},
): Promise<Examination> {
  const runs = new Map<string, Run>();
  let tree = options.tree ?? (await site.readTree());
  for (const each of checks) {
    const run = await runUntilSettled(site, each, tree);
    runs.set(each.name, run);
    tree = run.tree;
  }
  for (const each of checks) {
    const earlier = runs.get(each.name)?.evidence;
    if (earlier === undefined || !earlier.passed || earlier.treeDigest === digestOf(tree)) continue;
    const run = await runUntilSettled(site, each, tree);
    runs.set(each.name, { ...run, wrote: [...(runs.get(each.name)?.wrote ?? []), ...run.wrote] });
    tree = run.tree;
  }
  return examinationOf(runs, tree);
}

function examinationOf(runs: ReadonlyMap<string, Run>, tree: TreeReading | null): Examination {
  return {
    tree,
    evidence: new Map([...runs].map(([name, { evidence }]) => [name, evidence])),
    reports: new Map([...runs].map(([name, { report }]) => [name, report])),
    unrun: new Map(
      [...runs].flatMap(([name, { cannotRun }]) => (cannotRun === null ? [] : [[name, cannotRun]])),
    ),
    written: new Map([...runs].flatMap(([name, { wrote }]) => (wrote.length === 0 ? [] : [[name, wrote]]))),
  };
}

/** The result of running a check once. */
export interface Look extends NamedCheck, Omit<Run, "tree"> {
  /** The check changed the files. */
  readonly changedTree: boolean;
}

/** Runs each check once, whatever its result, and reports it before the next one starts. */
export async function lookAtChecks(
  site: CheckSite,
  checks: readonly NamedCheck[],
  tell: (look: Look) => void,
): Promise<Examination> {
  const runs = new Map<string, Run>();
  let tree = await site.readTree();
  for (const each of checks) {
    const run = await runOnce(site, each, tree);
    runs.set(each.name, run);
    tell({ ...each, ...run, changedTree: digestOf(run.tree) !== digestOf(tree) });
    tree = run.tree;
  }
  return examinationOf(runs, tree);
}

interface Run {
  readonly evidence: Evidence;
  readonly report: TestReport | null;
  /** Why it could not even start; null: it ran. */
  readonly cannotRun: string | null;
  /** The files that it added. */
  readonly wrote: readonly string[];
  readonly tree: TreeReading | null;
}

async function runUntilSettled(site: CheckSite, named: NamedCheck, before: TreeReading | null): Promise<Run> {
  const first = await runOnce(site, named, before);
  if (digestOf(first.tree) === digestOf(before) || !first.evidence.passed) return first;
  // A check with side effects never repeats. It comes last, and the others ran on the files before it.
  if (named.check.use === "once") return { ...first, tree: before };
  const again = await runOnce(site, named, first.tree);
  const second = { ...again, wrote: [...first.wrote, ...again.wrote] };
  if (digestOf(second.tree) === digestOf(first.tree)) return second;
  // It alters what it judges every time. Its result counts for the tree it left behind, as weak evidence.
  const { evidence, tree } = second;
  return { ...second, evidence: { ...evidence, treeDigest: digestOf(tree), alteredTree: true } };
}

async function runOnce(
  site: CheckSite,
  { name, check }: NamedCheck,
  before: TreeReading | null,
): Promise<Run> {
  site.progress.checkBegins(name);
  const protectedBefore = await digestOfProtected(site);
  const outcome = await runAt(site, check);
  // Compared before and after: an unapproved change at either time voids the evidence, even if the check itself made it.
  const protectedAfter = await digestOfProtected(site);
  const evidence = evidenceOf(check, outcome, site, {
    treeDigest: digestOf(before),
    protectedDigest:
      protectedAfter === protectedBefore ? protectedAfter : `${protectedBefore} then ${protectedAfter}`,
    alteredTree: false,
  });
  site.progress.checkEnds(name, evidence.passed);
  const report = readTestReport(outcome.output);
  const cannotRun =
    whyItIsElsewhere(site, check, evidence, report) ??
    whyItCannotRun(check, evidence, report) ??
    (await whyItSaysNothing(site, check, evidence));
  const tree = await site.readTree();
  return { evidence, report, cannotRun, wrote: addedPaths(before, tree), tree };
}

async function whyItSaysNothing(
  site: CheckSite,
  check: Check,
  { exitCode, outputTail }: Evidence,
): Promise<string | null> {
  if (exitCode !== 1 || outputTail.trim() !== "") return null;
  const missing = await scriptSilentlyMissing({ root: site.root, cwd: folderOf(site, check) }, check);
  return missing === null ? null : `package.json has no script "${oneLine(missing, 60)}"`;
}

function whyItIsElsewhere(
  site: CheckSite,
  check: Check,
  evidence: Evidence,
  report: TestReport | null,
): string | null {
  if ((report?.executed ?? 0) > 0) return null;
  return writtenForRoot({ root: site.root, cwd: folderOf(site, check) }, check, evidence);
}

function digestOf(tree: TreeReading | null): string | null {
  return tree === null ? null : tree.digest;
}

/** Runs a command of the loop's plan at its check site. */
export async function runAt(site: CheckSite, check: Check): Promise<CommandOutcome> {
  const { env, signal } = site;
  const { command, timeoutMs, passEnv } = check;
  // Outside the check's time limit.
  const giveBack = await site.takeResources(signal);
  try {
    const options = { command, cwd: folderOf(site, check), timeoutMs, env, passEnv };
    const outcome = await site.run(signal === null ? options : { ...options, signal });
    signal?.throwIfAborted();
    return outcome;
  } finally {
    giveBack();
  }
}

function folderOf(site: Pick<CheckSite, "root" | "folder">, { folder }: Pick<Check, "folder">): string {
  return folder === undefined ? site.folder : join(site.root, folder);
}

/** null if nothing is protected. */
async function digestOfProtected(site: Pick<CheckSite, "root" | "protects">): Promise<string | null> {
  if (site.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: site.root, globs: site.protects }));
}
