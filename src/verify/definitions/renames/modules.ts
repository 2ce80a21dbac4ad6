import { folderOf, pathIn } from "../project-files.ts";

/** The files of a project by what imports may call them. */
export interface Modules {
  /** The files that a module's name may mean in a file; none for a module from elsewhere. */
  find(module: string, from: string): readonly string[];
}

/** Files that stand for their folder. */
const OF_FOLDER = /\/(?:index|__init__|mod|lib)$/;
const JAVASCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const BY_PATH = /\.(?:c|cc|cpp|cxx|h|hpp|mm?|rb|rake|sh|bash|bats)$/;
/** In Rust, a program of its own, which nothing else can use. */
const OWN_CRATE = /(?:^|\/)(?:tests|examples|benches)\/[^/]+\.rs$/;
const RELATIVE = /^\.{1,2}\//;

export function modulesAmong(paths: Iterable<string>): Modules {
  const byEnd = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const add = (to: Map<string, string[]>, name: string, path: string): void => {
    to.set(name, [...(to.get(name) ?? []), path]);
  };
  for (const path of paths) {
    const plain = path.replace(/\.\w+$/, "");
    for (const name of new Set([path, plain, plain.replace(OF_FOLDER, "")])) {
      add(byName, name, path);
      for (let at = -1; at !== 0; at = name.indexOf("/", at + 1) + 1)
        add(byEnd, name.slice(Math.max(at, 0)), path);
    }
  }
  const at = (path: string | null): readonly string[] =>
    path === null
      ? []
      : [...new Set([path, path.replace(/\.\w+$/, "")].flatMap((each) => byName.get(each) ?? []))];
  return {
    find: (module, from) => {
      if (RELATIVE.test(module)) return at(pathIn(folderOf(from), module));
      // An alias for the root of the sources.
      if (JAVASCRIPT.test(from)) return byEnd.get(/^[@~#]\/(.+?)(?:\.\w+)?$/.exec(module)?.[1] ?? "") ?? [];
      if (BY_PATH.test(from)) {
        const near = at(pathIn(folderOf(from), module));
        return near.length > 0 ? near : (byEnd.get(module) ?? []);
      }
      const isAble = (path: string): boolean => !from.endsWith(".rs") || !OWN_CRATE.test(path);
      return (
        dotted(module)
          .map((name) => (byEnd.get(name) ?? []).filter(isAble))
          .find((found) => found.length > 0) ?? []
      );
    },
  };
}

/** The last name may be something inside the file, and the first one the package's own. */
function dotted(module: string): readonly string[] {
  const names = module.split(/[.\\:]+/).filter((name) => !/^(?:|crate|self|super)$/.test(name));
  const spans = [names, names.slice(0, -1), names.slice(1), names.slice(1, -1)];
  return spans.flatMap((span) => (span.length === 0 ? [] : [span.join("/")]));
}

/** A text by its path. */
type Texts = ReadonlyMap<string, string>;

const LEAST_ALIKE = 0.5;
const MOST_FILES = 200;

/** Where files went that are gone: to the added one with the same ending whose lines are most like theirs. */
export function movedFiles(gone: Texts, added: Texts): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  for (const [path, text] of [...gone].slice(0, MOST_FILES)) {
    const lines = linesOf(text);
    let best = { path: "", alike: LEAST_ALIKE };
    for (const [other, now] of [...added].slice(0, MOST_FILES)) {
      if (endingOf(other) !== endingOf(path)) continue;
      const alike = likeness(lines, linesOf(now));
      if (alike > best.alike) best = { path: other, alike };
    }
    if (best.path !== "") moved.set(path, best.path);
  }
  return moved;
}

function endingOf(path: string): string {
  return /\.\w+$/.exec(path)?.[0] ?? "";
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** How many of their lines two files have in common, from 0 to 1. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of one) left.set(line, (left.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of other) {
    const count = left.get(line) ?? 0;
    if (count > 0) common += 1;
    left.set(line, count - 1);
  }
  return common / Math.max(1, one.length, other.length);
}
