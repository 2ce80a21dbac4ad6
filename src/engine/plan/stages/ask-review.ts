import type { Finding, Review } from "../../../core/stages/stages.ts";
import type { Question } from "../../../core/questions/question.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { perspectivesFor, type Perspective } from "../../../core/questions/perspectives.ts";
import { countedFindings, type Held } from "../../../core/questions/review/counted-findings.ts";
import { heardPanel, type Answered } from "../../../core/questions/review/panel.ts";
import type { ReviewAnswer, ReviewedWork } from "../../../core/questions/review/review-question.ts";
import { demandsOf, questionTo } from "../../../core/questions/review/review-question.ts";
import { shownDiff, type WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { redactor } from "../../../system/secrets/redact.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { forbidding, nonceFor } from "./review-work.ts";

/** Who is asked, and about which loop. */
interface ReviewContext extends Pick<WorkflowContext, "agents" | "asker"> {
  readonly live: Pick<WorkflowContext["live"], "loop">;
  readonly machine: Pick<WorkflowContext["machine"], "env">;
}

/** How a review is asked for. */
export interface AskedReview {
  /** How many points of view: at least, and at most if the work calls for them. */
  readonly perspectives: { readonly least: number; readonly most: number };
  /** One reviewer answers for all of them, instead of a panel of one each. */
  readonly isOneReviewer?: boolean;
  /** How many characters of the diff a reviewer is shown. */
  readonly room: number;
  readonly commit: string | null;
  readonly question: (
    work: ReviewedWork,
    perspectives: readonly Perspective[],
    nonce: string,
  ) => Question<ReviewAnswer>;
}

/**
 * Fresh sessions see the spec, the shape and the diff, and none of the agent's words: one for each point of view, all at once, none
 * of which hears the others. Null: it was stopped.
 */
export async function askReview(
  context: ReviewContext,
  diff: WorkDiff | null,
  { perspectives: range, isOneReviewer = false, room, commit, question }: AskedReview,
  signal: AbortSignal,
): Promise<Review | null> {
  const { loop } = context.live;
  if (diff === null)
    return { ...NOTHING, agent: context.agents[0] ?? null, failure: "git can't tell what changed" };
  const files = diff.stats.map(({ path }) => path);
  if (files.length === 0) return { ...NOTHING, failure: "nothing changed" };
  const perspectives = perspectivesFor({ aspects: loop.stages?.shape?.aspects ?? [], files }, range);
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
  const put = (some: readonly Perspective[]): Question<ReviewAnswer> => question(work, some, nonce);
  const held = { files: shown.files, demands, forbids: await forbidding(loop) };
  const answers = await Promise.all(
    isOneReviewer
      ? [answerOf(context, put(perspectives), { ...held, perspectives: names }, signal)]
      : perspectives.map(async (each) =>
          answerOf(context, questionTo(each, put), { ...held, perspectives: [each.name] }, signal),
        ),
  );
  if (signal.aborted) return null;
  const { panel, ...heard } = heardPanel(answers);
  const redact = redactor(context.machine.env);
  return {
    ...heard,
    ...(isOneReviewer ? {} : { panel }),
    findings: heard.findings.map((finding) => redacted(finding, redact)),
    perspectives: names,
    unseen: shown.unseen,
  };
}

async function answerOf(
  { asker }: Pick<ReviewContext, "asker">,
  question: Question<ReviewAnswer>,
  held: Held,
  signal: AbortSignal,
): Promise<Answered> {
  const perspective = held.perspectives.join(", ");
  const asked = await asker.ask(question, signal);
  return asked.type === "answered"
    ? { ...countedFindings(asked.answer, held), perspective, agent: asked.agent, failure: null }
    : { score: 0, findings: [], dropped: [], perspective, agent: asked.agent, failure: asked.why };
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
