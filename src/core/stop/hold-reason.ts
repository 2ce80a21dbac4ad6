import type { Criterion } from "../criterion.ts";
import { attributionOf } from "../criterion.ts";
import type { Loop } from "../loop.ts";
import { hasIdleLoopHabits, topFrame } from "../loop.ts";
import { isAttested, unmetOf, voidedOf } from "./completion.ts";
import { contradictionsOnRecord } from "./proofs.ts";
import type { Contradiction, FailingCheck, HoldReason } from "./verdict.ts";

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
    iteration,
    iterationLimit: frame.iterationLimit,
    rule: frame.exitRule,
    mode: frame.mode,
    unmet,
    unattested: unattested.map((each) => each.name),
    voided: voidedOf(loop),
    failing: failing.flatMap((each) => asFailing(each, sent.has(failureDigest(each)))),
    contradictions,
    nextStep: frame.steps.find((step) => !step.done)?.name ?? null,
    lacksSignal: [unmet, failing, unattested, contradictions].every(({ length }) => length === 0),
    plan: null,
    bare: hasIdleLoopHabits(loop),
  };
}

/** What to say about a loop that starts or resumes, from what is known so far. */
export function standingReason(loop: Loop, iteration: number): HoldReason {
  const failing = topFrame(loop).criteria.filter(({ evidence }) => evidence?.passed === false);
  return holdReason(loop, iteration, unmetOf(loop, {}), failing, contradictionsOnRecord(topFrame(loop)));
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
