import * as v from "valibot";
import { PLAN_SOURCES, type Plan, type PlannedTask } from "../../core/plan/plan.ts";
import type { WorkflowEvent } from "../../core/plan/workflow-event.ts";
import { SETBACKS, type Setback } from "../../core/plan/workflow.ts";
import type { Schema } from "./schema-parts.ts";
import {
  actor,
  amount,
  check,
  commit,
  confidence,
  count,
  loopId,
  orNull,
  taskId,
  text,
  texts,
} from "./schema-parts.ts";

const branchName = v.pipe(text, v.regex(/^loop\/[a-z0-9-]+$/));
const plannedTask: Schema<PlannedTask> = v.object({
  id: taskId,
  subject: text,
  description: text,
  check: orNull(check),
  proposed: orNull(text),
  blockedBy: v.array(taskId),
  files: texts,
  estimateMs: orNull(amount),
});
const plannedTasks: Schema<readonly PlannedTask[]> = v.array(plannedTask);
const plan: Schema<Plan> = v.object({ source: v.picklist(PLAN_SOURCES), tasks: plannedTasks });
export const setback: Schema<Setback> = v.object({
  kind: v.picklist(SETBACKS),
  detail: text,
  carry: orNull(commit),
  failing: v.array(taskId),
});

type EventOf<Type extends WorkflowEvent["type"]> = Extract<WorkflowEvent, { readonly type: Type }>;

export const WORKFLOW_SCHEMAS: { readonly [Type in WorkflowEvent["type"]]: Schema<EventOf<Type>> } = {
  "plan.adopted": v.object({
    type: v.literal("plan.adopted"),
    plan,
    parallel: count,
    attemptLimit: count,
    attemptUsd: orNull(amount),
  }),
  "plan.extended": v.object({ type: v.literal("plan.extended"), tasks: plannedTasks, why: text }),
  "task.edited": v.object({ type: v.literal("task.edited"), task: plannedTask }),
  "task.skipped": v.object({ type: v.literal("task.skipped"), task: taskId, why: text, by: actor }),
  "task.retried": v.object({ type: v.literal("task.retried"), task: taskId }),
  "branch.begun": v.object({
    type: v.literal("branch.begun"),
    name: branchName,
    from: commit,
    userBranch: orNull(text),
  }),
  "wave.begun": v.object({ type: v.literal("wave.begun"), wave: count }),
  "wave.ended": v.object({ type: v.literal("wave.ended"), wave: count }),
  "attempt.started": v.object({
    type: v.literal("attempt.started"),
    task: taskId,
    number: count,
    loop: loopId,
    base: orNull(commit),
    worktree: orNull(text),
    slot: count,
    agent: text,
    reservedUsd: orNull(amount),
    reservedTokens: orNull(amount),
  }),
  "attempt.placed": v.object({
    type: v.literal("attempt.placed"),
    task: taskId,
    number: count,
    worker: text,
  }),
  "attempt.finished": v.object({
    type: v.literal("attempt.finished"),
    task: taskId,
    number: count,
    commit: orNull(commit),
    confidence,
    doubts: v.array(text),
  }),
  "attempt.set-back": v.object({
    type: v.literal("attempt.set-back"),
    task: taskId,
    number: count,
    setback,
  }),
  "attempt.fell-short": v.object({
    type: v.literal("attempt.fell-short"),
    task: taskId,
    number: count,
    iteration: count,
    detail: text,
  }),
  "merge.begun": v.object({
    type: v.literal("merge.begun"),
    merge: count,
    tasks: v.array(taskId),
    onto: orNull(commit),
  }),
  "merge.ended": v.object({
    type: v.literal("merge.ended"),
    merge: count,
    accepted: v.array(v.object({ task: taskId, commit: orNull(commit) })),
    setBack: v.array(v.object({ task: taskId, setback })),
    checks: v.exactOptional(
      v.array(
        v.object({
          task: taskId,
          command: text,
          exitCode: orNull(v.pipe(v.number(), v.safeInteger())),
          durationMs: amount,
        }),
      ),
    ),
  }),
  "work.checked": v.object({ type: v.literal("work.checked"), commit }),
  "merge.undone": v.object({
    type: v.literal("merge.undone"),
    to: commit,
    tasks: v.array(taskId),
    suspects: v.array(taskId),
  }),
  "check.wavered": v.object({ type: v.literal("check.wavered"), check: text }),
  "task.given-up": v.object({ type: v.literal("task.given-up"), task: taskId, why: text }),
  "agent.limited": v.object({ type: v.literal("agent.limited"), agent: text, until: amount }),
  "delivery.begun": v.object({ type: v.literal("delivery.begun"), from: commit }),
  "work.delivered": v.object({
    type: v.literal("work.delivered"),
    delivery: v.object({ how: v.picklist(["moved", "left"]), why: orNull(text) }),
  }),
};
