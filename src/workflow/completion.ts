import { describeCheck } from "../core/criterion.ts";
import type { Confidence, Loop } from "../core/loop.ts";
import type { Workflow } from "../core/plan/workflow.ts";
import { lastAttempt } from "../core/plan/workflow.ts";
import { blockersIn } from "../core/stages/finding.ts";
import type { Stages } from "../core/stages/stages.ts";
import { SAME_MEANING, wasAsked } from "../core/stages/stages.ts";

/** A plan is shown as far as each of its tasks is. A review adds nothing to that, but may take something away. */
export function completionOf({ workflow, stages }: Pick<Loop, "workflow" | "stages">): {
  readonly confidence: Confidence;
  readonly why: readonly string[];
} {
  if (workflow === null) throw new Error("the end of a plan that isn't there");
  const of = (wanted: Confidence): readonly string[] =>
    workflow.plan.tasks
      .filter(({ id }) => confidenceOf(workflow, id) === wanted)
      .map(({ id, subject }) => `${id} is ${wanted}: ${subject}`);
  const unverified = of("unverified");
  const weak = [...of("weak"), ...doubtful(workflow), ...(stages === null ? [] : doubts(stages, workflow))];
  const confidence = unverified.length > 0 ? "unverified" : weak.length > 0 ? "weak" : "verified";
  return { confidence, why: [...unverified, ...weak] };
}

function confidenceOf(workflow: Workflow, task: string): Confidence {
  const state = lastAttempt(workflow, task)?.state;
  return state?.type === "integrated" ? state.confidence : "unverified";
}

/** Results that may not be what their checks ran on, and checks that gave two results for the same files. */
function doubtful(workflow: Workflow): readonly string[] {
  const { plan, wavered } = workflow;
  const results = plan.tasks.flatMap(({ id }) => {
    const state = lastAttempt(workflow, id)?.state;
    return state?.type === "integrated" ? state.doubts.map((doubt) => `${id} is weak: ${doubt}`) : [];
  });
  const flaky = wavered.map((name) => {
    const check = plan.tasks.find(({ id }) => id === name)?.check ?? null;
    const whose = check === null ? name : `the check of ${name}, \`${describeCheck(check)}\`,`;
    return `${whose} is flaky: it failed and passed on the same files`;
  });
  return [...results, ...flaky];
}

function doubts(stages: Stages, workflow: Workflow): readonly string[] {
  return [...doubtsOfGate(stages), ...doubtsOfReviews(stages, workflow)];
}

function doubtsOfGate({ gates }: Stages): readonly string[] {
  const item = gates.at(-1)?.items.find(({ name }) => name === SAME_MEANING);
  return item === undefined || item.state === "met" ? [] : [item.detail ?? item.name];
}

function doubtsOfReviews({ reviews }: Stages, { branch }: Workflow): readonly string[] {
  const accepted = reviews.flatMap(({ round, findings, resolved }) =>
    blockersIn(findings)
      .filter(({ id }) => resolved.some(({ finding, task }) => finding === id && task === null))
      .map(
        ({ id, problem }) => `blocker ${id} of review ${round} was accepted: ${problem.split("\n")[0] ?? ""}`,
      ),
  );
  const last = reviews.at(-1);
  if (last === undefined || !wasAsked(last)) return accepted;
  if (last.failure !== null) return [...accepted, `the review gave no usable answer: ${last.failure}`];
  if (last.commit !== (branch?.tip ?? null)) return [...accepted, "the last changes were not reviewed"];
  return accepted;
}
