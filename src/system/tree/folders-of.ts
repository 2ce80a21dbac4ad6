/** The folders of these files, each with a trailing slash; the root is the empty string. */
export function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set([""]);
  let previous = "";
  for (const path of paths) {
    let folder = path.slice(0, path.lastIndexOf("/") + 1);
    // Listings are sorted, so it is usually the same folder as before.
    if (folder === previous) continue;
    previous = folder;
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  return folders;
}
