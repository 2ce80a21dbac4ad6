import { nameOf, folderOf, isBelow, type DefiningFiles } from "./project-files.ts";
import type { Definition } from "./definition.ts";

interface Convention {
  /** Extensions of files with code. */
  readonly code: RegExp;
  /** The name of a file with tests, wherever it is. */
  readonly name: RegExp;
  /** Folders where all code and data belongs to the tests. */
  readonly folders: RegExp;
}

/** Languages whose tests are named in the same way, whatever runs them. */
const OTHERS =
  "mli?|hs|lhs|elm|purs|[rR]|jl|nim|cr|[eh]rl|lisp|cl|scm|ss|rkt|tcl|d|gleam|f(?:90|95|03|08)|ad[bs]|pas|sml|fsx|hx|odin|res|sol|cljs|cljc|vala|ps1";

const CONVENTIONS = {
  javascript: {
    code: /\.(?:[cm]?[jt]sx?|vue|svelte|coffee)$/,
    name: /(?:^|[.\-_])(?:test|tests|spec|specs|e2e|cy)\.(?:[cm]?[jt]sx?|vue|svelte|coffee)$|^test-.*\.[cm]?[jt]sx?$|\.(?:snap|feature)$|[a-z]Spec\.[jt]s$/,
    folders: /^(?:test|tests|__tests__|__snapshots__|__mocks__|__fixtures__|e2e|cypress|spec)$/,
  },
  python: {
    code: /\.(?:py|pyi|pyx|ipynb)$/,
    name: /^test_.*\.py$|_test\.py$|^tests?\.py$|\.feature$/,
    folders: /^(?:test|tests)$/,
  },
  go: { code: /\.go$/, name: /_test\.go$/, folders: /^testdata$/ },
  rust: { code: /\.rs$/, name: /^$/, folders: /^(?:tests|snapshots)$/ },
  ruby: {
    code: /\.(?:rb|rake)$/,
    name: /_spec\.rb$|_test\.rb$|^test_.*\.rb$|\.feature$/,
    folders: /^(?:specs?|tests?|features)$/,
  },
  java: {
    code: /\.(?:java|kt|kts|scala|groovy|clj)$/,
    name: /(?:Test|Tests|IT|Spec)\.(?:java|kt|scala|groovy)$/,
    folders: /^(?:test|androidTest|integrationTest|testFixtures)$/,
  },
  php: { code: /\.php$/, name: /Test\.php$|\.phpt$/, folders: /^(?:tests|Tests|test)$/ },
  dotnet: { code: /\.(?:cs|fs|vb)$/, name: /Tests?\.(?:cs|fs|vb)$/, folders: /(?:^|\.)(?:Tests?|tests?)$/ },
  elixir: { code: /\.exs?$/, name: /_test\.exs$/, folders: /^test$/ },
  swift: { code: /\.swift$/, name: /Tests?\.swift$/, folders: /^(?:Tests|.*Tests)$/ },
  dart: { code: /\.dart$/, name: /_test\.dart$/, folders: /^(?:test|integration_test)$/ },
  c: {
    code: /\.(?:c|cc|cpp|cxx|h|hpp|zig|m|mm)$/,
    name: /^test_.*\.(?:c|cc|cpp|cxx|zig)$|(?:^|[._-])(?:tests?|spec)\.(?:c|cc|cpp|cxx|zig)$|[a-z]Tests?\.(?:cc|cpp|cxx)$|^test[\w-]*\.(?:h|hh|hpp)$/,
    folders: /^(?:(?:(?:self|unit)[-_]?)?tests?|testdata|x?t|specs?)$/,
  },
  perl: { code: /\.(?:pl|pm|t)$/, name: /\.t$/, folders: /^x?t$/ },
  lua: {
    code: /\.(?:lua|luau)$/,
    name: /(?:^|_)(?:test|spec)s?\.lua$|^test_.*\.lua$/,
    folders: /^(?:tests?|t|specs?)$/,
  },
  shell: {
    code: /\.(?:sh|bash|bats)$/,
    name: /\.bats$|^test_.*\.sh$|[_.-]test\.sh$/,
    folders: /^(?:tests?|t|specs?)$/,
  },
  other: {
    code: new RegExp(`\\.(?:${OTHERS})$`),
    name: new RegExp(
      `(?:^|[._-])(?:run)?(?:[Tt]ests?|[Ss]pecs?)(?:[._-][\\w.-]*)?\\.(?:${OTHERS})$|[a-z](?:Tests?|Spec)\\.(?:${OTHERS})$|^Tests?[A-Z]\\w*\\.(?:${OTHERS})$|_SUITE\\.erl$`,
    ),
    folders: /^(?:test|tests|spec|specs|testthat)$/,
  },
} satisfies Record<string, Convention>;

