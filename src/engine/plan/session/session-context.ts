import { mirrorOfPlan } from "../plan-mirror.ts";
import type { Asker } from "../../../core/questions/question.ts";
import type { Binding, Loop } from "../../../core/loop.ts";
import { decidedByPolicy } from "../../../core/questions/review/decided.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import type { PlanChoice } from "../../run/agent-choice.ts";
import { lastPlan } from "../../run/agent-choice.ts";
import { NO_INTERRUPTS } from "../../run/run-context.ts";
import { sessionExecutor } from "./session-executor.ts";
import { overlapIn } from "../foresight.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import type { WorkflowNews } from "../../../views/news/workflow-news.ts";
import { workshopFor } from "../workshop-for.ts";

/** Where nobody has said how the plan is worked on. */
const USUAL: Pick<PlanChoice, "setup" | "copies" | "diskBytes"> = {
  setup: null,
  copies: [],
  diskBytes: 20e9,
};

/** A session's own agent reviews, and is asked by what it reads when it is held. */
const NOBODY: Asker = {
  ask: async () => ({ type: "unanswered", why: "the session's own agent is asked", agent: null }),
};

/** A plan whose tasks the agent of a session works on. The session stands where otherwise a run does. */
export function sessionContext(
  machine: Machine,
  { id, live }: LockedLoop,
  tell: (news: WorkflowNews) => void,
  asker: Asker = NOBODY,
): WorkflowContext {
  const { loop, project } = live;
  const binding = expectBound(loop);
  const how = lastPlan(machine.home, project.root, id) ?? USUAL;
  const workshop = workshopFor({ machine, project, loop: id, folder: loop.folder, how });
  return {
    machine,
    live,
    run: binding.session,
    isSession: true,
    isFirstRun: false,
    // Each stop of a session is another process, which takes what the journal says.
    strangers: () => [],
    agents: [binding.host],
    // What a session spends is known at each of its stops, whoever works in it.
    areCapped: true,
    parallel: null,
    interrupts: NO_INTERRUPTS,
    executor: sessionExecutor(machine, project, workshop),
    workshop,
    asker,
    goesOn: null,
    mirror: mirrorOfPlan(machine, project, id, () => {}),
    decide: async ({ findings, again }) => decidedByPolicy(findings, again, "tasks"),
    overlap: overlapIn(workflowOf(loop).plan),
    tell,
  };
}

function expectBound(loop: Loop): Binding {
  if (loop.workflow === null)
    throw new UserError(`The loop ${loop.id} has no plan; open one with: loop start --plan PLAN.md`);
  if (loop.binding === null || loop.driven?.run === loop.binding.session)
    throw new UserError(
      `No session works on the tasks of ${loop.id}; \`loop run\` does that by itself. Resume it with: loop continue`,
    );
  return loop.binding;
}
