import { isSameFailure, failureText } from "../../../core/plan/shown-task.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Criterion } from "../../../core/loop/criterion.ts";
import { isActiveFor, topFrame, type Loop } from "../../../core/loop/loop.ts";
import { awaited, failuresOf, setbacksOf, type Attempt } from "../../../core/plan/workflow.ts";
import { recordOurs, type OwnRun } from "../../run/take-loop.ts";
import type { PlannedTask } from "../../../core/plan/plan.ts";
import { needsCounsel } from "../../../core/stages/asking.ts";
import type { RetryAdvice } from "../../../core/stages/stages.ts";
import type { FailedAttempts } from "../../../core/questions/retry-advice.ts";
import {
  approachOf,
  counselQuestion,
  plainWords,
  plainApproach,
} from "../../../core/questions/retry-advice.ts";
import { counsellorsFor } from "../../../core/questions/perspectives.ts";
import { redactor } from "../../../system/secrets/redact.ts";
import { taskOf, workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { digestOf, nonceFor } from "./review-work.ts";

const FEW = 2;
const MANY = 4;

/** Another approach for a task that failed: a model's, or a plain one where none says something new. */
export async function giveCounsel(
  context: WorkflowContext,
  id: string,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const task = taskOf(context, id);
  const counsel = await counselFor(context, task, after, signal);
  if (signal.aborted) return;
  const loop = await recordOurs(
    context,
    [{ type: "counsel.given", ...counsel }],
    (now) => needsCounsel(workflowOf(now), now.stages, id)?.number === after,
  );
  if (loop !== null) context.tell({ type: "counselled", loop, task, counsel });
}

/** Who is asked, and about which loop. */
export interface RetryAdviceContext extends Pick<WorkflowContext, "asker"> {
  readonly live: Pick<WorkflowContext["live"], "loop">;
  readonly machine: Pick<WorkflowContext["machine"], "env">;
}

export async function counselFor(
  context: RetryAdviceContext,
  task: PlannedTask,
  after: number,
  signal: AbortSignal,
): Promise<RetryAdvice> {
  const { stages } = context.live.loop;
  const workflow = workflowOf(context.live.loop);
  const setbacks = setbacksOf(workflow, task.id);
  const failures = failuresOf(workflow, task.id);
  const failed = failedAttempts(context, task.id, after, failures);
  const before = (stages?.counsels ?? []).filter((each) => each.task === task.id);
  const [last, previous] = setbacks.toReversed();
  const isSame = last !== undefined && previous !== undefined && isSameFailure(last, previous);
  const panel = counsellorsFor(
    { failure: failures.at(-1) ?? "", aspects: stages?.shape?.aspects ?? [] },
    isSame ? (before.at(-1)?.perspectives ?? []) : [],
    isSame ? MANY : FEW + 1,
  );
  const plain = counselOf(task.id, after, [], plainApproach(after, task.check !== null), null);
  if (stages?.policy.asks !== true) return plain;
  const question = counselQuestion(
    task,
    failed,
    panel,
    nonceFor(task.id, ...failed.failures, ...failed.approaches),
  );
  const asked = await context.asker.ask(question, signal);
  if (asked.type === "unanswered") return plain;
  const approach = redactor(context.machine.env)(approachOf(asked.answer));
  return counselOf(
    task.id,
    after,
    panel.map(({ name }) => name),
    approach,
    asked.agent,
  );
}

function counselOf(
  task: string,
  after: number,
  perspectives: readonly string[],
  approach: string,
  agent: string | null,
): RetryAdvice {
  return { task, after, perspectives, approach, digest: digestOf(plainWords(approach)), agent };
}

function failedAttempts(
  { live }: RetryAdviceContext,
  task: string,
  after: number,
  failures: readonly string[],
): FailedAttempts {
  const approaches = (live.loop.stages?.counsels ?? [])
    .filter((each) => each.task === task)
    .map(({ approach }) => approach);
  return {
    after,
    failures,
    approaches,
    commit: live.loop.workflow?.branch?.tip ?? null,
  };
}

/** What the checks of an attempt show that isn't done. */
export function failureOf(criteria: readonly Criterion[]): string {
  return failureText({
    why: "Its check failed when it was said to be done.",
    said: [],
    checks: criteria.flatMap(({ name, evidence }) =>
      evidence === null || evidence.passed
        ? []
        : [{ name, ending: evidence.ending, output: evidence.outputTail }],
    ),
  });
}

/** Counts a failed verification of an attempt that goes on. Null: it is over, or no longer this run's. */
export async function noteShortfall(
  context: OwnRun,
  { task, number }: Pick<Attempt, "task" | "number">,
  detail: string,
): Promise<Loop | null> {
  const { iteration } = topFrame(context.live.loop);
  const event = { type: "attempt.fell-short", task, number, iteration, detail } as const;
  return recordOurs(context, [event], (now) => awaited(workflowOf(now), { task, number }) !== null);
}

const LOOK_MS = 100;

/** At the first failed verification of an attempt, waits for the advice that the scheduler then asks for; null: there is none. */
export async function adviceOn(
  context: OwnRun,
  attempt: Pick<Attempt, "task" | "number">,
  detail: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { task, number } = attempt;
  let loop = await noteShortfall(context, attempt, detail);
  const isFirst = (loop: Loop): boolean => awaited(workflowOf(loop), attempt)?.shortfalls?.length === 1;
  while (loop !== null && isFirst(loop) && isActiveFor(loop, context.run) && !signal.aborted) {
    const given = loop.stages?.counsels.find((each) => each.task === task && each.after === number);
    if (given !== undefined) return given.approach;
    if (needsCounsel(workflowOf(loop), loop.stages, task) === null) return null;
    await sleep(LOOK_MS);
    loop = context.live.loop;
  }
  return null;
}
