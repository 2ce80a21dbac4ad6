import type { FileEdit } from "./facts.ts";

/**
 * The file that one iteration edits over and over, to the same failure or back to earlier content, as often as the limit
 * allows. Many edits that lead somewhere new are work, not thrashing.
 */
export function thrashingFile(edits: readonly FileEdit[], limit: number): string | null {
  const files = new Map<string, { contents: Set<string>; lastFailure: string | null; vain: number }>();
  for (const edit of edits) {
    const file = files.get(edit.path) ?? { contents: new Set<string>(), lastFailure: null, vain: 0 };
    const isBack = file.contents.has(edit.contentDigest);
    const isSameFailure = edit.failure !== null && edit.failure === file.lastFailure;
    if (isBack || isSameFailure) file.vain += 1;
    if (file.vain >= limit) return edit.path;
    file.contents.add(edit.contentDigest);
    file.lastFailure = edit.failure;
    files.set(edit.path, file);
  }
  return null;
}
