import { blockersIn, type Finding, type Resolution, type UnquotedFinding } from "../../stages/stages.ts";
import type { Demand, ReviewAnswer } from "./review-question.ts";
import type { DiffFile, DiffLine } from "./work-diff.ts";
import type { Actor } from "../../events/event.ts";

export interface Held {
  readonly files: readonly DiffFile[];
  readonly demands: readonly Demand[];
  readonly perspectives: readonly string[];
  /** The must-not that a change of this path would violate; null: none. */
  readonly forbids: (path: string) => string | null;
}

export interface Counted {
  readonly score: number;
  readonly findings: readonly Finding[];
  /** Claims that don't count. */
  readonly dropped: readonly UnquotedFinding[];
}

const MOST_FINDINGS = 30;
const LONGEST = { quote: 400, problem: 1_000, fix: 1_000, command: 500 } as const;
const ORDER = { BLOCKER: 0, WARNING: 1, SUGGESTION: 2 } as const;

/**
 * What of an answer counts: findings that quote a line of the real diff. Where the line is, is looked up; a BLOCKER that breaks
 * nothing that the work is held to is a WARNING; a fix that would violate a must-not is refused.
 */
export function countedFindings({ score, findings }: ReviewAnswer, held: Held): Counted {
  const valid = findings.flatMap((each) => counts(each, held) ?? []);
  const counted = inOrder(valid);
  return {
    score: Math.min(10, Math.max(0, Number.isFinite(score) ? Math.round(score) : 0)),
    findings: counted,
    dropped: [
      ...findings.filter((each) => counts(each, held) === null),
      ...valid.toSorted(bySeverity).slice(MOST_FINDINGS),
    ].map(({ file, quote, problem }) => ({
      file: file.trim().slice(0, LONGEST.quote),
      quote: quote.trim().slice(0, LONGEST.quote),
      problem: problem.trim().slice(0, LONGEST.problem),
    })),
  };
}

/** The worst first, each with its name. */
export function inOrder(findings: readonly Omit<Finding, "id">[]): readonly Finding[] {
  return findings
    .toSorted(bySeverity)
    .slice(0, MOST_FINDINGS)
    .map((each, index) => ({ ...each, id: `F-${index + 1}` }));
}

function bySeverity(one: Pick<Finding, "severity">, other: Pick<Finding, "severity">): number {
  return ORDER[one.severity] - ORDER[other.severity];
}

type Claimed = ReviewAnswer["findings"][number];

function counts(claimed: Claimed, held: Held): Omit<Finding, "id"> | null {
  const file = held.files.find(({ path }) => path === plainPath(claimed.file));
  const line = file === undefined ? null : quoted(file, claimed.quote);
  if (file === undefined || line === null || claimed.problem.trim() === "") return null;
  const breaks = demanded(claimed.breaks, held.demands);
  const refused = claimed.fix === null ? null : violatedBy(claimed.fix, held);
  const isBlocker = claimed.severity === "BLOCKER" && breaks !== null;
  return {
    severity: claimed.severity === "BLOCKER" && !isBlocker ? "WARNING" : claimed.severity,
    perspective: perspectiveOf(claimed, held),
    file: file.path,
    line: line.line,
    quote: line.text.trim().slice(0, LONGEST.quote),
    problem: claimed.problem.trim().slice(0, LONGEST.problem),
    breaks,
    command: isBlocker ? short(claimed.command, LONGEST.command) : null,
    failsNow: false,
    fix: refused === null ? short(claimed.fix, LONGEST.fix) : null,
    refused,
  };
}

/** A reviewer of one point of view has no other. */
function perspectiveOf({ perspective }: Claimed, { perspectives }: Held): string {
  const [only, ...others] = perspectives;
  if (only !== undefined && others.length === 0) return only;
  return perspectives.find((each) => each === perspective.trim()) ?? "other";
}

function plainPath(path: string): string {
  return path.trim().replace(/^(?:\.\/|[ab]\/(?=.))/, "");
}

/** A line that was added before one that was removed, and both before one that only stands around them. */
const NEAREST = ["added", "removed", "context"] as const;

function quoted({ lines }: DiffFile, quote: string): DiffLine | null {
  const wanted = quote
    .split("\n")
    .flatMap((line) => [plainLine(line), plainLine(line.replace(/^\s*[+-]/, ""))])
    .filter(isTelling);
  for (const kind of NEAREST)
    for (const want of wanted)
      for (const line of lines) {
        if (line.kind !== kind) continue;
        if (plainLine(line.text).includes(want)) return line;
      }
  return null;
}

function plainLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A bracket is in every diff, and points nowhere. */
function isTelling(line: string): boolean {
  return (line.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3;
}

/** The first demand that is named, by its id, by a task's, or in its own words. */
function demanded(breaks: string | null, demands: readonly Demand[]): string | null {
  if (breaks === null) return null;
  const said = breaks.trim().toLowerCase();
  const named = new Set(said.match(/[a-z]+-\d+/g));
  const found = demands.find(
    ({ id, text }) => named.has(id.toLowerCase()) || said === text.toLowerCase() || named.has(taskOf(text)),
  );
  return found?.text ?? null;
}

/** `T-001: Write it` is about a task. */
function taskOf(text: string): string {
  return (/^[A-Za-z]+-\d+(?=: )/.exec(text)?.[0] ?? "").toLowerCase();
}

const PATH = /[\w@.*~-]+(?:\/[\w@.*~-]+)*\/?/g;

/** The first must-not that a proposal names a path of. */
function violatedBy(fix: string, { forbids }: Held): string | null {
  for (const [word] of fix.matchAll(PATH)) {
    const path = word.replace(/^\.\//, "").replace(/[.*/]+$/, "");
    if (!/[./]/.test(word) || path === "") continue;
    const found = forbids(path) ?? forbids(`${path}/anything`);
    if (found !== null) return found;
  }
  return null;
}

function short(text: string | null, limit: number): string | null {
  const said = text?.trim() ?? "";
  return said === "" ? null : said.slice(0, limit);
}

/** What becomes of a finding. */
export interface Decided {
  readonly finding: string;
  readonly how: Resolution;
  /** What a person wants the task to know. */
  readonly note: string | null;
  readonly by: Actor;
}

/** What blockers become where nobody is asked; everything else is kept, shown and skipped. */
export const FINDING_POLICIES = ["tasks", "skip"] as const;
export type FindingPolicy = (typeof FINDING_POLICIES)[number];

/** Null: a task about one of them changed nothing, and only a person can go on. */
export function decidedByPolicy(
  findings: readonly Finding[],
  again: readonly Finding[],
  policy: FindingPolicy,
): readonly Decided[] | null {
  if (policy === "tasks" && again.length > 0) return null;
  const blockers = new Set(blockersIn(findings));
  return findings.map((finding) => {
    const how = blockers.has(finding) ? BLOCKERS[policy] : finding.refused === null ? "skipped" : "refused";
    return { finding: finding.id, how, note: null, by: policy === "skip" ? "person" : "machine" };
  });
}

/** Whoever skips a blocker accepts its risk. */
const BLOCKERS = { tasks: "task", skip: "approved" } as const satisfies {
  readonly [Each in FindingPolicy]: Resolution;
};

/** What somebody says about a finding, in their own words. */
export const DECISIONS = ["fix", "accept", "dismiss"] as const;
export type FindingDecision = (typeof DECISIONS)[number];
