import type { Check, Evidence } from "../core/criterion.ts";
import { runCommand } from "../process/run-command.ts";
import { combinedDigest, pathDigests } from "../worktree/path-digests.ts";
import { treeDigest } from "../worktree/tree-digest.ts";
import type { Bench } from "./bench.ts";
import type { EvidenceOnTree } from "./evidence.ts";
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
 * Runs checks one after the other, and says on which tree. When the tree changed on the way, what passed
 * is run once more: a generated file settles then, and a check that alters the tree again is reported.
 */
export async function runChecks(bench: Bench, checks: readonly NamedCheck[]): Promise<Examination> {
  const before = await treeDigest({ root: bench.root, stateHome: bench.home });
  const protectedDigest = await digestOfProtected(bench);
  const evidence = new Map<string, Evidence>();
  for (const each of checks) {
    evidence.set(
      each.name,
      await runOne(bench, each, { treeDigest: before, protectedDigest, alteredTree: false }),
    );
  }
  const after = await treeDigest({ root: bench.root, stateHome: bench.home });
  if (after === before) return { tree: after, evidence };

  let tree = after;
  for (const each of checks) {
    const first = evidence.get(each.name);
    if (first?.passed === false) {
      evidence.set(each.name, { ...first, treeDigest: tree });
      continue;
    }
    const again = await runOne(bench, each, { treeDigest: tree, protectedDigest, alteredTree: false });
    const now = await treeDigest({ root: bench.root, stateHome: bench.home });
    evidence.set(each.name, { ...again, alteredTree: now !== tree });
    tree = now;
  }
  // What altered the tree judged the one before; it counts for the present one, marked as weak.
  for (const [name, each] of evidence) evidence.set(name, { ...each, treeDigest: tree });
  return { tree, evidence };
}

/** null where nothing is protected. */
export async function digestOfProtected(bench: Pick<Bench, "root" | "protects">): Promise<string | null> {
  if (bench.protects.length === 0) return null;
  return combinedDigest(await pathDigests({ root: bench.root, globs: bench.protects }));
}

async function runOne(bench: Bench, { name, check }: NamedCheck, tree: EvidenceOnTree): Promise<Evidence> {
  bench.onCheck?.(name);
  const outcome = await runCommand({
    command: check.command,
    cwd: bench.root,
    timeoutMs: check.timeoutMs,
    env: bench.env,
    passEnv: check.passEnv,
    ...(bench.signal === undefined ? {} : { signal: bench.signal }),
  });
  return evidenceOf(check, outcome, bench, tree);
}
