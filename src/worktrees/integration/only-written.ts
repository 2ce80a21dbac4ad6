/** What isn't the work, although it lies in its worktree. */
export interface NotTheWork {
  /** Files that setup or checks added while no agent worked. */
  readonly written: readonly string[];
  /** The files that the agent handed to git: they are the work, whoever wrote them. null: unknown, so all may be. */
  readonly tracked: () => Promise<ReadonlySet<string> | null>;
}

/**
 * Those of the new files that only checks wrote: the very files and, in folders that the base doesn't have, files with the same
 * ending, such as what a test runner caches for a new test.
 */
export async function onlyWritten(
  added: readonly string[],
  base: Iterable<string>,
  { written, tracked }: NotTheWork,
): Promise<readonly string[]> {
  if (added.length === 0 || written.length === 0) return [];
  const known = new Set([...base].map(folderOf));
  const exact = new Set(written);
  const alike = new Set(written.filter((path) => !known.has(folderOf(path))).map(folderAndEnding));
  const found = added.filter((path) => exact.has(path) || alike.has(folderAndEnding(path)));
  if (found.length === 0) return [];
  const handedOver = await tracked();
  return handedOver === null ? [] : found.filter((path) => !handedOver.has(path));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Without an ending, a file is only like itself. */
function folderAndEnding(path: string): string {
  const ending = /[^/](\.[^./]+)$/.exec(path)?.[1];
  return ending === undefined ? path : `${folderOf(path)}*${ending}`;
}
