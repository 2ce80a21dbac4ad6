import type { TestReport } from "../test-reports/test-report.ts";

/**
 * For a failed run: it ran no test, or only files that could not be loaded failed. Those miss something that doesn't exist and
 * say nothing about what does. `own`: the report of the check's own run.
 */
export function hasRunNothing(report: TestReport | null, own: TestReport | null): boolean {
  if (report === null) return own !== null;
  return report.failed === 0 && (report.errors > 0 || report.executed === 0);
}
