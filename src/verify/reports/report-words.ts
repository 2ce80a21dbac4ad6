import type { TestReport } from "./test-report.ts";

/** The result of a check's tests, in a few words. */
export function reportWords({ executed, skipped, unit, isCutShort }: TestReport): string {
  const ran = `${executed} ${executed === 1 ? unit.replace(/s$/, "") : unit}`;
  const left = skipped === 0 ? "" : `, ${skipped} skipped`;
  return `${ran}${left}${isCutShort ? ", and its report is cut short" : ""}`;
}
