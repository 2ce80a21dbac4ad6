import { folderOf, nameOf } from "./project-path.ts";

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

export const REQUIREMENT_FILES = /(?:^|\/)(?:requirements[\w.-]*\.txt|pyproject\.toml)$/;

/** The packages that a project asks for, as the names under which they are usually imported. */
export function requiredModules(path: string, text: string): ReadonlySet<string> {
  const lists = path.endsWith(".toml")
    ? [...text.matchAll(DEPENDENCIES)].map(([, list = ""]) => list.replaceAll(",", "\n"))
    : [text];
  const names = lists.flatMap((list) => [...list.matchAll(REQUIREMENT)].map(([, name = ""]) => name));
  return new Set(names.map((name) => name.toLowerCase().replaceAll(/[.-]/g, "_")));
}
