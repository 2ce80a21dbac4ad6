import { topFrame, type Confidence, type Loop } from "../core/loop/loop.ts";
import { listed } from "../core/listed.ts";
import { wavesOf } from "../core/plan/graph.ts";
import type { PlannedTask } from "../core/plan/plan.ts";
import { shownTask, failureLine } from "../core/plan/shown-task.ts";
import {
  attemptsOf,
  failuresOf,
  isGivenUp,
  isSettled,
  running,
  taskState,
  waves,
} from "../core/plan/workflow.ts";
import type { Attempt, Delivery, Setback, Workflow } from "../core/plan/workflow.ts";
import { judgementStatus, type JudgementStatus } from "./review.ts";
import { shownState, type ShownState } from "./task.ts";
import { stageOf } from "../core/stages/stages.ts";
import { oneLine, wholeWords } from "../system/text/plain-text.ts";
import { counted } from "../system/text/quantities.ts";
import { nameList } from "./shortened.ts";
import { describeCheck } from "../core/loop/criterion.ts";
import { costText, exactDollars } from "./cost.ts";
import { attemptViews } from "./story/plan-story.ts";
import type {
  AttemptView,
  FactsOfAttempt,
  MergeView,
  Milestone,
  PlanStory,
  QuestionView,
} from "./story/plan-story.ts";
import { planVerdict, type PlanVerdict } from "./verdict-box.ts";

/** What an attempt is doing right now. */
export interface AttemptLive {
  readonly iteration: number;
  readonly doing: string;
  readonly tool: { readonly name: string; readonly detail: string } | null;
  readonly since: string;
  /** When its agent printed something last; null: unknown. */
  readonly heardAt: string | null;
  /** Until when its agent waits for a usage limit; null: it waits for none. */
  readonly until: string | null;
  readonly costUsd: number | null;
}

/** A task of a plan, and how far it is. Names are public; null where unknown. */
export interface WorkflowTask {
  readonly id: string;
  readonly subject: string;
  readonly wave: number;
  readonly state: ShownState;
  /** What its attempt is doing right now; null: unknown. */
  readonly live: AttemptLive | null;
  /** Of its attempts that ended. */
  readonly costUsd: number | null;
  /** Held for the attempt that runs; null: none does, or nothing limits it. */
  readonly reservedUsd: number | null;
  readonly check: string | null;
  readonly blockedBy: readonly string[];
  /** Its blockers that aren't done. */
  readonly waitsFor: readonly string[];
  readonly attempts: number;
  /** The agent of the attempt that runs. */
  readonly agent: string | null;
  /** The worker of a fleet that makes or made its last attempt; null: this machine. */
  readonly worker: string | null;
  /** The loop of its last attempt. */
  readonly loop: string | null;
  readonly startedAt: string | null;
  /** Why an attempt came to nothing: the last one, until the task is done. */
  readonly setback: Pick<Setback, "kind" | "detail"> | null;
  readonly setbacks: number;
  /** Setbacks of a task that isn't done; 0 once it is. */
  readonly stuckCount: number;
  /** Of what is on the branch. */
  readonly confidence: Confidence | null;
  /** Why that isn't "verified". */
  readonly doubts: readonly string[];
  readonly commit: string | null;
  /** Why it was given up. */
  readonly givenUp: string | null;
  /** Why it was left out. */
  readonly skipped: string | null;
}

/** The plan of a loop as `loop status` shows it. */
export interface WorkflowStatus {
  readonly parallel: number;
  readonly waves: number;
  /** The last one that was begun; 0: none. */
  readonly wave: number;
  readonly counts: { readonly [State in ShownState]: number };
  readonly branch: string | null;
  readonly tip: string | null;
  readonly userBranch: string | null;
  /** What came of the work at the end, in a sentence. */
  readonly delivery: string | null;
  readonly merging: readonly string[];
  readonly waits: readonly { readonly agent: string; readonly until: string }[];
  readonly delivered: Delivery | null;
  readonly tasks: readonly WorkflowTask[];
  /** In the order in which they began. */
  readonly attempts: readonly AttemptView[];
  readonly merges: readonly MergeView[];
  readonly questions: readonly QuestionView[];
  readonly milestones: readonly Milestone[];
  /** Held for attempts that run. */
  readonly reservedUsd: number;
  /** What to do with the result, at the end of it. */
  readonly verdict: PlanVerdict | null;
  /** null: nothing but checks judges the work. */
  readonly judgement: JudgementStatus | null;
}

const NONE = {
  done: 0,
  running: 0,
  stopped: 0,
  merging: 0,
  ready: 0,
  blocked: 0,
  "given-up": 0,
  skipped: 0,
} as const;

