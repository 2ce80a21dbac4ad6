import type { Finding, Review } from "../../../core/stages/stages.ts";
import {
  thoroughId,
  thoroughQuestion,
  lightQuestion,
  demandsOf,
} from "../../../core/questions/review/review-question.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { workflowOf } from "../take-workflow.ts";
import { allowedCheck } from "./settle-findings.ts";
import { readWork, nonceFor, forbidding, readWave } from "./read-work.ts";
import { failsAtTip } from "./run-at-tip.ts";
import type { Question } from "../../../core/questions/question.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import type { Perspective } from "../../../core/questions/perspectives.ts";
import { perspectivesFor } from "../../../core/questions/perspectives.ts";
import { countedFindings } from "../../../core/questions/review/counted-findings.ts";
import type { ReviewAnswer, ReviewedWork } from "../../../core/questions/review/review-question.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { shownDiff } from "../../../core/questions/review/work-diff.ts";
import { redactor } from "../../../system/secrets/redact.ts";

const ROOM = 200_000;
const PERSPECTIVES = 4;

export function thoroughReview(round: number, commit: string): AskedReview {
  return {
    perspectives: PERSPECTIVES,
    room: ROOM,
    commit,
    question: (work, perspectives, nonce) => thoroughQuestion(work, round, perspectives, nonce),
  };
}

/** The thorough review of all that is on the loop's branch. */
export async function reviewWork(
  context: WorkflowContext,
  round: number,
  signal: AbortSignal,
): Promise<void> {
  const { branch } = workflowOf(context.live.loop);
  if (branch === null) throw new Error("a review without a branch");
  const question = { id: thoroughId(round), purpose: "thorough-review" } as const;
  if ((context.asker.whyNobody?.(question) ?? null) === null)
    context.tell({ type: "preparing", what: `Reviewing the work (round ${round}).` });
  const diff = await readWork(context, branch.from, branch.tip);
  const found = await askReview(context, diff, thoroughReview(round, branch.tip), signal);
  const review = found === null ? null : await withCommandsTried(context, found, branch.tip, signal);
  if (review === null || signal.aborted) return;
  const loop = await recordOurs(
    context,
    [{ type: "work.reviewed", round, commit: branch.tip, ...review }],
    ({ stages }) => stages?.reviews.length === round - 1,
  );
  if (loop === null) return;
  context.tell({
    type: "work-reviewed",
    loop,
    review: { ...review, round, commit: branch.tip, resolved: [] },
  });
}

/** A command of a blocker that may run is tried; one that passes shows nothing, and is dropped. */
async function withCommandsTried(
  context: WorkflowContext,
  review: Review,
  tip: string,
  signal: AbortSignal,
): Promise<Review> {
  const findings: Finding[] = [];
  for (const finding of review.findings) {
    const check = finding.command === null ? null : await allowedCheck(context, finding.command);
    const fails = check === null || signal.aborted ? null : await failsAtTip(context, tip, check, signal);
    if (fails === null) findings.push(finding);
    else findings.push({ ...finding, command: fails ? finding.command : null, failsNow: fails });
  }
  return { ...review, findings };
}

/** Who is asked, and about which loop. */
interface ReviewContext extends Pick<WorkflowContext, "agents" | "asker"> {
  readonly live: Pick<WorkflowContext["live"], "loop">;
  readonly machine: Pick<WorkflowContext["machine"], "env">;
}

/** How a review is asked for. */
export interface AskedReview {
  readonly perspectives: number;
  /** How many characters of the diff the reviewer is shown. */
  readonly room: number;
  readonly commit: string | null;
  readonly question: (
    work: ReviewedWork,
    perspectives: readonly Perspective[],
    nonce: string,
  ) => Question<ReviewAnswer>;
}

/** A fresh session sees the spec, the shape and the diff, and none of the agent's words. Null: it was stopped. */
export async function askReview(
  context: ReviewContext,
  diff: WorkDiff | null,
  { perspectives: count, room, commit, question }: AskedReview,
  signal: AbortSignal,
): Promise<Review | null> {
  const { loop } = context.live;
  if (diff === null)
    return { ...NOTHING, agent: context.agents[0] ?? null, failure: "git can't tell what changed" };
  const files = diff.stats.map(({ path }) => path);
  const perspectives = perspectivesFor({ aspects: loop.stages?.shape?.aspects ?? [], files }, count);
  const names = perspectives.map(({ name }) => name);
  const shown = shownDiff(diff, room);
  const demands = demandsOf(loop);
  const work: ReviewedWork = {
    spec: topFrame(loop).spec,
    demands,
    decisions: loop.stages?.shape?.decisions ?? [],
    diff: shown,
    commit,
  };
  const nonce = nonceFor(loop.id, shown.text);
  const asked = await context.asker.ask(question(work, perspectives, nonce), signal);
  if (signal.aborted) return null;
  const { unseen } = shown;
  if (asked.type === "unanswered")
    return { ...NOTHING, perspectives: names, unseen, agent: asked.agent, failure: asked.why };
  const held = { files: shown.files, demands, perspectives: names, forbids: await forbidding(loop) };
  const counted = countedFindings(asked.answer, held);
  const redact = redactor(context.machine.env);
  return {
    ...NOTHING,
    ...counted,
    findings: counted.findings.map((finding) => redacted(finding, redact)),
    perspectives: names,
    unseen,
    agent: asked.agent,
  };
}

const NOTHING: Review = {
  perspectives: [],
  score: null,
  findings: [],
  dropped: 0,
  unseen: [],
  agent: null,
  failure: null,
};

function redacted(finding: Finding, redact: (text: string) => string): Finding {
  const { quote, problem, fix, command } = finding;
  return {
    ...finding,
    quote: redact(quote),
    problem: redact(problem),
    fix: fix === null ? null : redact(fix),
    command: command === null ? null : redact(command),
  };
}

const WAVE_ROOM = 60_000;
const WAVE_PERSPECTIVES = 3;

export function lightReview(wave: number, commit: string | null): AskedReview {
  return {
    perspectives: WAVE_PERSPECTIVES,
    room: WAVE_ROOM,
    commit,
    question: (work, perspectives, nonce) => lightQuestion(work, wave, perspectives, nonce),
  };
}

/** The light review of a wave, beside the next one. It informs, and never blocks. */
export async function reviewWave(context: WorkflowContext, wave: number, signal: AbortSignal): Promise<void> {
  const diff = await readWave(context, wave);
  const commit = workflowOf(context.live.loop).branch?.tip ?? null;
  const review = await askReview(context, diff, lightReview(wave, commit), signal);
  if (review === null) return;
  const loop = await recordOurs(
    context,
    [{ type: "wave.reviewed", wave, ...review }],
    ({ stages }) => stages?.waveReviews.some((each) => each.wave === wave) === false,
  );
  if (loop !== null) context.tell({ type: "wave-reviewed", loop, review: { ...review, wave } });
}
