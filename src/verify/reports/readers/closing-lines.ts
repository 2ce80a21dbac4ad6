import { type Reader, type RunnerReport, runnerReport } from "../test-report.ts";
import { CLOSING_FORMS, type ClosingForm, type Counted, WORDS } from "./closing-forms.ts";

interface Session {
  readonly from: number;
  readonly hasBegun: boolean;
  readonly counts: Map<Counted, number>;
  readonly names: string[];
  readonly results: { passed: number; failed: number; skipped: number };
  planned: number | null;
  unstarted: number;
  /** How many runs of it there are side by side. */
  begins: number;
  ends: number;
  to: number;
  isToldBetter: boolean;
}

/** Reports that end with a line of numbers, each runner by its form. */
export const readClosingLines: Reader = (lines) => CLOSING_FORMS.flatMap((form) => readForm(form, lines));

/**
 * Where a runner marks its beginning, a report goes on until the next one, and more than one end contradicts it. Elsewhere each end
 * is a report.
 */
function readForm(form: ClosingForm, lines: readonly string[]): readonly RunnerReport[] {
  const reports: RunnerReport[] = [];
  let session: Session | null = null;
  for (const [line, text] of lines.entries()) {
    const before = lines[line - 1] ?? "";
    const begun = beginningIn(form, text, before);
    if (begun !== null) {
      const goesOn = session !== null && isSame(form, session);
      if (session !== null && !goesOn) reports.push(...closed(form, session, line - 1));
      if (session === null || !goesOn) session = opened(line, true);
      else if (form.runsBeside === true) session.begins += 1;
      const { planned } = begun.groups ?? {};
      if (planned !== undefined) session.planned = (session.planned ?? 0) + Number(planned);
      continue;
    }
    if (session === null && (form.needsBeginning === true || !belongs(form, text, before))) continue;
    session ??= opened(line, false);
    notice(form, text, before, line, session);
    if (session.hasBegun || session.ends === 0) continue;
    reports.push(...closed(form, session, line));
    session = null;
  }
  if (session !== null) reports.push(...closed(form, session, lines.length - 1));
  return reports;
}

/** Whether another beginning belongs to the report that has begun. */
function isSame({ beginsOften, runsBeside }: ClosingForm, { hasBegun, ends }: Session): boolean {
  return hasBegun && (runsBeside === true || (beginsOften === true && ends === 0));
}

function beginningIn(
  { begins, beginsAfter }: ClosingForm,
  text: string,
  before: string,
): RegExpExecArray | null {
  const begun = begins?.exec(text) ?? null;
  return begun === null || beginsAfter?.test(before) === false ? null : begun;
}

function belongs(form: ClosingForm, text: string, before: string): boolean {
  const { shows, counts = [], result, unstarted, unless } = form;
  const patterns = [shows, ...counts, result, unstarted, unless];
  return patterns.some((pattern) => pattern?.test(text)) || endIn(form, text, before) !== null;
}

function endIn({ ends, endsAfter }: ClosingForm, text: string, before: string): RegExpExecArray | null {
  const end = ends.exec(text);
  return end === null || endsAfter?.test(before) === false ? null : end;
}

function opened(from: number, hasBegun: boolean): Session {
  return {
    from,
    hasBegun,
    counts: new Map(),
    names: [],
    results: { passed: 0, failed: 0, skipped: 0 },
    planned: null,
    unstarted: 0,
    begins: 1,
    ends: 0,
    to: from,
    isToldBetter: false,
  };
}

function notice(form: ClosingForm, text: string, before: string, line: number, session: Session): void {
  if (form.unless?.test(text) === true) session.isToldBetter = true;
  if (form.unstarted?.test(text) === true) session.unstarted += 1;
  for (const pattern of form.counts ?? []) take(form, pattern.exec(text), line, session);
  if (take(form, endIn(form, text, before), line, session)) session.ends += 1;
  else if (session.ends < session.begins) noticeResult(form.result?.exec(text)?.groups, line, session);
}