/** What only the journals of a plan and of its attempts say. */
export interface PlanFacts {
  readonly story: PlanStory;
  readonly factsOf: FactsOfAttempt;
  /** What attempts that run are doing, by task. */
  readonly live: ReadonlyMap<string, AttemptLive>;
}

/** Null: a plain loop. An agent that waited for a usage limit when the loop last changed is shown as waiting. `isGone`: its run was killed. */
export function workflowStatus(
  loop: Loop,
  isGone = false,
  facts: PlanFacts | null = null,
): WorkflowStatus | null {
  const { workflow, stages, updatedAt } = loop;
  if (workflow === null) return null;
  const waves = wavesOf(workflow.plan.tasks);
  const tasks = workflow.plan.tasks.map((task) =>
    taskOf(workflow, task, {
      wave: waves.get(task.id) ?? 1,
      state: shownState(loop, taskState(workflow, task), isGone),
      live: facts?.live.get(task.id) ?? null,
      costUsd: facts === null ? null : costOfTask(facts.story, workflow, task.id),
    }),
  );
  const { branch, parallel, wavesBegun, merge, waits, delivered } = workflow;
  return {
    parallel,
    waves: Math.max(0, ...waves.values()),
    wave: wavesBegun,
    counts: tasks.reduce<WorkflowStatus["counts"]>(
      (counts, { state }) => ({ ...counts, [state]: counts[state] + 1 }),
      NONE,
    ),
    branch: branch?.name ?? null,
    tip: branch?.tip ?? null,
    userBranch: branch?.userBranch ?? null,
    merging: loop.phase === "active" && !isGone ? (merge?.tasks ?? []) : [],
    waits: waits
      .filter(({ until }) => until > updatedAt)
      .map(({ agent, until }) => ({ agent, until: new Date(until).toISOString() })),
    delivered,
    delivery: deliveryText(workflow),
    tasks,
    attempts: facts === null ? [] : attemptViews(workflow, facts.story, facts.factsOf),
    merges: facts?.story.merges ?? [],
    questions: facts?.story.questions ?? [],
    milestones: facts?.story.milestones ?? [],
    reservedUsd: running(workflow).reduce((sum, { reservedUsd }) => sum + (reservedUsd ?? 0), 0),
    verdict: loop.phase === "completed" ? planVerdict(loop.confidence, tasks, stages) : null,
    judgement: judgementStatus(stages),
  };
}

/** null: no attempt at it has ended. */
function costOfTask(story: PlanStory, workflow: Workflow, task: string): number | null {
  const known = attemptsOf(workflow, task).flatMap(({ number }) => story.costOf(task, number) ?? []);
  return known.length === 0 ? null : exactDollars(known.reduce((sum, usd) => sum + usd, 0));
}

function taskOf(
  workflow: Workflow,
  task: PlannedTask,
  { wave, state, live, costUsd }: Pick<WorkflowTask, "wave" | "state" | "live" | "costUsd">,
): WorkflowTask {
  const attempts = attemptsOf(workflow, task.id);
  const last = attempts.at(-1);
  const setbacks = attempts.flatMap(({ state }) => (state.type === "set-back" ? [state.setback] : []));
  const shown = shownTask(workflow, task.id);
  const isOnBranch = last?.state.type === "integrated";
  return {
    id: task.id,
    subject: task.subject,
    wave,
    state,
    live,
    costUsd,
    reservedUsd: last?.state.type === "running" ? last.reservedUsd : null,
    check: task.check === null ? null : describeCheck(task.check),
    blockedBy: task.blockedBy,
    waitsFor: task.blockedBy.filter((id) => !isSettled(workflow, id)),
    attempts: attempts.length,
    agent: state === "running" ? (last?.agent ?? null) : null,
    worker: last?.worker ?? null,
    loop: last?.loop ?? null,
    startedAt: state === "running" ? startOf(last) : null,
    setback: isOnBranch ? null : shortened(setbacks.at(-1)),
    setbacks: setbacks.length,
    stuckCount: isOnBranch ? 0 : failuresOf(workflow, task.id).length,
    confidence: shown?.confidence ?? null,
    doubts: shown?.doubts ?? [],
    // Where nothing changed since the plan began, no commit is its own.
    commit: isOnBranch && last.state.commit !== workflow.branch?.from ? last.state.commit : null,
    givenUp: workflow.givenUp.find((each) => each.task === task.id)?.why ?? null,
    skipped: workflow.skipped.find((each) => each.task === task.id)?.why ?? null,
  };
}

function startOf(attempt: Attempt | undefined): string | null {
  return attempt === undefined ? null : new Date(attempt.startedAt).toISOString();
}

function shortened(setback: Setback | undefined): WorkflowTask["setback"] {
  return setback === undefined ? null : { kind: setback.kind, detail: setback.detail };
}

