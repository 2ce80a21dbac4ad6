import { folderOf, nameOf } from "./project-path.ts";
import { isCode, mayCount } from "./test-files.ts";

const TELLING =
  /(?:^|[/._-])(?:(?:__)?fixtures?(?:__)?|goldens?|(?:__)?snapshots?(?:__)?|test[-_]?data|(?:test[-_]?)?cases|(?:__)?mocks?(?:__)?|expected|expectations?|cassettes)(?=$|[/._-])/i;
const HELPER =
  /(?:^|[/._-])(?:test[-_]?(?:utils?|helpers?|support|data)|(?:__)?mocks?(?:__)?|(?:__)?fixtures?(?:__)?)(?:\/|\.\w+$)|(?:^|\/)testing(?:\/|\.\w+$)|^support\//i;
const DATA = /\.(?:jsonl?|ndjson|json5|csv|tsv|txt|snap|ya?ml|xml|dat|bin|out|in|golden|approved|har)$/i;
const SOURCE_FOLDER =
  /(?:^|\/)(?:src|lib|app|public|static|assets|www|dist|build|docs?|config|migrations|locales|i18n|\.[^/]+)\//;
const MANIFEST =
  /^(?:package|composer|manifest|deno|jsr|vercel|angular|tsconfig.*|jsconfig.*)\.jsonc?$|lock\.(?:json|ya?ml)$|^requirements.*\.txt$|^(?:robots|LICENSE|CMakeLists)\.txt$|^\.|\.config\./i;

/** Code that tests import is what they test, unless its name or folder says that it is a helper. */
export function isNamedAsHelper(path: string): boolean {
  return HELPER.test(path);
}

/** Data whose name says that something is compared with it. */
export function isNamedAsExpected(path: string): boolean {
  return !isCode(path) && mayCount(path) && TELLING.test(path);
}

/** Whether the input of a comparing program says what is right. */
export function isHeldAgainst(path: string): boolean {
  if (!mayCount(path) || MANIFEST.test(nameOf(path))) return false;
  return TELLING.test(path) || (!isCode(path) && DATA.test(path));
}

/** Data that somebody reads, wherever it is. */
export function isData(path: string): boolean {
  return !isCode(path) && mayCount(path) && DATA.test(path) && !MANIFEST.test(nameOf(path));
}

/** Data that may be an expectation, or what a program works with. */
export function mayBeExpected(path: string): boolean {
  if (!isData(path) || SOURCE_FOLDER.test(path)) return false;
  // A description of a service or its setup: usually the work.
  return folderOf(path) !== "" || !/\.(?:ya?ml|xml)$/i.test(path);
}
