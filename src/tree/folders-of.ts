/** Every folder that these files are in, each with a slash at its end, the root as an empty text. */
export function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set([""]);
  let previous = "";
  for (const path of paths) {
    let folder = path.slice(0, path.lastIndexOf("/") + 1);
    // Listings are sorted: mostly it is the same one as before.
    if (folder === previous) continue;
    previous = folder;
    while (!folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    }
  }
  return folders;
}
