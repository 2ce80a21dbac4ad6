import { nameOf } from "./project-path.ts";

/** A family of languages that share runners and conventions. */
export type Family =
  | "javascript"
  | "python"
  | "go"
  | "rust"
  | "ruby"
  | "java"
  | "php"
  | "dotnet"
  | "elixir"
  | "swift"
  | "dart"
  | "c"
  | "shell";

interface Convention {
  /** Extensions of files with code. */
  readonly code: RegExp;
  /** The name of a file with tests, wherever it is. */
  readonly name: RegExp;
  /** Folders where all code and data belongs to the tests. */
  readonly folders: RegExp;
}

const CONVENTIONS: Readonly<Record<Family, Convention>> = {
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
    folders: /^(?:spec|test|features)$/,
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
    name: /^test_.*\.(?:c|cc|cpp|cxx|zig)$|_test\.(?:c|cc|cpp|cxx|zig)$/,
    folders: /^(?:test|tests|testdata)$/,
  },
  shell: {
    code: /\.(?:sh|bash|bats)$/,
    name: /\.bats$|^test_.*\.sh$|[_.-]test\.sh$/,
    folders: /^(?:test|tests)$/,
  },
};

export const FAMILIES = Object.keys(CONVENTIONS) as readonly Family[];

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

export function isTestFile(path: string, family: Family): boolean {
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
