import { isOnlyBeginning } from "../reports/compare-reports.ts";
import type { TestReport } from "../reports/test-report.ts";

/**
 * For a failed run: it ran no test, or only files that could not be loaded failed. Those miss something that doesn't exist and
 * say nothing about what does. `own`: the report of the check's own run. A check that never reports tests has its exit code.
 */
export function hasRunNothing(report: TestReport | null, own: TestReport | null): boolean {
  const isReported = own !== null && !isOnlyBeginning(own);
  if (report === null || isOnlyBeginning(report)) return isReported;
  return report.failed === 0 && (report.errors > 0 || report.executed === 0);
}
