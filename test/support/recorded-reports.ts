import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestReport } from "../../src/verify/reports/test-report.ts";

const FOLDER = "test/fixtures/test-reports";

/** What test runners really printed, as RUNNER/SCENE; scripts/record-test-reports.mjs recorded it. */
export const RECORDED: readonly string[] = readdirSync(FOLDER)
  .flatMap((runner) => readdirSync(join(FOLDER, runner)).map((file) => `${runner}/${file}`))
  .map((path) => path.replace(/\.txt$/, ""))
  .toSorted();

export function recorded(scene: string): string {
  return readFileSync(join(FOLDER, `${scene}.txt`), "utf8");
}

/** A report in a line: every number that is not 0, and every mark that is set. */
export function inWords(report: TestReport | null): string {
  if (report === null) return "nothing";
  const counts = (["passed", "failed", "skipped", "todo", "deselected", "errors"] as const)
    .filter((key) => report[key] > 0)
    .map((key) => `${report[key]} ${key}`);
  const marks = [
    report.unit === "packages" ? "packages" : "",
    report.names === null ? "" : `${report.names.length} named`,
    report.reports > 1 ? `${report.reports} reports` : "",
    report.withoutTests.length > 0 ? `without tests ${report.withoutTests.join(" ")}` : "",
    report.isCutShort ? "cut short" : "",
    report.isContradictory ? "contradictory" : "",
    report.isPartial ? "partial" : "",
  ].filter((mark) => mark !== "");
  return `${report.runner}: ${[counts.join(", ") || "none", ...marks].join("; ")}`;
}
