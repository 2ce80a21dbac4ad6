import { recordLocked } from "../../lifecycle/guarded-files.ts";
import type { EventOf } from "../../../core/events/event.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { isActiveFor, topFrame } from "../../../core/loop/loop.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { planAdopted } from "../plan-adopted.ts";
import { draftPlan } from "./draft-plan.ts";
import { agreedTo } from "./agree.ts";
import type { StageContext } from "./stage-context.ts";
import { stagesOf } from "./stage-context.ts";

const MOST_ROUNDS = 5;

/** Splits the work into tasks, has the plan agreed, and locks it; the criteria become its last tasks. */
export async function adoptPlan(context: StageContext): Promise<void> {
  const { machine, chosen, run, tell } = context;
  const changes: string[] = [];
  let adopted = await planned(context, changes);
  let isShown = false;
  for (let round = 1; ; round += 1) {
    const agreed = await agreedTo(context, "plan", [adopted]);
    if (agreed === null) return;
    ({ isShown } = agreed);
    if (agreed.change === null || round === MOST_ROUNDS) break;
    changes.push(agreed.change);
    adopted = await planned(context, changes);
  }
  if (context.interrupts.now.aborted) return;
  const loop = await recordLocked(machine, chosen, (now) =>
    isActiveFor(now, run) && now.workflow === null ? [adopted] : [],
  );
  if (loop.workflow !== null) tell({ type: "planned", loop, isShown });
}

async function planned(context: StageContext, changes: readonly string[]): Promise<EventOf<"plan.adopted">> {
  return planOfLoop(context.live.loop, await draftPlan(context, changes));
}

/** The plan of a loop whose shape is drawn. */
export function planOfLoop(loop: Loop, plan: Plan): EventOf<"plan.adopted"> {
  return planAdopted(plan, { ...topFrame(loop), parallel: stagesOf(loop).wishes.parallel });
}
