import { hasPassed } from "../checks/check-site.ts";
import { CANNOT_RUN } from "../baseline/shortfalls.ts";
import { hasRunNothing, isOnlyBeginning } from "../reports/compare-reports.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";

/** `unclear`: it failed before it reached what the fault changes, or didn't end. */
export type Noticing = "noticed" | "unnoticed" | "unclear";

/** How compilers and interpreters begin to say that they don't accept a file. */
const NOT_ACCEPTED =
  /\S:\d+:\d+: (?:fatal )?error\b|\.java:\d+: error:|^error(?:\[E\d+\])?: |\berror (?:TS|CS)\d+|\[build failed\]|^# \S+\n\S+\.go:\d+:\d+: |\b(?:SyntaxError|IndentationError|TabError|CompileError|TokenMissingError)\b|\bParse error: |: syntax error\b|undefined reference to|\bld returned \d|^e: .+\.kts?:|COMPILATION ERROR/m;

/**
 * Whether a check noticed a fault, by a run with it. `own`: the report of its run without. A file that isn't accepted with the
 * fault says nothing about what a test looks at.
 */
export function noticingOf(outcome: CommandOutcome, own: TestReport | null): Noticing {
  if (hasPassed(outcome)) return "unnoticed";
  const { ending, output } = outcome;
  if (ending.type === "timed-out" || ending.type === "not-started" || ending.type === "aborted")
    return "unclear";
  if (ending.type === "exited" && CANNOT_RUN.has(ending.code)) return "unclear";
  const report = readTestReport(output);
  const isReported = own !== null && !isOnlyBeginning(own);
  if (!isReported || own.executed === 0) return NOT_ACCEPTED.test(output) ? "unclear" : "noticed";
  if (report === null || hasRunNothing(report, own)) return "unclear";
  // All tests ended as before: something else fails, such as a formatter or a limit for coverage.
  const isSame = report.failed <= own.failed && report.executed >= own.executed && !report.isCutShort;
  return isSame ? "unnoticed" : "noticed";
}

/** Of several checks: one that notices is enough, and one that leaves it unclear might have. */
export async function firstNoticing<Check>(
  checks: readonly Check[],
  look: (check: Check) => Promise<Noticing>,
): Promise<Noticing> {
  let seen: Noticing = "unnoticed";
  for (const check of checks) {
    const noticing = await look(check);
    if (noticing === "noticed") return noticing;
    if (noticing === "unclear") seen = noticing;
  }
  return seen;
}
