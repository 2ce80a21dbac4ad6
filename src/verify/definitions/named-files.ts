import { folderOf, pathIn } from "./project-files.ts";

const LITERAL = /"([^"\n\\]{1,200})"|'([^'\n\\]{1,200})'|`([^`\n\\$]{1,200})`/g;
const ENDINGS = ["", ...".ts .tsx .js .jsx .mjs .cjs .mts .cts .json /index.ts /index.js".split(" ")];
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([\w, \t]*)|import[ \t]+([\w., \t]+))/gm;
const PYTHON_ROOTS = ["", "src", "lib"];
const LONGEST_TEXT = 256 * 1024;

/** The files of the project that a file mentions: its imports, and paths in its strings. */
export function namedFiles(
  {
    path,
    text,
    folders,
  }: { readonly path: string; readonly text: string; readonly folders: readonly string[] },
  has: ReadonlySet<string>,
): ReadonlySet<string> {
  const own = folderOf(path);
  const bases = new Set([own, ...folders, ""]);
  const found = new Set<string>();
  const add = (candidates: Iterable<string | null>): void => {
    for (const each of candidates) if (each !== null && each !== path && has.has(each)) found.add(each);
  };
  const read = text.slice(0, LONGEST_TEXT);
  for (const name of pathLiterals(read, MAY_BE_PATH)) {
    for (const base of /^\.\.?\//.test(name) ? new Set([own, ...folders]) : bases)
      add(spelledFrom(base, name));
  }
  if (path.endsWith(".py")) {
    for (const module of pythonModules(read)) {
      for (const base of new Set([...bases, ...PYTHON_ROOTS]))
        add(moduleFrom(module.startsWith(".") ? own : base, module));
    }
  }
  return found;
}

const MAY_BE_PATH = /^[\w@.\-/ ]*[./][\w@.\-/ ]*$/;

/** Strings that may be paths, by their shape, also joined ones: `join(here, "data", "a.json")`. */
export function pathLiterals(text: string, shape: RegExp): ReadonlySet<string> {
  const names = new Set<string>();
  let joined = "";
  let end = -1;
  for (const match of text.matchAll(LITERAL)) {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    const isNext =
      end !== -1 && /^\s{0,20}[,/]\s{0,20}$/.test(text.slice(end, Math.min(match.index, end + 50)));
    joined = isNext && joined.length < 200 ? `${joined}/${name}` : name;
    end = match.index + match[0].length;
    for (const each of [name, joined]) if (shape.test(each)) names.add(each);
  }
  return names;
}

/** The paths a name may mean: extensions may be left out, and TypeScript is imported under its JavaScript name. */
export function spelledFrom(base: string, name: string): readonly string[] {
  const path = pathIn(base, name);
  if (path === null || path === "") return [];
  const typescript = /\.[cm]?jsx?$/.test(path)
    ? [path.replace(/js(x?)$/, "ts$1"), path.replace(/js$/, "tsx")]
    : [];
  return [...ENDINGS.map((ending) => path + ending), ...typescript];
}

function pythonModules(text: string): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const [, from, names = "", plain = ""] of text.matchAll(PYTHON_IMPORT)) {
    const parent = from === undefined || from.endsWith(".") ? (from ?? "") : `${from}.`;
    if (from !== undefined) modules.add(from);
    for (const each of (from === undefined ? plain : names).split(",")) {
      const name = each.trim().split(/\s/)[0] ?? "";
      if (name !== "") modules.add(parent + name);
    }
  }
  return modules;
}

function moduleFrom(base: string, module: string): readonly string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const up = dots === 0 ? "" : "../".repeat(dots - 1);
  const path = pathIn(base, up + module.slice(dots).replaceAll(".", "/"));
  return path === null || path === "" ? [] : [`${path}.py`, `${path}/__init__.py`];
}
