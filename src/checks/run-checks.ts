import type { Check, Evidence } from "../core/criterion.ts";
import type { CommandOutcome } from "../process/run-command.ts";
import { combinedDigest, pathDigests } from "../tree/path-digests.ts";
import type { CheckSite } from "./check-site.ts";
import { evidenceOf } from "./evidence.ts";

export interface NamedCheck {
  readonly name: string;
  readonly check: Check;
}

export interface Examination {
  /** The tree as it is after the last check. */
  readonly tree: string | null;
  readonly evidence: ReadonlyMap<string, Evidence>;
}

/**
 * Runs checks one after the other, and says on which tree each ran. A check that altered the tree is run
 * once more: what it generates settles then, or it is reported. What passed before the tree changed is then
 * run again too, because it judged another one. `tree` is the tree as it is, for those who have just looked.
 */
export async function runChecks(
  site: CheckSite,
  checks: readonly NamedCheck[],
  options: { readonly tree?: string | null } = {},
): Promise<Examination> {
  const evidence = new Map<string, Evidence>();
  let tree = options.tree ?? (await site.treeDigest());
  for (const each of checks) {
    const result = await runUntilSettled(site, each, tree);
    evidence.set(each.name, result.evidence);
    tree = result.tree;
  }
  for (const each of checks) {
    const earlier = evidence.get(each.name);
    if (earlier === undefined || !earlier.passed || earlier.treeDigest === tree) continue;
    const result = await runUntilSettled(site, each, tree);
    evidence.set(each.name, result.evidence);
    tree = result.tree;
  }
  return { tree, evidence };
}

interface Run {
  readonly evidence: Evidence;
  readonly tree: string | null;
}

async function runUntilSettled(site: CheckSite, named: NamedCheck, before: string | null): Promise<Run> {
  const first = await runOnce(site, named, before);
  if (first.tree === before || !first.evidence.passed) return first;
  const second = await runOnce(site, named, first.tree);
  if (second.tree === first.tree) return second;
  // It alters what it judges, every time. What it says counts for the tree that it left, and as weak.
  return { tree: second.tree, evidence: { ...second.evidence, treeDigest: second.tree, alteredTree: true } };
}

async function runOnce(site: CheckSite, { name, check }: NamedCheck, before: string | null): Promise<Run> {
  site.progress.checkBegins(name);
  const outcome = await runAt(site, check);
  // After the run: a check that rewrites what is protected voids its own evidence.
  const protectedDigest = await digestOfProtected(site);
  const evidence = evidenceOf(check, outcome, site, {
    treeDigest: before,
    protectedDigest,
    alteredTree: false,
  });
  site.progress.checkEnds(name, evidence.passed);
  return { evidence, tree: await site.treeDigest() };
}

/** Runs a command of the loop's plan where its checks run. */
export async function runAt(
  site: CheckSite,
  { command, timeoutMs, passEnv }: Check,
): Promise<CommandOutcome> {
  const { folder: cwd, env, signal } = site;
  const outcome = await site.run({
    command,
    cwd,
    timeoutMs,
    env,
    passEnv,
    ...(signal === null ? {} : { signal }),
  });
  signal?.throwIfAborted();
  return outcome;
}

/** null where nothing is protected. */
export async function digestOfProtected(site: Pick<CheckSite, "root" | "protects">): Promise<string | null> {
  if (site.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: site.root, globs: site.protects }));
}
