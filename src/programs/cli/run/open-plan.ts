import type { AskedLoop } from "../../../engine/opening/open-loop.ts";
import { openLoop, scoreAsked } from "../../../engine/opening/open-loop.ts";
import { otherLoopNotices } from "../../../engine/opening/opening-notices.ts";
import { useTaskList } from "../../../engine/opening/task-lists.ts";
import type { Shape } from "../../../core/loop/loop.ts";
import { asksFirst, shapeOfWorkflow } from "../../../core/questions/intent/understood.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { planned } from "../../../core/plan-files/drafted-plan.ts";
import { rememberAgent, rememberPlan } from "../../../engine/run/agent-choice.ts";
import { planAdopted } from "../../../engine/plan/begin-plan.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { NamedPlan } from "../find-plan.ts";
import { recallAtOpening } from "../learnings/ask-recall.ts";
import type { LooseningFlags } from "../loosening.ts";
import type { Opening } from "../opening.ts";
import type { ApprovalFlags } from "./approved-plan.ts";
import { expectApproved } from "./approved-plan.ts";
import type { StartSettings } from "./ask-start.ts";
import { planChoice } from "./plan-choice.ts";
import type { PlanFlags } from "./plan-options.ts";
import { stagesBegun } from "./stages-begun.ts";
import type { Worker } from "./worker.ts";
import type { WorkflowFlags } from "./workflow-options.ts";

type Flags = ApprovalFlags &
  Pick<PlanFlags, "plan" | "parallel" | "noModel" | "allowCheck"> &
  WorkflowFlags &
  Pick<LooseningFlags, "notYet"> & { readonly checkTimeout: number };

/** Approves a plan, and opens the loop that works on it. */
export async function openPlan(
  context: Context,
  words: string,
  flags: Flags,
  {
    plan,
    asked,
    used,
    taskList = null,
  }: Pick<Opening, "asked" | "used"> &
    Partial<Pick<StartSettings, "taskList">> & { readonly plan: NamedPlan },
  worker: Worker,
): Promise<LockedLoop> {
  const { machine } = context;
  if (worker.type === "run") await expectApproved(context, plan, flags);
  const choice = worker.type === "run" ? worker.choice : null;
  const how = planChoice(machine, flags, { choice, last: null, used });
  const { iterationLimit } = asked.limits;
  const stages = stagesBegun(flags, iterationLimit, { shape: null, keepsTests: false });
  const tasks = planned(plan.draft, {
    isApproved: () => true,
    timeoutMs: flags.checkTimeout,
    notYet: flags.notYet ?? [],
  });
  const { parallel } = stages.wishes;
  const adopted = planAdopted(tasks, { criteria: asked.criteria, parallel, iterationLimit });
  const spec = specOf(words, plan);
  const isWatched = isAttended(context, flags);
  const recalled = await recallAtOpening(context, { ...asked, spec }, isWatched);
  // What its tasks are checked by says how clear it is.
  const criteria = adopted.plan.tasks.map(({ subject, check }) => ({ name: subject, check }));
  const score = scoreAsked({ ...asked, spec, criteria });
  const scored = {
    score,
    familiarity: recalled.recall?.familiarity ?? 0,
    insisted: null,
    hasCheck: criteria.some(({ check }) => check !== null),
  };
  const loop: AskedLoop = {
    ...asked,
    ...recalled,
    spec,
    score,
    criteria: [],
    steps: [],
    exitRule: "tasks",
    shape: insistedShape(asked.shape) ?? shapeOfWorkflow(scored, isWatched || worker.type === "session"),
    redFirst: false,
    nested: false,
    binding: worker.type === "session" ? worker.binding : null,
    stages,
    plan: adopted,
    prepare: (id, root) => {
      if (worker.type === "run") rememberAgent(machine.home, root, id, worker.choice);
      rememberPlan(machine.home, root, id, how);
      const list = plan.list ?? taskList;
      if (list !== null) useTaskList(machine, root, id, list);
    },
  };
  const opened = await openLoop(machine, loop);
  if (worker.type === "run")
    for (const notice of await otherLoopNotices(machine, opened))
      context.terminal.complain(`loop: ${notice}`);
  return opened;
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