/** The iterations are those that are limited: how often a task of the wave is tried. */
export function waveLine(loop: Loop, wave: number, tasks: number): string {
  const { workflow } = loop;
  const ofWave = workflow === null ? [] : (waves(workflow.plan)[wave - 1] ?? []);
  const tries = ofWave.map(({ id }) => (workflow === null ? 0 : attemptsOf(workflow, id).length));
  const limit = topFrame(loop).iterationLimit ?? "∞";
  return `[LOOP] Wave ${wave} | Iteration ${Math.max(1, ...tries)}/${limit} | Cost: ${costText(loop)} | Tasks: ${tasks}`;
}

const MOST_GOING_ON = 5;

/** Why a wave begins before an earlier one is complete; empty where none goes on. */
export function earlierWavesLine({ workflow }: Loop, wave: number): readonly string[] {
  if (workflow === null) return [];
  const goingOn = waves(workflow.plan)
    .slice(0, wave - 1)
    .flat()
    .filter(({ id }) => !isSettled(workflow, id) && !isGivenUp(workflow, id))
    .map(({ id }) => id);
  return goingOn.length === 0
    ? []
    : [
        `  A task begins as soon as those that it waits for are done; earlier waves go on with ${listed(goingOn, MOST_GOING_ON)}.`,
      ];
}

/** `wave 1 of 2`, or that there are two. */
export function wavesText(wave: number, waves: number): string {
  return wave === 0 ? `${counted(waves, "wave")}, none begun` : `wave ${wave} of ${waves}`;
}

/** Where a plan stands, for somebody who begins to watch. */
export function planLine(loop: Loop): string {
  const { wavesBegun = 0 } = loop.workflow ?? {};
  return `[LOOP] Wave ${wavesBegun} | Cost: ${costText(loop)} | Progress: ${progressText(loop)}`;
}

/** A workflow on its way to a plan. */
export function stageLine(loop: Loop): string {
  return `[LOOP] Stage: ${stageOf(loop) ?? ""} | Cost: ${costText(loop)}`;
}

export function waveDoneLine(loop: Loop, wave: number): string {
  const tasks = loop.workflow === null ? [] : (waves(loop.workflow.plan)[wave - 1] ?? []);
  const givenUp = tasks.filter(({ id }) => loop.workflow !== null && isGivenUp(loop.workflow, id));
  if (givenUp.length === 0) return `[LOOP] ✓ Wave ${wave} complete | Progress: ${progressText(loop)}`;
  return `[LOOP] ✗ Wave ${wave} ended, ${givenUp.length} of ${tasks.length} tasks given up | Progress: ${progressText(loop)}`;
}

export function progressText(loop: Loop): string {
  const { tasks } = topFrame(loop);
  return `${tasks.filter(({ status }) => status === "completed").length}/${tasks.length}`;
}

/** Its name is what somebody else's machine says. */
export function onWorker(worker: string): string {
  return `on ${oneLine(worker, 40)}`;
}

export function taskLabel({ id, subject }: PlannedTask): string {
  return `${id} ${wholeWords(subject, 80)}`;
}

const SETBACK_TEXTS = {
  failed: "the attempt failed",
  conflict: "its result conflicts with what was merged meanwhile",
  "red-together": "it passes alone and fails after the merge",
  lost: "its work was lost",
  setup: "its worktree could not be set up",
} as const;

export function setbackText({ kind, detail }: Pick<Setback, "kind" | "detail">): string {
  // The first line names the files that conflict; git only says it again.
  const telling = kind === "conflict" ? (detail.split("\n")[0] ?? "") : failureLine(detail);
  const why = oneLine(telling, 200);
  return `${SETBACK_TEXTS[kind]}${why === "" ? "" : `: ${why}`}`;
}

/** Where the work is now; null: it isn't at its end, or there is no branch. */
export function deliveryText({
  branch,
  delivered,
  deliveredFrom,
  skipped,
}: Pick<Workflow, "branch" | "delivered" | "deliveredFrom" | "skipped">): string | null {
  if (branch === null || delivered === null) return null;
  if (delivered.how === "left") return `The work is on the branch ${branch.name}: ${delivered.why ?? ""}`;
  const user = branch.userBranch ?? "Your branch";
  const left = skipped.map(({ task }) => task);
  const which = left.length === 0 ? "all tasks" : `all tasks but ${nameList(left)}`;
  const what =
    branch.tip === branch.from
      ? `The tasks changed nothing, so ${user} stays as it was.`
      : deliveredFrom === null
        ? `${user} has the work of ${which}.`
        : `${user} was fast-forwarded to the work of ${which}.`;
  return `${what} Its branch can go: git branch -d ${branch.name}`;
}