function noticeResult(groups: Groups | undefined, line: number, session: Session): void {
  const kind = (["passed", "failed", "skipped"] as const).find((each) => groups?.[each] !== undefined);
  if (kind === undefined) return;
  session.results[kind] += 1;
  session.to = line;
  if (kind !== "skipped" && groups?.["name"] !== undefined) session.names.push(groups["name"]);
}

type Groups = { readonly [name: string]: string | undefined };

/** Takes the numbers of a line; false if it isn't one, or has a word that no report of this runner has. */
function take(form: ClosingForm, match: RegExpExecArray | null, line: number, session: Session): boolean {
  if (match === null) return false;
  const { list, line: otherList, ...numbers }: Groups = match.groups ?? {};
  const told = list ?? otherList;
  const counts = told === undefined ? new Map<Counted, number>() : countsIn(told, form);
  if (counts === null) return false;
  for (const [counted, number] of Object.entries(numbers))
    if (number !== undefined) counts.set(counted as Counted, Number(number));
  const adds = form.adds === true || session.begins > 1;
  for (const [counted, number] of counts)
    session.counts.set(counted, number + (adds ? (session.counts.get(counted) ?? 0) : 0));
  session.to = line;
  return true;
}

const PIECE = /^(?:(\d{1,9})(?: ([a-z][a-z ]*))?|([a-z][a-z ]*): *(\d{1,9}))$/i;

/** Numbers with their words, as in "4 runs, 1 failures" or "Failed: 1, Passed: 3 (2 steps)". */
function countsIn(list: string, { words }: ClosingForm): Map<Counted, number> | null {
  const counts = new Map<Counted, number>();
  for (const piece of list.replace(/\([^()]*\)/g, "").split(/[,|]/)) {
    const [, before, word, label, after] = PIECE.exec(piece.trim()) ?? [];
    const number = before ?? after;
    const counted = number === undefined ? undefined : meaningOf((word ?? label ?? "").toLowerCase(), words);
    if (counted === undefined) return null;
    if (counted !== null) counts.set(counted, (counts.get(counted) ?? 0) + Number(number));
  }
  return counts;
}

/** Undefined: no word of a report. */
function meaningOf(word: string, own: ClosingForm["words"] = {}): Counted | null | undefined {
  const spellings = [word, word.replace(/s$/, "")];
  const words = [own, WORDS].find((each) => spellings.some((spelling) => Object.hasOwn(each, spelling)));
  return words?.[spellings.find((spelling) => Object.hasOwn(words, spelling)) ?? ""];
}

function closed(form: ClosingForm, session: Session, lastLine: number): readonly RunnerReport[] {
  const { counts, results, unstarted, planned, names, begins, ends, from } = session;
  if (session.isToldBetter) return [];
  const place = { runner: form.runner, from, to: ends === 0 ? lastLine : session.to };
  if (ends === 0) return session.hasBegun ? [runnerReport({ ...place, isCutShort: true })] : [];
  const of = (counted: Counted, otherwise = 0): number => counts.get(counted) ?? otherwise;
  const skipped = of("skipped", results.skipped);
  const aside = of("todo") + of("deselected") + of("errors");
  const total = Math.max(0, of("total", NaN) - unstarted);
  const executed = form.isTotalExecuted === true ? total : Math.max(0, total - skipped - aside);
  const known = counts.get("passed");
  const inferred =
    known === undefined || Number.isNaN(executed) ? results.failed : Math.max(0, executed - known);
  const failed = Math.max(0, of("failed", inferred) - unstarted);
  const passed = known ?? (Number.isNaN(executed) ? results.passed : Math.max(0, executed - failed));
  return [
    runnerReport({
      ...place,
      passed,
      failed,
      skipped,
      todo: of("todo"),
      deselected: of("deselected"),
      errors: of("errors") + of("unbuilt") + unstarted,
      names: names.length === 0 && passed + failed > 0 ? null : names,
      isCutShort: ends < begins,
      isContradictory:
        ends > begins || passed + failed > Math.min(executedAtMost(executed), planned ?? Infinity),
    }),
    // Their numbers are in the first one.
    ...Array.from({ length: begins - 1 }, () => runnerReport(place)),
  ];
}

function executedAtMost(executed: number): number {
  return Number.isNaN(executed) ? Infinity : executed;
}
