import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DefinitionChange } from "../definitions/definition.ts";
import { below, folderOf, nameOf } from "../definitions/project-files.ts";
import { readKept, type Listing, type Place } from "./kept-files.ts";
import type { Baseline } from "./baseline-record.ts";

interface ShadowOptions {
  readonly place: Place;
  readonly baseline: Baseline;
  readonly before: Listing;
  readonly now: Listing;
}

/**
 * New files that take the place of a module which the tests, or their runner, import: `csv.py` in the project instead of Python's
 * own. Such a file may be the work, too.
 */
export async function shadowsOf(options: ShadowOptions): Promise<readonly DefinitionChange[]> {
  const { baseline, before, now } = options;
  if (!runsPython(baseline)) return [];
  const added = [...now.keys(), ...(await unlistedModules(options))].flatMap((path) => {
    const name = before.has(path) ? null : topModuleOf(path, (each) => now.has(each));
    return name === null ? [] : [{ path, name }];
  });
  if (added.length === 0) return [];
  const required = new Set([...(await requiredThen(options)), ...(await importedThen(options))]);
  return added
    .filter(({ name }) => isStandardModule(name) || required.has(name.toLowerCase()))
    .map(({ path }) => ({ kind: "input", path, part: null, change: "added" }));
}

function runsPython({ meaning }: Baseline): boolean {
  return (
    meaning?.definitions.some(
      ({ path, digest }) => path.endsWith("sitecustomize.py") || (digest !== null && path.endsWith(".py")),
    ) === true
  );
}

const MOST_FOLDERS = 50;

/** Files that git ignores, where Python looks first: next to what judges, and at the top. */
async function unlistedModules({ place, baseline, now }: ShadowOptions): Promise<readonly string[]> {
  const judges = baseline.meaning?.definitions.filter(
    ({ digest, path }) => digest !== null && path.endsWith(".py"),
  );
  const folders = new Set(["", ...(judges ?? []).map(({ path }) => folderOf(path))]);
  const found: string[] = [];
  for (const folder of [...folders].slice(0, MOST_FOLDERS)) {
    const entries = await readdir(join(place.root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = below(folder, entry.name);
      if (entry.isFile() && entry.name.endsWith(".py") && !now.has(path)) found.push(path);
    }
  }
  return found;
}

const IMPORTS = /^[ \t]*(?:import[ \t]+([\w., \t]+)|from[ \t]+(\w+)[\w.]*[ \t]+import\b)/gm;

/** What judges imported from elsewhere at the opening: no file of the project had that name. */
async function importedThen({ place, baseline, before }: ShadowOptions): Promise<readonly string[]> {
  const judges = (baseline.meaning?.definitions ?? []).filter(
    ({ digest, path, part }) => digest !== null && part === null && path.endsWith(".py"),
  );
  const own = new Set([...before.keys()].flatMap((path) => path.replace(/\.py$/, "").split("/")));
  const texts = await readKept(place, baseline.kept, new Set(judges.map(({ path }) => path)));
  return [...texts.values()]
    .flatMap(({ content }) => [...content.toString("utf8").matchAll(IMPORTS)])
    .flatMap(([, several = "", one = ""]) => [one, ...several.split(",").map((each) => each.trim())])
    .map((each) => (/^\w+/.exec(each)?.[0] ?? "").toLowerCase())
    .filter((each) => each !== "" && !own.has(each));
}

async function requiredThen({ place, baseline, before }: ShadowOptions): Promise<ReadonlySet<string>> {
  const paths = [...before.keys()].filter((path) => REQUIREMENT_FILES.test(path));
  if (paths.length === 0) return new Set();
  const files = await readKept(place, baseline.kept, new Set(paths));
  return new Set(
    [...files].flatMap(([path, { content }]) => [...requiredModules(path, content.toString("utf8"))]),
  );
}

/** Python's own modules: a file with such a name, where Python looks first, takes its place for everybody who imports it. */
const STANDARD: ReadonlySet<string> = new Set(
  `abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
   builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
   compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses
   dataclasses datetime dbm decimal difflib dis distutils doctest email encodings enum errno
   faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
   getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib
   inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal
   math mimetypes mmap modulefinder msilib multiprocessing netrc nis nntplib ntpath nturl2path numbers
   opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
   plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data
   pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
   selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3
   sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau
   symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time
   timeit tkinter token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata
   unittest urllib uu uuid warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile
   zipimport zlib zoneinfo`.split(/\s+/),
);

const AT_START = /^(?:sitecustomize|usercustomize)$/;

/** The module that a path gives a name in a folder where Python may look; null: it is inside a package, or not Python. */
export function topModuleOf(path: string, has: (path: string) => boolean): string | null {
  if (!path.endsWith(".py")) return null;
  const isPackage = nameOf(path) === "__init__.py";
  const folder = isPackage ? folderOf(folderOf(path)) : folderOf(path);
  if (folder !== "" && has(`${folder}/__init__.py`)) return null;
  const name = isPackage ? nameOf(folderOf(path)) : nameOf(path).slice(0, -3);
  return name === "" ? null : name;
}

export function isStandardModule(name: string): boolean {
  return STANDARD.has(name) || AT_START.test(name);
}

const DEPENDENCIES = /^[\w-]*dependencies\s*=\s*\[([^\]]*)\]/gm;
const REQUIREMENT = /^\s*["']?([A-Za-z][\w.-]*)/gm;

const REQUIREMENT_FILES = /(?:^|\/)(?:requirements[\w.-]*\.txt|pyproject\.toml)$/;

/** The packages that a project asks for, as the names under which they are usually imported. */
export function requiredModules(path: string, text: string): ReadonlySet<string> {
  const lists = path.endsWith(".toml")
    ? [...text.matchAll(DEPENDENCIES)].map(([, list = ""]) => list.replaceAll(",", "\n"))
    : [text];
  const names = lists.flatMap((list) => [...list.matchAll(REQUIREMENT)].map(([, name = ""]) => name));
  return new Set(names.map((name) => name.toLowerCase().replaceAll(/[.-]/g, "_")));
}
