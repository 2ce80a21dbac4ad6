import type { Question } from "../../../core/questions/question.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import type { Finding, Review } from "../../../core/stages/stages.ts";
import type { Perspective } from "../../../core/questions/perspectives.ts";
import { perspectivesFor } from "../../../core/questions/perspectives.ts";
import { countedFindings } from "../../../core/questions/review/counted-findings.ts";
import { demandsOf } from "../../../core/questions/review/review-question.ts";
import type { ReviewAnswer, ReviewedWork } from "../../../core/questions/review/review-question.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { shownDiff } from "../../../core/questions/review/work-diff.ts";
import { redactor } from "../../../system/secrets/redact.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { nonceFor } from "./digest.ts";
import { forbidding } from "./read-work.ts";

/** Who is asked, and about which loop. */
export interface ReviewContext extends Pick<WorkflowContext, "agents" | "asker"> {
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
