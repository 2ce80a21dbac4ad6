import { pathBelow } from "../../loop/folder.ts";
import type { MustNot } from "../../loop/loop.ts";

const PATH = "`?[\\w@.*-]+(?:/[\\w@.*-]*)*`?(?:\\s(?:folder|directory))?";
const PATHS = `(${PATH}(?:(?:,\\s*(?:and|or|nor)?\\s*|\\s+(?:and|or|nor)\\s+)${PATH})*)`;
/** The path is the last word of its clause: `src/cart.js's API` isn't the file. */
const END =
  "(?=\\s*(?:$|[\\n;:!?)]|[.,](?:\\s|$)|\\s(?:at all|in any way|either|as it is|while|when|until|but)\\b))";
const ALL_OF =
  "(?:(?:any of|anything (?:in|below|under)|(?:any |the )?files? (?:in|below|under)|the|any)\\s+)?";

const STATED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:must not|mustn't|should not|shouldn't|may not|don't|do not|never|without)\\s+(?:change|changing|touch|touching|modify|modifying|edit|editing|alter|altering)\\s+${ALL_OF}${PATHS}${END}`,
    "gim",
  ),
  new RegExp(
    `\\b(?:leave|keep)\\s+${ALL_OF}${PATHS}\\s+(?:alone|unchanged|untouched|as (?:it is|is|they are))\\b`,
    "gim",
  ),
];

const MOST = 10;

/** Paths of the project that the spec says must not change. A word that names no file or folder here is left to the reviewers. */
export function statedMustNots(
  spec: string,
  files: readonly string[],
  folder: string,
): readonly Extract<MustNot, { kind: "path" }>[] {
  const known = new Set(files);
  const globs = STATED.flatMap((pattern) => [...spec.matchAll(pattern)])
    .flatMap(([, list = ""]) => list.split(/,\s*|\s+(?:and|or|nor)\s+/))
    .flatMap((word) => globOf(word, known, files, folder) ?? []);
  return [...new Set(globs)].slice(0, MOST).map((glob) => ({ kind: "path", glob }));
}

function globOf(
  word: string,
  known: ReadonlySet<string>,
  files: readonly string[],
  folder: string,
): string | null {
  const isMarked = /`|\s(?:folder|directory)$/.test(word);
  const path = word
    .replace(/\s(?:folder|directory)$/, "")
    .replace(/`|^(?:and|or|nor)\s+/g, "")
    .replace(/^\.\//, "")
    .replace(/\.$/, "");
  // A plain word may mean anything: "don't change tests".
  if (!isMarked && !/[/.]/.test(path)) return null;
  if (path.split("/").includes("..")) return null;
  for (const base of folder === "" ? [""] : [folder, ""]) {
    const found = globAt(pathBelow(base, path.replace(/\/$/, "")), known, files);
    if (found !== null) return found;
  }
  return null;
}

function globAt(path: string, known: ReadonlySet<string>, files: readonly string[]): string | null {
  if (known.has(path)) return path;
  const fixed = path.replace(/(?:^|\/)[^/]*\*.*$/, "");
  const isFolder = fixed !== "" && files.some((each) => each.startsWith(`${fixed}/`));
  if (!isFolder) return null;
  return path.includes("*") ? path : `${path}/**`;
}
