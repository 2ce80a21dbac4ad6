import { digestsOfMustNots } from "../../verify/checks/must-nots.ts";
import type { MustNot } from "../../core/loop/loop.ts";
import type { LoopLock } from "../../storage/home/loop-lock.ts";
import { combinedDigest, pathDigests } from "../../system/tree/path-digests.ts";

/** The files a loop guards, read when asked for: changes by its own checks count too. */
export interface GuardedFiles extends Pick<LoopLock, "protectedFiles" | "mustNotFiles"> {
  /** null if nothing is protected. */
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
