import { attributionOf, type Criterion } from "../loop/criterion.ts";
import { hasIdleLoopHabits, topFrame, type Loop } from "../loop/loop.ts";
import { isAttested, unmetOf, voidedOf } from "./completion.ts";
import { contradictionsOnRecord } from "./proofs.ts";
import type { Contradiction, FailingCheck, HoldReason, PlanHold } from "./verdict.ts";
import { isSpent, running, taskState, type Workflow } from "../plan/workflow.ts";
import { isReviewDue, needsCounsel, asksPeople, majorSteps, NOTHING_ASKED } from "../stages/asking.ts";
import type { Stages } from "../stages/stages.ts";
import type { Settlement } from "./facts.ts";
import { unheard } from "../loop/words.ts";

export function holdReason(
  loop: Loop,
  iteration: number,
  unmet: readonly string[],
  failing: readonly Criterion[],
  contradictions: readonly Contradiction[] = [],
): HoldReason {
  const frame = topFrame(loop);
  const sent = new Set(loop.sentFailure?.split("\n"));
  const unattested = frame.criteria.filter((each) => each.check === null && !isAttested(each));
  return {
    isFirst: loop.sentFailure === null,
    iteration,
    iterationLimit: frame.iterationLimit,
    rule: frame.exitRule,
    mode: frame.mode,
    unmet,
    unattested: unattested.map((each) => each.name),
    voided: voidedOf(loop),
    outdated: [],
    failing: failing.flatMap((each) => asFailing(each, sent.has(failureDigest(each)))),
    contradictions,
    words: unheard(loop.words).map(({ text, task }) => (task === null ? text : `${task}: ${text}`)),
    denied: [],
    nextStep: frame.steps.find((step) => !step.done)?.name ?? null,
    lacksSignal: [unmet, failing, unattested, contradictions].every(({ length }) => length === 0),
    plan: null,
    bare: hasIdleLoopHabits(loop),
  };
}

/** What to say about a loop that starts or resumes, from what is known so far. */
export function standingReason(loop: Loop, iteration: number): HoldReason {
  const failing = topFrame(loop).criteria.filter(({ evidence }) => evidence?.passed === false);
  const known = contradictionsOnRecord(topFrame(loop));
  return { ...holdReason(loop, iteration, unmetOf(loop, {}), failing, known), isFirst: true };
}

function asFailing(criterion: Criterion, unchanged: boolean): readonly FailingCheck[] {
  if (criterion.evidence === null) return [];
  const { name, evidence } = criterion;
  return [{ name, evidence, attribution: attributionOf(criterion), unchanged }];
}

/** One line per failure, whatever its criterion is called. */
export function failureDigest({ name, evidence }: Pick<Criterion, "name" | "evidence">): string {
  return JSON.stringify([name, evidence?.outputDigest]);
}

/** Where the tasks of a session's plan are. `isAttended`: its user is there to be asked. */
export function planHold(loop: Loop, settlement: Settlement | null, isAttended = false): PlanHold {
  const { workflow, stages } = loop;
  const asksUser =
    isAttended && asksPeople(loop.shape) && majorSteps(loop) > (loop.asked ?? NOTHING_ASKED).steps;
  if (workflow === null) return { ...NOTHING, lacksPlan: true, asksUser };
  const { tasks } = workflow.plan;
  const atWork = running(workflow);
  const free = Math.max(0, workflow.parallel - atWork.length);
  const ready = tasks
    .filter((task) => taskState(workflow, task) === "ready" && !isSpent(workflow, task.id))
    .slice(0, free)
    .map(({ id }) => id);
  const rejected = settlement?.rejected ?? [];
  return {
    lacksPlan: false,
    ready,
    atWork: atWork.map(({ task }) => task).filter((id) => !rejected.some(({ task }) => task === id)),
    rejected,
    stuck:
      stages?.policy.asks === true
        ? [...atWork.map(({ task }) => task), ...ready].filter((id) => needsCounsel(workflow, stages, id))
        : [],
    mergedWave: stages === null ? null : mergedWave(workflow, stages),
    isReviewDue: stages !== null && isReviewDue(workflow, stages),
    findings: [],
    asksUser,
  };
}

const NOTHING: PlanHold = {
  lacksPlan: false,
  ready: [],
  atWork: [],
  rejected: [],
  stuck: [],
  mergedWave: null,
  isReviewDue: false,
  findings: [],
  asksUser: false,
};

/** Once the whole was reviewed, nobody has to look at a part of it. */
function mergedWave(
  { wavesDone, branch }: Workflow,
  { policy, waveReviews, reviews }: Stages,
): number | null {
  if (!policy.asks || branch === null || wavesDone === 0 || reviews.length > 0) return null;
  return waveReviews.some(({ wave }) => wave === wavesDone) ? null : wavesDone;
}
