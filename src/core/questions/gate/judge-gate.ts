import { joined } from "../../joined.ts";
import type { GateItem, ThoroughReview } from "../../stages/stages.ts";
import { EVERY_TASK, SAME_MEANING, blockersIn, isScoredLow, lowScoreText } from "../../stages/stages.ts";
import { listed } from "../../listed.ts";
import { FLAKY } from "../../plan/shown-task.ts";
import type { Plan } from "../../plan/plan.ts";
import type { Demand } from "../review/review-question.ts";
import { checkFor, type Remediation } from "../remediation.ts";
import { CHECKLISTS, lackingText, type Broken, type GateFacts, type MutantCount } from "./checklist.ts";

const MOST_NAMED = 5;

/** The whole checklist: the review, the evidence, the must-nots, and what work of this kind needs. */
export function gateItems(facts: GateFacts): readonly GateItem[] {
  return [
    ...(facts.review === null ? [] : [reviewItem(facts.review, facts)]),
    evidenceItem(facts),
    ...(facts.doubts === null ? [] : [meaningItem(facts.doubts, facts.refuted)]),
    ...(hasMustNots(facts) ? [mustNotItem(facts)] : []),
    ...facts.boundaries.map(boundaryItem),
    ...(facts.spoken.length === 0 ? [] : [spokenItem(facts)]),
    ...(facts.mutants === null ? [] : [mutantItem(facts.mutants)]),
    ...CHECKLISTS[facts.kind].map(([name, judge]) => ({ name, ...judge(facts) })),
  ];
}

function reviewItem(review: ThoroughReview, { tip }: GateFacts): GateItem {
  const name = "thorough review passed";
  if (review.failure !== null) return { name, state: "weak", detail: `no usable answer: ${review.failure}` };
  const blockers = blockersIn(review.findings);
  if (review.commit !== tip)
    return { name, state: "weak", detail: `the work since review ${review.round} was not reviewed` };
  if (blockers.length > 0)
    return { name, state: "weak", detail: `${blockers.map(({ id }) => id).join(", ")} accepted by a person` };
  if (isScoredLow(review)) return { name, state: "weak", detail: lowScoreText(review) };
  const rest =
    review.findings.length === 0
      ? `nothing found${review.round > 1 ? ` in round ${review.round}` : ""}`
      : `${review.findings.length} found, none of them a blocker`;
  const unseen = review.unseen.length === 0 ? "" : `; ${review.unseen.length} files were not shown`;
  return { name, state: "met", detail: `${rest}${unseen}` };
}

function evidenceItem({ tasks }: GateFacts): GateItem {
  const name = EVERY_TASK;
  const lacking = lackingText(tasks);
  return lacking === ""
    ? { name, state: "met", detail: `${tasks.length} verified` }
    : { name, state: "weak", detail: lacking };
}

function meaningItem(doubts: readonly string[], refuted: readonly Broken[]): GateItem {
  const name = SAME_MEANING;
  if (refuted.length > 0)
    return { name, state: "open", detail: joined([...refuted.map(({ detail }) => detail), ...doubts]) };
  return doubts.length === 0
    ? { name, state: "met", detail: null }
    : { name, state: "weak", detail: joined(doubts) };
}

function hasMustNots({ mustNots: { held, unseen, violated } }: GateFacts): boolean {
  return held + unseen + violated.length > 0;
}

function mustNotItem({ mustNots: { held, unseen, violated, flaky } }: GateFacts): GateItem {
  const name = "must-nots hold";
  if (violated.length === 0) {
    const weak = [
      ...(unseen === 0 ? [] : [`${unseen} could not be looked at`]),
      ...flaky.map((each) => `${each} ${FLAKY}`),
    ];
    return weak.length === 0
      ? { name, state: "met", detail: `${held} looked at` }
      : { name, state: "weak", detail: joined(weak) };
  }
  return {
    name,
    state: "open",
    detail: violated.map((each) => `${each.name}: ${each.detail}`).join("; "),
  };
}

function boundaryItem({ words, isMustNot, outside }: GateFacts["boundaries"][number]): GateItem {
  const name = isMustNot ? "boundary kept" : "scope kept";
  if (outside === null) return { name, state: "weak", detail: `not watched without git: ${words}` };
  if (outside.length === 0) return { name, state: "met", detail: words };
  const detail = `${words}, but these were changed: ${listed(outside, MOST_NAMED)}`;
  return { name, state: isMustNot ? "open" : "weak", detail };
}

/** Nothing but somebody's look at the work tells whether such a limit is kept. */
function spokenItem(facts: GateFacts): GateItem {
  const limits = facts.spoken.map(({ id, text }) => `${id} ${text}`).join("; ");
  const by = isReviewed(facts) ? "looked at by a reviewer, who found nothing against" : "looked at by nobody";
  return { name: "limits in words kept", state: "weak", detail: `${by}: ${limits}` };
}

function isReviewed({ review, tip }: GateFacts): boolean {
  return review !== null && review.failure === null && review.commit === tip;
}

function mutantItem({ tried, killed }: MutantCount): GateItem {
  const name = "faults in changed lines noticed";
  return { name, state: killed === tried ? "met" : "weak", detail: `${killed} of ${tried} tried` };
}

/** What to do about a gate that is shut; nothing when it is open. */
export function gateRemediations(
  facts: GateFacts,
  items: readonly GateItem[],
  { demands, plan }: { readonly demands: readonly Demand[]; readonly plan: Plan },
): readonly Remediation[] {
  if (items.every(({ state }) => state !== "open")) return [];
  const broken = [
    ...(facts.checks?.red ?? []).map((each) => ({ ...each, subject: `Make the check of ${each.name} pass` })),
    ...facts.refuted.map((each) => ({
      ...each,
      subject: `Make the check of ${each.name} pass with its original tests`,
    })),
    ...facts.mustNots.violated.map((each) => ({ ...each, subject: `Keep ${each.name}` })),
  ];
  const remedies = broken.map(({ subject, detail, check }) => ({
    subject,
    description: `All tasks are merged, and this does not hold for the whole of it:\n\n${detail}`,
    check: check ?? checkFor(null, demands, plan),
    files: [],
  }));
  if (remedies.length > 0) return remedies;
  return items
    .filter(({ state }) => state === "open")
    .map(({ name, detail }) => ({
      subject: `Settle: ${name}`,
      description: `All tasks are merged, and this keeps the work from ending:\n\n${detail ?? name}`,
      check: checkFor(null, demands, plan),
      files: [],
    }));
}
