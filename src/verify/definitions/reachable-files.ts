import { namedFiles } from "./named-files.ts";
import { folderOf, nameOf, type DefiningFiles } from "./project-files.ts";
import { isCode } from "./test-files.ts";

/** Names that say where something is, and not what it is. */
const PLAIN_NAMES: ReadonlySet<string> = new Set("index main mod lib src init packages".split(" "));
const WORD = /[A-Za-z0-9_$-]{2,100}/g;
const LONGEST_TEXT = 256 * 1024;
const MOST_READ = 400;

interface Following {
  /** Names that several files may have, one of them in place of another: such a file has to be named exactly. */
  readonly exactly?: ReadonlySet<string>;
  /** Only by imports and paths, not by their names. */
  readonly isExact?: boolean;
}

/**
 * Everything that files may use, whatever resolves it: what they import, and files whose name, or whose folder's, is a word of
 * theirs. That is more than they use rather than less. null: too much to read.
 */
export async function reachableFrom(
  starts: Iterable<string>,
  files: Pick<DefiningFiles, "paths" | "read">,
  { exactly = new Set(), isExact = false }: Following = {},
): Promise<ReadonlySet<string> | null> {
  const has = new Set(files.paths);
  const byWord = isExact ? new Map<string, string[]>() : filesByWord(files.paths, exactly);
  const reached = new Set([...starts].filter((path) => has.has(path)));
  let read = 0;
  for (const path of reached) {
    if (!isCode(path) && !path.endsWith(".json")) continue;
    if ((read += 1) > MOST_READ) return null;
    const text = ((await files.read(path)) ?? "").slice(0, LONGEST_TEXT);
    for (const each of namedFiles({ path, text, folders: [] }, has)) reached.add(each);
    if (isExact) continue;
    for (const word of new Set([...text.matchAll(WORD)].map(([found]) => plain(found))))
      for (const each of byWord.get(word) ?? []) reached.add(each);
  }
  return reached;
}

function filesByWord(paths: readonly string[], exactly: ReadonlySet<string>): Map<string, string[]> {
  const byWord = new Map<string, string[]>();
  for (const path of paths) {
    for (const name of new Set([stemOf(path), plain(nameOf(folderOf(path)))])) {
      if (name === "" || PLAIN_NAMES.has(name) || exactly.has(name)) continue;
      byWord.set(name, [...(byWord.get(name) ?? []), path]);
    }
  }
  return byWord;
}

/** `money_format` of `src/MoneyFormat.java`, `money-format.ts` and `lib/money_format.rb` alike; a package has its folder's name. */
export function stemOf(path: string): string {
  const stem = plain(nameOf(path).replace(/(?!^)\..*$/, ""));
  return PLAIN_NAMES.has(stem) ? plain(nameOf(folderOf(path))) : stem;
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[_$-]/g, "");
}
