import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { nodeReport, nodeSummaryAt, SUMMARY_LINES } from "./node-test.ts";
import { TapPoints } from "./tap-points.ts";

const VERSION = /^TAP version \d+$/;
const PLAN = /^1\.\.(\d{1,9})(?: .*)?$/;
const POINT = /^( *)(ok|not ok)\b(?: (\d{1,9}))?(?: - | )?(.*)$/;
const SUBTEST = /^( *)# Subtest: (.*)$/;
const SUITE = /^ +type: 'suite'$/;
const BAIL_OUT = /^Bail out!/;

interface Session {
  readonly from: number;
  readonly hasVersion: boolean;
  readonly points: TapPoints;
  to: number;
  plan: number | null;
  plans: number;
  hasBailedOut: boolean;
}

/**
 * TAP from any producer. It begins with its version, or with a first point or plan. Node's own runner adds a summary below the
 * plan, which then counts. What tests print comes before the plan, after a "#".
 */
export const readTap: Reader = (lines) => {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  for (let line = 0; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    if (VERSION.test(text) || (session !== null && beginsAnew(text, session))) {
      if (session !== null) reports.push(...closed(session));
      session = begun(line, VERSION.test(text));
    }
    if (PLAN.test(text) || /^(?:not )?ok 1\b/.test(text)) session ??= begun(line, false);
    if (session === null) continue;
    notice(text, line, session);
    const counts = session.plan === null ? null : nodeSummaryAt(lines, line, "#");
    if (counts === null) continue;
    line += SUMMARY_LINES - 1;
    reports.push(
      nodeReport(counts, session.points.executed(), session.points.parents, { from: session.from, to: line }),
    );
    session = null;
  }
  if (session !== null) reports.push(...closed(session));
  return reports;
};

function begun(from: number, hasVersion: boolean): Session {
  return { from, hasVersion, points: new TapPoints(), to: from, plan: null, plans: 0, hasBailedOut: false };
}

/** Another producer without a version: the plan is complete, and numbers start again. */
function beginsAnew(text: string, { plan, points }: Session): boolean {
  const isFirst = /^(?:not )?ok 1\b/.test(text) || PLAN.test(text);
  return isFirst && plan !== null && points.top > 0 && points.top >= plan;
}

function notice(text: string, line: number, session: Session): void {
  const plan = PLAN.exec(text)?.[1];
  if (plan !== undefined) {
    session.plan = Number(plan);
    session.plans += 1;
    session.to = line;
    return;
  }
  const [, subtestIndent, subtest] = SUBTEST.exec(text) ?? [];
  if (subtestIndent !== undefined && subtest !== undefined)
    session.points.enter(subtestIndent.length, subtest);
  if (SUITE.test(text)) session.points.lastIsSuite();
  if (BAIL_OUT.test(text)) session.hasBailedOut = true;
  const [, indent, result, , description] = POINT.exec(text) ?? [];
  if (indent === undefined || description === undefined) return;
  session.points.add(indent.length, result === "ok", description);
  session.to = line;
}

function closed(session: Session): readonly RunnerReport[] {
  const { points, plan } = session;
  if (!session.hasVersion && points.top === 0) return [];
  const executed = points.executed();
  const passed = executed.filter(({ hasPassed }) => hasPassed).length;
  return [
    runnerReport({
      runner: "TAP",
      from: session.from,
      to: session.to,
      passed,
      failed: executed.length - passed,
      skipped: points.skipped,
      todo: points.todo,
      names: executed.map(({ name }) => name),
      isCutShort: session.hasBailedOut || plan === null || points.top < plan,
      isContradictory: session.plans > 1 || (plan !== null && points.top > plan),
      isCounted: true,
    }),
  ];
}
