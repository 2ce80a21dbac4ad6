import type { AskedLoop } from "../../../engine/opening/open-loop.ts";
import { openLoop, scoreAsked } from "../../../engine/opening/open-loop.ts";
import { openingNotices } from "../../../engine/opening/opening-notices.ts";
import { useTaskList } from "../../../engine/opening/task-lists.ts";
import { isTooVague, shapeOfWorkflow } from "../../../core/questions/intent/understood.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { rememberAgent, rememberPlan } from "../../../engine/run/agent-choice.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import { recallAtOpening } from "../learnings/ask-recall.ts";
import type { Opening, OpeningFlags } from "../opening.ts";
import { testsToAdd } from "./clarify.ts";
import type { StartSettings } from "./ask-start.ts";
import { planChoice } from "./plan-choice.ts";
import type { PlanFlags } from "./plan-options.ts";
import { stagesBegun } from "./stages-begun.ts";
import { refuse } from "./too-vague.ts";
import type { Worker } from "./worker.ts";
import type { WorkflowFlags } from "./workflow-options.ts";

type Flags = WorkflowFlags & PlanFlags & OpeningFlags & { readonly json?: boolean };

/** Opens a workflow on its way to a plan. null: the spec is too vague for a run that nobody watches, and the user has been told. */
export async function openWorkflow(
  context: Context,
  flags: Flags,
  { asked, used, taskList }: Pick<Opening, "asked" | "used"> & Pick<StartSettings, "taskList">,
  worker: Worker,
): Promise<LockedLoop | null> {
  const { machine, terminal } = context;
  if (asked.steps.length > 0)
    throw new UserError("A workflow has tasks and no steps; leave out -s, or list the tasks in the spec.");
  const isWatched = isAttended(context, flags);
  const recalled = await recallAtOpening(context, asked, isWatched);
  const insisted = asked.shape;
  const score = scoreAsked(asked);
  const scored = {
    score,
    familiarity: recalled.recall?.familiarity ?? 0,
    insisted,
    hasCheck: asked.criteria.some(({ check }) => check !== null),
  };
  const isVague = isTooVague(scored);
  // A session's user is asked through its agent.
  const isAnswered = isWatched || worker.type === "session";
  if (isVague && !isAnswered) {
    const why = `The spec is too vague to run (${score.total}/10). Answer these in it, or give a check with -c 'NAME=COMMAND':`;
    const refused = refuse(context, why, score, flags);
    for (const line of await testsToAdd(context)) terminal.complain(line);
    return refused;
  }
  const stages = stagesBegun(flags, asked.limits.iterationLimit, {
    shape: insisted,
    keepsTests: flags.proposeTests === true,
  });
  const loop: AskedLoop = {
    ...asked,
    ...recalled,
    steps: [],
    exitRule: "tasks",
    // Until it is settled what is meant.
    shape: isVague ? "intent" : shapeOfWorkflow(scored, isAnswered),
    redFirst: false,
    nested: false,
    binding: worker.type === "session" ? worker.binding : null,
    stages,
    prepare: (id, root) => {
      if (worker.type === "run") rememberAgent(machine.home, root, id, worker.choice);
      else
        rememberPlan(machine.home, root, id, planChoice(machine, flags, { choice: null, last: null, used }));
      if (taskList !== null) useTaskList(machine, root, id, taskList);
    },
  };
  const chosen = await openLoop(machine, loop);
  context.answers.forget();
  for (const notice of await openingNotices(machine, chosen)) terminal.complain(`loop: ${notice}`);
  return chosen;
}
