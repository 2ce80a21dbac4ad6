import { digestsOfMustNots } from "../checks/must-nots.ts";
import type { MustNot } from "../core/loop.ts";
import type { LoopLock } from "../store/loop-lock.ts";
import { combinedDigest, pathDigests } from "../tree/path-digests.ts";

/** The files that a loop guards, as they are when it is asked for: what its own checks do to them is held against them, too. */
export interface GuardedFiles extends Pick<LoopLock, "protectedFiles" | "mustNotFiles"> {
  /** null where nothing is protected. */
  readonly protectedDigest: string | null;
}

export async function guardedFiles(
  root: string,
  { protects, mustNots }: { readonly protects: readonly string[]; readonly mustNots: readonly MustNot[] },
): Promise<GuardedFiles> {
  const protectedFiles = await pathDigests({ root, globs: protects });
  return {
    protectedFiles,
    mustNotFiles: await digestsOfMustNots(root, mustNots),
    protectedDigest: protects.length === 0 ? null : combinedDigest(protectedFiles),
  };
}
