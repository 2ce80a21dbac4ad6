import { isNamedAsHelper } from "./judging-data.ts";
import { isBelow, nameOf } from "./project-path.ts";
import { isCodeOf, type Family } from "./test-files.ts";

const DEFINES_TESTS: Partial<Record<Family, RegExp>> = {
  javascript: /(?<![.\w$]|function\s)(?:test|it|describe|suite)(?:\.\w+)*\s*\(/,
  python: /^\s*(?:async\s+)?def\s+test|^class\s+Test|\bTestCase\b/m,
};

/** Whether a file exists for its tests. Tests inside a source, next to its own code, don't make it one. */
export function definesTests(path: string, family: Family, text: string): boolean {
  if (!isCodeOf(path, family)) return true;
  return !text.includes("import.meta.vitest") && DEFINES_TESTS[family]?.test(text) === true;
}

const SOURCE_FOLDER = /(?:^|\/)(?:src|lib)\//;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__\w+__|cypress)\//;
const DOUBTFUL_FOLDER = /^(.*?\/)?(?:specs?|e2e)\//;

/** A source that is only named like a test: `src/test-runner.js`, `src/spec/parser.js`. */
export function mayBeSource(path: string, family: Family): boolean {
  if (DEFINES_TESTS[family] === undefined || !isCodeOf(path, family)) return false;
  if (!SOURCE_FOLDER.test(path) || TEST_FOLDER.test(path) || isNamedAsHelper(path)) return false;
  if (/[._-](?:tests?|specs?|e2e|cy)\.\w+$/.test(path)) return false;
  return DOUBTFUL_FOLDER.test(path) || /^test[-_]/.test(nameOf(path));
}

/** Whether tests elsewhere import it: next to them, it is one of their helpers. */
export function isImportedFromElsewhere(path: string, importers: readonly string[]): boolean {
  const folder = DOUBTFUL_FOLDER.exec(path)?.[0].replace(/\/$/, "");
  return importers.some((each) => each !== path && (folder === undefined || !isBelow(each, folder)));
}
