import type { TestReport } from "./test-report.ts";

/**
 * node:test also runs files that use no runner at all: such a file is a test itself. `paths`: those files, below the folder that
 * the report names them from.
 */
export function withPlainFiles(report: TestReport | null, paths: readonly string[]): TestReport | null {
  if (report === null || paths.length === 0) return report;
  const isPlain = (name: string): boolean =>
    paths.some((path) => name === path || name.endsWith(`/${path}`) || path.endsWith(`/${name}`));
  const withoutTests = report.withoutTests.filter((name) => !isPlain(name));
  const count = report.withoutTests.length - withoutTests.length;
  return { ...report, withoutTests, executed: report.executed + count, passed: report.passed + count };
}
