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
      return (
        dotted(module)
          .map((name) => byEnd.get(name) ?? [])
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
