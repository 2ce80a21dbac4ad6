import type { TestReport } from "../test-reports/test-report.ts";

/**
 * Of a run that failed: it came to no test, or nothing but files that could not be loaded failed. They miss something that is
 * not there, and say nothing about what is. `own`: what the check's own run reported.
 */
export function hasRunNothing(report: TestReport | null, own: TestReport | null): boolean {
  if (report === null) return own !== null;
  return report.failed === 0 && (report.errors > 0 || report.executed === 0);
}
