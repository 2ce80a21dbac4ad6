import { isSkipped } from "../../plan/workflow.ts";
import * as v from "valibot";
import { fenced, fenceRule, type Question } from "../question.ts";
import { SEVERITIES } from "../../stages/stages.ts";
import { perspectiveLines, type Perspective } from "../perspectives.ts";
import type { ShownDiff } from "./work-diff.ts";
import type { Check } from "../../loop/criterion.ts";
import { describeMustNot, type Loop } from "../../loop/loop.ts";
import { statedConstraints } from "../../spec/stated-constraints.ts";
import { unwatchedLimits, boundariesIn } from "../../stages/work-boundary.ts";

const review = v.object({
  score: v.number(),
  findings: v.array(
    v.object({
      severity: v.picklist(SEVERITIES),
      perspective: v.string(),
      file: v.string(),
      quote: v.string(),
      problem: v.string(),
      breaks: v.nullable(v.string()),
      command: v.nullable(v.string()),
      fix: v.nullable(v.string()),
    }),
  ),
});
export type ReviewAnswer = v.InferOutput<typeof review>;

export interface ReviewedWork {
  readonly spec: string;
  readonly demands: readonly Demand[];
  readonly decisions: readonly string[];
  readonly diff: ShownDiff;
  readonly commit: string | null;
}

const SPEC_LIMIT = 20_000;

/** A panel's question to one of its reviewers, who hears nothing of the others. */
export function questionTo(
  perspective: Perspective,
  question: (perspectives: readonly Perspective[]) => Question<ReviewAnswer>,
): Question<ReviewAnswer> & { readonly panel: string } {
  const asked = question([perspective]);
  return { ...asked, id: `${asked.id}-${perspective.name.replaceAll(/[^a-z0-9]+/g, "-")}`, panel: asked.id };
}

/** The quick look at a wave. */
export function lightQuestion(
  work: ReviewedWork,
  wave: number,
  perspectives: readonly Perspective[],
  nonce: string,
): Question<ReviewAnswer> {
  const head = `Part ${wave} of a larger job is done; other parts are still being worked on. Take a quick look at this diff: is it idiomatic, clean, and on the way to what was asked?`;
  return {
    purpose: "light-review",
    id: `review-wave-${wave}`,
    text: textOf(head, work, perspectives, nonce),
    schema: review,
    commit: work.commit,
  };
}

export function thoroughId(round: number): string {
  return `review-${round}`;
}

/** The last look before the end. The agent's own words are no part of it. */
export function thoroughQuestion(
  work: ReviewedWork,
  round: number,
  perspectives: readonly Perspective[],
  nonce: string,
): Question<ReviewAnswer> {
  const head =
    "Review this diff against what was asked. Look for what no check sees. Assume that something is wrong and search for it: follow each changed line with real inputs, and compare with each criterion.";
  return {
    purpose: "thorough-review",
    id: thoroughId(round),
    text: textOf(head, work, perspectives, nonce),
    schema: review,
    commit: work.commit,
  };
}

const RULES = `Rules for findings:
- \`quote\`: one line of the diff, copied exactly, without its + or -; \`file\`: that line's file. A finding that quotes nothing of the diff is dropped.
- BLOCKER: the work breaks a criterion or a must-not from the list; \`breaks\` is its short name (C-1, M-1). WARNING: wrong or risky, but breaks none. SUGGESTION: could be better.
- \`command\`: for a BLOCKER, one that fails now because of it, if there is one; else null. \`fix\`: what to change, in a sentence or two, or null; it must keep all must-nots.
- \`problem\`: what goes wrong and with which input, not a matter of taste. No finding is a fine answer.
\`score\`: 0 to 10, how close the work is to what was asked.`;

function textOf(
  head: string,
  { spec, demands, decisions, diff }: ReviewedWork,
  perspectives: readonly Perspective[],
  nonce: string,
): string {
  return [
    head,
    `What was asked:\n${spec.slice(0, SPEC_LIMIT)}`,
    `Criteria and must-nots:\n${demands.map(({ id, text }) => `${id}: ${text}`).join("\n")}`,
    ...(decisions.length === 0
      ? []
      : [`Decided before the work:\n${decisions.map((each) => `- ${each}`).join("\n")}`]),
    `${perspectives.length === 1 ? "Your point of view; others have theirs" : "Points of view"}:\n${perspectiveLines(perspectives)}`,
    RULES,
    fenceRule(nonce),
    fenced("diff", diff.text, nonce),
  ].join("\n\n");
}

/** Something that the work is held to, under the short name that a reviewer uses. */
export interface Demand {
  /** `C-1` for a criterion or a task, `M-1` for a must-not. */
  readonly id: string;
  readonly text: string;
  /** What shows it; null: nothing does. */
  readonly check: Check | null;
  /** A constraint in the spec's own words, which only somebody who reads the work can judge. */
  readonly isSpoken?: true;
}

const MOST_DEMANDS = 120;

/** The criteria that were agreed, the tasks of the plan, the must-nots, and what else the spec says must hold. */
export function demandsOf({ workflow, stages, mustNots, frames: [{ spec }] }: Loop): readonly Demand[] {
  const tasks = workflow?.plan.tasks.filter(({ id }) => !isSkipped(workflow, id)) ?? [];
  const agreed = (stages?.shape?.criteria ?? []).map(({ name, check }) => ({ text: name, check }));
  const planned = tasks.map(({ id, subject, check }) => ({ text: `${id}: ${subject}`, check }));
  const criteria = [...agreed, ...planned].slice(0, MOST_DEMANDS);
  const watched = [...boundariesIn(spec).filter(({ isMustNot }) => isMustNot), ...statedConstraints(spec)];
  const limits: readonly Omit<Demand, "id">[] = [
    ...mustNots.map((each) => ({
      text: describeMustNot(each),
      check: each.kind === "run" ? each.check : null,
    })),
    ...watched.map(({ words }) => ({ text: words, check: null })),
    ...unwatchedLimits({ spec, mustNots }).map((text) => ({ text, check: null, isSpoken: true as const })),
  ];
  return [
    ...criteria.map((each, index) => ({ ...each, id: `C-${index + 1}` })),
    ...limits.slice(0, MOST_DEMANDS).map((each, index) => ({ ...each, id: `M-${index + 1}` })),
  ];
}
