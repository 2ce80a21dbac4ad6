import type { EventOf } from "../../core/events/event.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Shape } from "../../core/loop/loop.ts";
import { planned } from "../../core/plan-files/drafted-plan.ts";
import { asksFirst, isTooVague, shapeOfWorkflow } from "../../core/questions/intent/model-scores.ts";
import type { StageOptions } from "../../core/stages/stages.ts";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { planAdopted } from "../plan/drive-workflow.ts";
import { rememberAgent, rememberPlan, type PlanChoice } from "../run/agent-choice.ts";
import { scoreAsked } from "./asked-loop.ts";
import { vague, type Unclear } from "./clear-spec.ts";
import { openLoop } from "./open-loop.ts";
import { recallAtOpening } from "./open-plain.ts";
import type { CheckFlags, LooseningFlags, Opener, TaskFlags } from "./opener.ts";
import { expectApproved, type NamedPlan } from "./plan-source.ts";
import type { Resolved, Worker } from "./resolve-opening.ts";
import { useTaskList } from "./task-lists.ts";

const PARALLEL = 3;
const MOST_ROUNDS = 10;

type Flags = TaskFlags & CheckFlags & Pick<LooseningFlags, "notYet">;

/** What is decided about a workflow before it is opened. */
interface TaskOpening extends Pick<Resolved, "wanted"> {
  readonly flags: Flags;
  readonly worker: Worker;
  /** How its tasks are worked on. */
  readonly how: () => PlanChoice;
  /** The list of Claude Code in which its tasks are mirrored; null: none was chosen. */
  readonly taskList: string | null;
}

/** Opens the loop that works on a plan, once its commands are approved. `words`: the spec, if it isn't the plan's own. */
export async function openPlan(
  opener: Opener,
  { wanted, flags, worker, how, taskList }: TaskOpening,
  plan: NamedPlan,
  words: string,
): Promise<KnownLoop> {
  const { machine, person } = opener;
  // A session's user has seen the plan in the command.
  if (worker.type === "run") await expectApproved(opener, plan, flags.planDigest);
  const choice = how();
  const { iterationLimit } = wanted.limits;
  const stages = stagesBegun(flags, iterationLimit, { shape: null, keepsTests: false });
  const tasks = planned(plan.draft, {
    isApproved: () => true,
    timeoutMs: flags.checkTimeout,
    notYet: flags.notYet ?? [],
  });
  const { parallel } = stages.wishes;
  const adopted = planAdopted(tasks, { criteria: wanted.criteria, parallel, iterationLimit });
  const spec = specOf(words, plan);
  const recalled = await recallAtOpening(opener, { ...wanted, spec });
  // What its tasks are checked by says how clear it is.
  const criteria = adopted.plan.tasks.map(({ subject, check }) => ({ name: subject, check }));
  const score = scoreAsked({ ...wanted, spec, criteria });
  const scored = {
    score,
    familiarity: recalled.recall?.familiarity ?? 0,
    insisted: null,
    hasCheck: criteria.some(({ check }) => check !== null),
  };
  const isAnswered = person !== null || worker.type === "session";
  const { mustNots, protects, mode, limits, proof, proofBudgetMs, mayChange, holdout } = wanted;
  return openLoop(machine, {
    kind: "plan",
    ...{ mustNots, protects, mode, limits, proof, proofBudgetMs, mayChange, holdout },
    ...recalled,
    spec,
    score,
    shape: insistedShape(wanted.shape) ?? shapeOfWorkflow(scored, isAnswered),
    binding: worker.type === "session" ? worker.binding : null,
    stages,
    plan: adopted,
    prepare: (id, root) => {
      rememberPlan(machine.home, root, id, choice);
      rememberWorker(machine, root, id, { worker, taskList: plan.list ?? taskList });
    },
  });
}

/** Opens a workflow on its way to a plan, unless the spec is too vague for a run that nobody watches. */
export async function openWorkflow(
  opener: Opener,
  { wanted, flags, worker, how, taskList }: TaskOpening,
): Promise<{ readonly type: "opened"; readonly loop: KnownLoop } | Unclear> {
  const { machine, person } = opener;
  if (wanted.steps.length > 0)
    throw new UserError("A workflow has tasks and no steps; leave out -s, or list the tasks in the spec.");
  const recalled = await recallAtOpening(opener, wanted);
  const score = scoreAsked(wanted);
  const scored = {
    score,
    familiarity: recalled.recall?.familiarity ?? 0,
    insisted: wanted.shape,
    hasCheck: wanted.criteria.some(({ check }) => check !== null),
  };
  const isVague = isTooVague(scored);
  // A session's user is asked through its agent.
  const isAnswered = person !== null || worker.type === "session";
  if (isVague && !isAnswered) return vague(machine, score);
  const { spec, criteria, mustNots, protects, mode, limits, proof, proofBudgetMs, mayChange, holdout } =
    wanted;
  const loop = await openLoop(machine, {
    kind: "workflow",
    ...{ spec, criteria, mustNots, protects, mode, limits, proof, proofBudgetMs, mayChange, holdout },
    ...recalled,
    // Until it is settled what is meant.
    shape: isVague ? "intent" : shapeOfWorkflow(scored, isAnswered),
    binding: worker.type === "session" ? worker.binding : null,
    stages: stagesBegun(flags, limits.iterationLimit, {
      shape: wanted.shape,
      keepsTests: flags.proposeTests === true,
    }),
    prepare: (id, root) => {
      // A run says how it works on the plan once there is one.
      if (worker.type === "session") rememberPlan(machine.home, root, id, how());
      rememberWorker(machine, root, id, { worker, taskList });
    },
  });
  return { type: "opened", loop };
}

function rememberWorker(
  machine: Machine,
  root: string,
  id: LoopId,
  { worker, taskList }: Pick<TaskOpening, "worker" | "taskList">,
): void {
  if (worker.type === "run") rememberAgent(machine.home, root, id, worker.choice);
  if (taskList !== null) useTaskList(machine, root, id, taskList);
}

/** What the flags say about the stages of a workflow. */
function stagesBegun(
  flags: Flags,
  iterationLimit: number | null,
  { shape, keepsTests }: Pick<StageOptions, "shape" | "keepsTests">,
): EventOf<"stages.begun"> & { readonly wishes: StageOptions } {
  return {
    type: "stages.begun",
    policy: { asks: flags.noModel !== true, rounds: Math.min(iterationLimit ?? MOST_ROUNDS, MOST_ROUNDS) },
    wishes: {
      shape,
      kind: flags.kind ?? null,
      parallel: flags.parallel ?? PARALLEL,
      checkTimeoutMs: flags.checkTimeout,
      allowedChecks: flags.allowCheck ?? [],
      keepsTests,
    },
  };
}

/** A plan that is there leaves nothing to be asked first. */
function insistedShape(shape: Shape | null): Shape | null {
  return shape !== null && asksFirst(shape) ? "tool" : shape;
}

function specOf(words: string, { name, draft }: NamedPlan): string {
  if (words !== "") return words;
  const preface = draft.preface.trim().replace(/^#+\s+/, "");
  return preface === "" ? `Work on the plan ${name}` : preface;
}
