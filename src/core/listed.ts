/** More than so many new files of one folder are named together. */
const MANY = 5;
/** Folders that tools fill: whoever looks for the work isn't looking there. */
const FILLED = /^(?:.*?\/)??(?:\.[^/]+|node_modules|venv|env|vendor|target|build|dist|__pycache__)\//;

/** Paths, with many in a folder that a tool fills as one: `.venv/ (1204 files)`. */
export function withFoldersFolded(paths: readonly string[]): readonly string[] {
  const folders = new Map<string, number>();
  const folderOf = (path: string): string | null => FILLED.exec(path)?.[0] ?? null;
  for (const path of paths) {
    const folder = folderOf(path);
    if (folder !== null) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const named = paths.map((path) => {
    const folder = folderOf(path);
    const count = folder === null ? 0 : (folders.get(folder) ?? 0);
    return count > MANY ? `${folder} (${count} files)` : path;
  });
  return [...new Set(named)];
}

/** `a, b and 3 more`. */
export function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
