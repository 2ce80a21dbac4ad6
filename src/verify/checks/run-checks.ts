import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeCheck, type Check, type Evidence } from "../../core/loop/criterion.ts";
import { keptPart } from "../../core/output/failure-block.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { addedPaths, differingPaths, type TreeReading } from "../../system/tree/tree-digest.ts";
import { combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";
import { whyItCannotRun } from "./cannot-run.ts";
import { describeEnding, folderOf, hasPassed, runAt, type CheckSite } from "./check-site.ts";
import type { TestReport } from "../reports/test-report.ts";
import { printedText } from "../../system/text/plain-text.ts";

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
  /** The project's files that the check changed. */
  readonly altered: readonly string[];
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
    tell({ ...each, ...run, altered: differingPaths(tree, run.tree) ?? [] });
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
  // Its result counts for the tree that it left behind; as weak evidence, if it alters what it judges every time.
  const { evidence, tree } = second;
  const isOwn = differOnlyBy([...second.wrote, ...(site.products?.() ?? [])], first.tree, tree);
  return { ...second, evidence: { ...evidence, treeDigest: digestOf(tree), alteredTree: !isOwn } };
}

/** What a runner remembers for its next run: no check judges it, even if it was there before. */
const MEMORY =
  /(?:^|\/)\.[\w.-]*cache(?:\/|$)|(?:^|\/)(?:\.coverage|\.rspec_status|\.last_run\.json|\.nyc_output\/.*)$|\.tsbuildinfo$/;

/** Whether nothing is different but these files, and caches. */
export function differOnlyBy(
  paths: readonly string[],
  before: TreeReading | null,
  after: TreeReading | null,
): boolean {
  const differing = differingPaths(before, after);
  return differing !== null && differing.every((path) => paths.includes(path) || MEMORY.test(path));
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
  // Loaded only here: a hook that runs no check needs none of the readers.
  const { readTestReport } = await import("../reports/read-test-report.ts");
  const report = readTestReport(outcome.output);
  const cannotRun = await whyItCannotRun(
    { root: site.root, cwd: folderOf(site, check) },
    check,
    evidence,
    report,
  );
  const tree = await site.readTree();
  return { evidence, report, cannotRun, wrote: addedPaths(before, tree), tree };
}

function digestOf(tree: TreeReading | null): string | null {
  return tree?.digest ?? null;
}

/** null if nothing is protected. */
async function digestOfProtected(site: Pick<CheckSite, "root" | "protects">): Promise<string | null> {
  if (site.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: site.root, globs: site.protects }));
}

const MOST_KEPT = 4_000;

function evidenceOf(
  check: Check,
  outcome: CommandOutcome,
  site: CheckSite,
  tree: Pick<Evidence, "treeDigest" | "protectedDigest" | "alteredTree">,
): Evidence {
  const { ending } = outcome;
  const passed = hasPassed(outcome);
  return {
    passed,
    command: describeCheck(check),
    exitCode: ending.type === "exited" ? ending.code : null,
    ending: describeEnding(ending),
    outputTail: keptPart(printedText(outcome.output), MOST_KEPT),
    outputDigest: createHash("sha256").update(outcome.output).digest("hex"),
    outputFile: keepOutput(site.evidenceFolder, outcome.output),
    durationMs: outcome.durationMs,
    withheld: passed ? [] : outcome.withheld,
    at: site.now(),
    ...tree,
  };
}

/** Not recursive: a deleted loop folder is not created again. */
function keepOutput(folder: string | null, output: string): string | null {
  if (folder === null) return null;
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}.txt`;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or its parent doesn't; the write will tell
  }
  try {
    writeFileSync(join(folder, name), output, { mode: 0o600 });
    return name;
  } catch {
    return null;
  }
}