/** A family of languages that share runners and conventions. */
export type Family = keyof typeof CONVENTIONS;

const FAMILIES = Object.keys(CONVENTIONS) as readonly Family[];

const NEVER =
  /(?:^|\/)(?:node_modules|\.git|\.loop|__pycache__|\.pytest_cache|\.venv|\.tox|\.nox)(?:\/|$)|\.pyc$/;

export function mayCount(path: string): boolean {
  return !NEVER.test(path);
}

/** A file whose name says that it contains tests. */
export function isNamedAsTest(path: string, family: Family): boolean {
  return (
    CONVENTIONS[family].name.test(nameOf(path)) ||
    (family === "rust" && /(?:^|\/)tests\/[^/]+\.rs$/.test(path))
  );
}

/** A helper, a fixture or a snapshot in a test folder, of this family or of no other. */
function isBesideTests(path: string, family: Family): boolean {
  const { code, folders } = CONVENTIONS[family];
  const names = path.split("/");
  const file = names.pop() ?? "";
  return names.some((name) => folders.test(name)) && (code.test(file) || !isCode(file));
}

/** Folder names so clearly about tests that code of any language in them belongs to the tests. */
const CLEARLY_TESTS = /tests?$|^specs?$|^__|testdata|^e2e$|^cypress$/i;

/** Like `isBesideTests`, for a run of that family: everything in its test folders counts, in any language. */
export function isInTestFolder(path: string, family: Family): boolean {
  const folders = path.split("/").slice(0, -1);
  return (
    isBesideTests(path, family) ||
    folders.some((name) => CONVENTIONS[family].folders.test(name) && CLEARLY_TESTS.test(name))
  );
}

const DATA_FOLDERS = /^(?:fixtures?|goldens?|snapshots|test[-_]?data|mocks|expected|cassettes)$/;
const CLEARLY_DATA = /^(?:__fixtures__|__mocks__|__snapshots__|test[-_]?data|cassettes)$/;

/** Test data by folder name: anywhere if only tests have such a folder, otherwise where the run starts. */
export function isTestData(path: string, folder: string, family: Family): boolean {
  if (family !== "javascript" && family !== "python") return false;
  const names = (folder === "" ? path : path.slice(folder.length + 1)).split("/").slice(0, -1);
  return DATA_FOLDERS.test(names[0] ?? "") || names.some((name) => CLEARLY_DATA.test(name));
}

function isTestFile(path: string, family: Family): boolean {
  return mayCount(path) && (isNamedAsTest(path, family) || isBesideTests(path, family));
}

export function isCodeOf(path: string, family: Family): boolean {
  return CONVENTIONS[family].code.test(path);
}

export function isCode(file: string): boolean {
  return FAMILIES.some((family) => CONVENTIONS[family].code.test(file));
}

/** The language families in a project. */
export function familiesIn(paths: readonly string[]): readonly Family[] {
  const counted = paths.filter(mayCount);
  return FAMILIES.filter((family) => counted.some((path) => CONVENTIONS[family].code.test(path)));
}

const JUDGING_FOLDER = /(?:^|\/)(?:scripts?|tools?|ci|\.ci|\.github|hack|checks?|verify|qa)\//i;
const JUDGING_NAME =
  /(?:^|[._-])(?:tests?|checks?|verify|verifies|validate|specs?|assert|expect(?:ed)?|golden|judge|grade|grader|smoke|acceptance|e2e|lint|ci)(?:[._-]|$)/i;

/** Whether a path's name says that it judges. */
export function isJudge(path: string): boolean {
  return JUDGING_FOLDER.test(path) || JUDGING_NAME.test(nameOf(path)) || isTestPath(path);
}

export function isTestPath(path: string): boolean {
  return FAMILIES.some((family) => isTestFile(path, family));
}

const TELLING =
  /(?:^|[/._-])(?:(?:__)?fixtures?(?:__)?|goldens?|(?:__)?snapshots?(?:__)?|test[-_]?data|(?:test[-_]?)?cases|(?:__)?mocks?(?:__)?|expected|expectations?|cassettes)(?=$|[/._-])/i;
const HELPER =
  /(?:^|[/._-])(?:test[-_]?(?:utils?|helpers?|support|data)|(?:__)?mocks?(?:__)?|(?:__)?fixtures?(?:__)?)(?:\/|\.\w+$)|(?:^|\/)testing(?:\/|\.\w+$)|^support\//i;
