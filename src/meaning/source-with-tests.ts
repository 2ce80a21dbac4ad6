import { isCodeOf, type Family } from "./test-files.ts";

const DEFINES_TESTS: Partial<Record<Family, RegExp>> = {
  javascript: /\b(?:test|it|describe|suite)(?:\.\w+)*\s*\(/,
  python: /^\s*(?:async\s+)?def\s+test|^class\s+Test|\bTestCase\b/m,
};

/** Whether a file is there for its tests. Tests inside a source, which it holds beside its own code, do not make it one. */
export function definesTests(path: string, family: Family, text: string): boolean {
  if (!isCodeOf(path, family)) return true;
  return !text.includes("import.meta.vitest") && DEFINES_TESTS[family]?.test(text) === true;
}
