import { runnerReport, NameTree, type Reader, type RunnerReport } from "../test-report.ts";
import { nodeReport, nodeSummaryAt, SUMMARY_LINES, type NodeResult } from "./node-test.ts";

const VERSION = /^TAP version \d+$/;
const PLAN = /^1\.\.(\d{1,9})(?: .*)?$/;
const POINT = /^( *)(ok|not ok)\b(?: (\d{1,9})(?=\s|$))?(?: - | )?(.*)$/;
/** Its number stands alone: `ok 1.2.3 is newer` is what some script says. */
const FIRST_POINT = /^(?:not )?ok 1(?=\s|$)/;
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
 * TAP from any producer. It begins with its version, or with a first point or plan, and has one of version, plan and bailing out.
 * Node's own runner adds a summary below the
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
    if (PLAN.test(text) || FIRST_POINT.test(text)) session ??= begun(line, false);
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
  const isFirst = FIRST_POINT.test(text) || PLAN.test(text);
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
  const [, indent, result, number, description] = POINT.exec(text) ?? [];
  if (indent === undefined || description === undefined) return;
  if (isVerdict(number, description, session)) return;
  session.points.add(indent.length, result === "ok", description);
  session.to = line;
}

/** A program that reads TAP repeats it, and says below a whole document only whether it is fine. */
function isVerdict(number: string | undefined, description: string, { plan, points }: Session): boolean {
  return number === undefined && description === "" && plan !== null && points.top >= plan;
}

function closed(session: Session): readonly RunnerReport[] {
  const { points, plan } = session;
  if (!session.hasVersion && (points.top === 0 || isOnlyPoints(session))) return [];
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

/** A script that prints `ok 1` for what it tried promises no end, so nothing tells whether it was cut off. */
function isOnlyPoints({ plan, hasBailedOut }: Session): boolean {
  return plan === null && !hasBailedOut;
}

const DIRECTIVE = /(?<!\\)# ?(skip|todo)\b.*$/i;
const TIME = / # time=[\d.]+m?s$/;

interface Point extends NodeResult {
  readonly kind: "executed" | "skipped" | "todo";
}

/** The test points of one TAP document. A point with subpoints is a parent, whichever came first. */
class TapPoints {
  readonly #tree = new NameTree();
  #leaves: Point[] = [];
  #last: Point | null = null;
  #deepest = 0;
  parents = 0;
  /** Top-level points, which the plan counts. */
  top = 0;

  enter(indent: number, name: string): void {
    this.#tree.enter(indent, unescaped(name.trim()));
  }

  add(indent: number, hasPassed: boolean, description: string): void {
    if (indent === 0) this.top += 1;
    const opens = description.endsWith(" {");
    const told = opens ? description.slice(0, -2) : description;
    const directive = DIRECTIVE.exec(told)?.[1]?.toLowerCase();
    const name = unescaped(told.replace(DIRECTIVE, "").replace(TIME, "").trim());
    const hasChildren = this.#deepest > indent;
    this.#deepest = indent;
    this.#last = null;
    if (opens) {
      this.#tree.enter(indent, name);
      return;
    }
    this.#tree.closes(indent, name);
    if (hasChildren) {
      this.parents += 1;
      return;
    }
    const kind = directive === undefined ? "executed" : directive === "skip" ? "skipped" : "todo";
    this.#last = { name: this.#tree.nameAt(indent, name), hasPassed, kind };
    this.#leaves.push(this.#last);
  }

  /** Node marks a point as a suite in the lines below it. */
  lastIsSuite(): void {
    if (this.#last !== null && this.#leaves.at(-1) === this.#last) this.#leaves.pop();
    this.#last = null;
  }

  executed(): readonly NodeResult[] {
    return this.#leaves.filter(({ kind }) => kind === "executed");
  }

  get skipped(): number {
    return this.#leaves.filter(({ kind }) => kind === "skipped").length;
  }

  get todo(): number {
    return this.#leaves.filter(({ kind }) => kind === "todo").length;
  }
}

function unescaped(name: string): string {
  return name.replace(/\\([#\\])/g, "$1");
}

const ASSERTS =
  /^Asserts: +(\d{1,9}) pass +(\d{1,9}) fail(?: +(\d{1,9}) skip)?(?: +(\d{1,9}) todo)? +\d+ of \d+ complete$/;

const FILE = /^ (?:PASS|FAIL|TODO|SKIP) /;

/** What the program `tap` prints instead of the TAP it read. */
export const readNodeTap: Reader = (lines) => {
  let from = -1;
  return lines.flatMap((text, line) => {
    if (from < 0 && FILE.test(text)) from = line;
    const found = ASSERTS.exec(text);
    if (found === null) return [];
    const begun = from < 0 ? line : from;
    from = -1;
    const [passed = 0, failed = 0, skipped = 0, todo = 0] = found
      .slice(1)
      .map((number) => Number(number ?? 0));
    return [runnerReport({ runner: "tap", from: begun, to: line, passed, failed, skipped, todo })];
  });
};