const DATA_FILE = /\.(?:jsonl?|ndjson|json5|csv|tsv|txt|snap|ya?ml|xml|dat|bin|out|in|golden|approved|har)$/i;
const SOURCE_FOLDER =
  /(?:^|\/)(?:src|lib|app|public|static|assets|www|dist|build|docs?|config|migrations|locales|i18n|\.[^/]+)\//;
const MANIFEST =
  /^(?:package|composer|manifest|deno|jsr|vercel|angular|tsconfig.*|jsconfig.*)\.jsonc?$|lock\.(?:json|ya?ml)$|^requirements.*\.txt$|^(?:robots|LICENSE|CMakeLists)\.txt$|^\.|\.config\./i;

/** Snapshots that lie beside a test file, in a folder of their own, under a name that has its name in it. */
export function isSnapshotBeside(path: string, test: string): boolean {
  const folder = folderOf(path);
  if (!/^(?:__)?(?:image_)?snapshots(?:__)?$/.test(nameOf(folder)) || folderOf(folder) !== folderOf(test))
    return false;
  return nameOf(path).includes(nameOf(test).replace(/\.\w+$/, ""));
}

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
  return TELLING.test(path) || (!isCode(path) && DATA_FILE.test(path));
}

/** Data that somebody reads, wherever it is. */
export function isData(path: string): boolean {
  return !isCode(path) && mayCount(path) && DATA_FILE.test(path) && !MANIFEST.test(nameOf(path));
}

/** Data that may be an expectation, or what a program works with. */
export function mayBeExpected(path: string): boolean {
  if (!isData(path) || SOURCE_FOLDER.test(path)) return false;
  // A description of a service or its setup: usually the work.
  return folderOf(path) !== "" || !/\.(?:ya?ml|xml)$/i.test(path);
}

const DEFINES_TESTS: Partial<Record<Family, RegExp>> = {
  javascript: /(?<![.\w$]|function\s)(?:test|it|describe|suite)(?:\.\w+)*\s*\(/,
  python: /^\s*(?:async\s+)?def\s+test|^class\s+Test|\bTestCase\b/m,
};

/** Whether a file exists for its tests. Tests inside a source, next to its own code, don't make it one. */
export function definesTests(path: string, family: Family, text: string): boolean {
  if (!isCodeOf(path, family)) return true;
  return !text.includes("import.meta.vitest") && DEFINES_TESTS[family]?.test(text) === true;
}

const USUALLY_SOURCE = /(?:^|\/)(?:src|lib)\//;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__\w+__|cypress)\//;
const DOUBTFUL_FOLDER = /^(.*?\/)?(?:specs?|e2e)\//;

/** A source that is only named like a test: `src/test-runner.js`, `src/spec/parser.js`. */
export function mayBeSource(path: string, family: Family): boolean {
  if (DEFINES_TESTS[family] === undefined || !isCodeOf(path, family)) return false;
  if (!USUALLY_SOURCE.test(path) || TEST_FOLDER.test(path) || isNamedAsHelper(path)) return false;
  if (/[._-](?:tests?|specs?|e2e|cy)\.\w+$/.test(path)) return false;
  return DOUBTFUL_FOLDER.test(path) || /^test[-_]/.test(nameOf(path));
}

/** Whether tests elsewhere import it: next to them, it is one of their helpers. */
export function isImportedFromElsewhere(path: string, importers: readonly string[]): boolean {
  const folder = DOUBTFUL_FOLDER.exec(path)?.[0].replace(/\/$/, "");
  return importers.some((each) => each !== path && (folder === undefined || !isBelow(each, folder)));
}

const USES_A_RUNNER = /["'](?:node:test|vitest|@jest\/globals|mocha|ava|tap|tape|uvu|bun:test)["']/;
const MOST_READ = 200;

/** Test files that only assert, for a runner that runs each file as a program and doesn't need more. */
export async function plainTests(
  files: DefiningFiles,
  definitions: readonly Definition[],
): Promise<readonly string[]> {
  const tests = definitions.filter(
    ({ kind, path, part, digest }) =>
      kind === "test" && part === null && digest !== null && isNamedAsTest(path, "javascript"),
  );
  const plain: string[] = [];
  for (const { path } of tests.slice(0, MOST_READ)) {
    const text = await files.read(path);
    if (text !== null && !USES_A_RUNNER.test(text)) plain.push(path);
  }
  return plain;
}
