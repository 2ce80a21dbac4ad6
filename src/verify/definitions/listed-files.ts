import { pathLiterals } from "./named-files.ts";
import { folderOf, foldersUpwards, nameOf, pathIn } from "./project-files.ts";
import { isCode, isNamedAsExpected, mayCount } from "./test-files.ts";

/** How languages find the files of a folder. */
const LISTS =
  /\b(?:readdir(?:Sync)?|scandir|listdir|iterdir|opendir|rglob|i?glob(?:Sync|by)?|os\.walk|ReadDir|WalkDir|filepath\.(?:Glob|Walk)|newDirectoryStream|listFiles|Files\.(?:list|walk|find)|Dir\.(?:glob|children|each_child|entries|foreach)|read_dir|list_dir|File\.ls!?|Path\.wildcard)\b|\bDir\[|\bfast-glob\b/;
const SHAPE = /^[\w@.\-/*?{},[\] ]+$/;
const WILD = /[*?{[]/;
const LONGEST_TEXT = 256 * 1024;

/**
 * The cases that a text finds by going through a folder that it names. Only what is named as cases, or has what goes in and what
 * comes out side by side: `a.in` and `a.out`. Other data may well be the work.
 */
export function listedFiles(
  {
    path,
    text,
    folders,
  }: { readonly path: string; readonly text: string; readonly folders: readonly string[] },
  paths: readonly string[],
): readonly string[] {
  const read = text.slice(0, LONGEST_TEXT);
  if (!LISTS.test(read)) return [];
  const found = new Set<string>();
  for (const name of pathLiterals(read, SHAPE)) {
    const names = name.split("/");
    const wild = names.findIndex((each) => WILD.test(each));
    const folder = wild === -1 ? name : names.slice(0, wild).join("/");
    for (const base of new Set([folderOf(path), ...folders, ""])) {
      const within = pathIn(base, folder);
      if (within !== null && within !== "") found.add(within);
    }
  }
  const data = paths.filter(
    (each) =>
      !isCode(each) && mayCount(each) && foldersUpwards(folderOf(each)).some((folder) => found.has(folder)),
  );
  const endings = new Map<string, number>();
  for (const each of data) endings.set(stemOf(each), (endings.get(stemOf(each)) ?? 0) + 1);
  return data.filter((each) => isNamedAsExpected(each) || (endings.get(stemOf(each)) ?? 0) > 1);
}

/** With its folder, and without its ending. */
function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.indexOf(".", 1);
  return path.slice(0, path.length - name.length + (dot === -1 ? name.length : dot));
}
