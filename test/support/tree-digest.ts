import type { TreeDigestOptions } from "../../src/system/tree/tree-digest.ts";
import { readTree } from "../../src/system/tree/tree-digest.ts";

export async function treeDigest(options: TreeDigestOptions): Promise<string | null> {
  return (await readTree(options))?.digest ?? null;
}
