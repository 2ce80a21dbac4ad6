import type { Check, Evidence } from "../core/criterion.ts";
import { runCommand } from "../process/run-command.ts";
import { combinedDigest, pathDigests } from "../worktree/path-digests.ts";
import { treeDigest } from "../worktree/tree-digest.ts";
import type { Bench } from "./bench.ts";
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
 * run again too, because it judged another one.
 */
export async function runChecks(bench: Bench, checks: readonly NamedCheck[]): Promise<Examination> {
  const evidence = new Map<string, Evidence>();
  let tree = await digest(bench);
  for (const each of checks) {
    const result = await runUntilSettled(bench, each, tree);
    evidence.set(each.name, result.evidence);
    tree = result.tree;
  }
  for (const each of checks) {
    const earlier = evidence.get(each.name);
    if (earlier === undefined || !earlier.passed || earlier.treeDigest === tree) continue;
    const result = await runUntilSettled(bench, each, tree);
    evidence.set(each.name, result.evidence);
    tree = result.tree;
  }
  return { tree, evidence };
}

interface Run {
  readonly evidence: Evidence;
  readonly tree: string | null;
}

async function runUntilSettled(bench: Bench, named: NamedCheck, before: string | null): Promise<Run> {
  const first = await runOnce(bench, named, before);
  if (first.tree === before || !first.evidence.passed) return first;
  const second = await runOnce(bench, named, first.tree);
  if (second.tree === first.tree) return second;
  // It alters what it judges, every time. What it says counts for the tree that it left, and as weak.
  return { tree: second.tree, evidence: { ...second.evidence, treeDigest: second.tree, alteredTree: true } };
}

async function runOnce(bench: Bench, { name, check }: NamedCheck, before: string | null): Promise<Run> {
  bench.onCheck?.(name);
  const outcome = await runCommand({
    command: check.command,
    cwd: bench.root,
    timeoutMs: check.timeoutMs,
    env: bench.env,
    passEnv: check.passEnv,
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
  });
  bench.signal?.throwIfAborted();
  // After the run: a check that rewrites what is protected voids its own evidence.
  const protectedDigest = await digestOfProtected(bench);
  const evidence = evidenceOf(check, outcome, bench, {
    treeDigest: before,
    protectedDigest,
    alteredTree: false,
  });
  bench.onChecked?.(name, evidence.passed);
  return { evidence, tree: await digest(bench) };
}

async function digest(bench: Bench): Promise<string | null> {
  return treeDigest({ root: bench.root, stateHome: bench.home });
}

/** null where nothing is protected. */
export async function digestOfProtected(bench: Pick<Bench, "root" | "protects">): Promise<string | null> {
  if (bench.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: bench.root, globs: bench.protects }));
}
