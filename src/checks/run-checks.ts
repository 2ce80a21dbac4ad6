import { join } from "node:path";
import type { Check, Evidence } from "../core/criterion.ts";
import type { CommandOutcome } from "../process/run-command.ts";
import { combinedDigest, pathDigests } from "../tree/path-digests.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import type { CheckSite } from "./check-site.ts";
import { evidenceOf } from "./evidence.ts";
import type { TestReport } from "../test-reports/test-report.ts";
import { readTestReport } from "../test-reports/read-test-report.ts";

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
  const evidence = new Map<string, Evidence>();
  const reports = new Map<string, TestReport | null>();
  let tree = options.tree ?? (await site.readTree());
  for (const each of checks) {
    const result = await runUntilSettled(site, each, tree);
    evidence.set(each.name, result.evidence);
    reports.set(each.name, result.report);
    tree = result.tree;
  }
  for (const each of checks) {
    const earlier = evidence.get(each.name);
    if (earlier === undefined || !earlier.passed || earlier.treeDigest === digestOf(tree)) continue;
    const result = await runUntilSettled(site, each, tree);
    evidence.set(each.name, result.evidence);
    reports.set(each.name, result.report);
    tree = result.tree;
  }
  return { tree, evidence, reports };
}

/** The result of running a check once. */
export interface Look extends NamedCheck {
  readonly evidence: Evidence;
  readonly report: TestReport | null;
  /** The check changed the files. */
  readonly changedTree: boolean;
}

/** Runs each check once, whatever its result, and reports it before the next one starts. */
export async function lookAtChecks(
  site: CheckSite,
  checks: readonly NamedCheck[],
  tell: (look: Look) => void,
): Promise<Examination> {
  const evidence = new Map<string, Evidence>();
  const reports = new Map<string, TestReport | null>();
  let tree = await site.readTree();
  for (const each of checks) {
    const result = await runOnce(site, each, tree);
    evidence.set(each.name, result.evidence);
    reports.set(each.name, result.report);
    tell({ ...each, ...result, changedTree: digestOf(result.tree) !== digestOf(tree) });
    tree = result.tree;
  }
  return { tree, evidence, reports };
}

interface Run {
  readonly evidence: Evidence;
  readonly report: TestReport | null;
  readonly tree: TreeReading | null;
}

async function runUntilSettled(site: CheckSite, named: NamedCheck, before: TreeReading | null): Promise<Run> {
  const first = await runOnce(site, named, before);
  if (digestOf(first.tree) === digestOf(before) || !first.evidence.passed) return first;
  // A check with side effects never repeats. It comes last, and the others ran on the files before it.
  if (named.check.use === "once") return { ...first, tree: before };
  const second = await runOnce(site, named, first.tree);
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
  return { evidence, report: readTestReport(outcome.output), tree: await site.readTree() };
}

function digestOf(tree: TreeReading | null): string | null {
  return tree === null ? null : tree.digest;
}

/** Runs a command of the loop's plan at its check site. */
export async function runAt(
  site: CheckSite,
  { command, timeoutMs, passEnv, folder }: Check,
): Promise<CommandOutcome> {
  const { env, signal } = site;
  const cwd = folder === undefined ? site.folder : join(site.root, folder);
  // Outside the check's time limit.
  const giveBack = await site.takeResources(signal);
  try {
    const options = { command, cwd, timeoutMs, env, passEnv };
    const outcome = await site.run(signal === null ? options : { ...options, signal });
    signal?.throwIfAborted();
    return outcome;
  } finally {
    giveBack();
  }
}

/** null if nothing is protected. */
async function digestOfProtected(site: Pick<CheckSite, "root" | "protects">): Promise<string | null> {
  if (site.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: site.root, globs: site.protects }));
}
