import { recordApproved } from "../../opening/checks-of-loop.ts";
import type { EventOf } from "../../../core/events/event.ts";
import { isActiveFor, topFrame, type Loop } from "../../../core/loop/loop.ts";
import type { Plan, PlannedTask } from "../../../core/plan/plan.ts";
import { planAdopted } from "../drive-workflow.ts";
import { agreedTo, stagesOf, type StageContext } from "./stage-context.ts";
import { describeCommand } from "../../../core/loop/criterion.ts";
import type { WorkShape } from "../../../core/stages/stages.ts";
import { decompose, plannedByModel, ownTasks } from "../../../core/questions/decompose.ts";
import { checkOfCommand } from "../../../core/questions/shape/find-check.ts";
import type { DraftedPlan } from "../../../core/plan-files/drafted-plan.ts";

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
  const loop = await recordApproved(machine, chosen, (now) =>
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

/**
 * The tasks of the work: a model's, or those that the spec lists. A command in them is a check if it is a criterion's or the
 * project's own, or allowed by a pattern or by a person.
 */
async function draftPlan(context: StageContext, changes: readonly string[]): Promise<Plan> {
  const { live, facts, person } = context;
  const { criteria } = topFrame(live.loop);
  const { wishes } = stagesOf(live.loop);
  const { checks } = await facts();
  const draft = await draftOf(context, changes);
  const known = criteria.flatMap(({ check }) => (check === null ? [] : [describeCommand(check.command)]));
  const policy = {
    allowed: { discovered: checks.map(({ command }) => command), patterns: wishes.allowedChecks },
    approved: new Set(known),
    timeoutMs: wishes.checkTimeoutMs,
  };
  const plan = await withKnownChecks(context, plannedByModel(draft, policy));
  const proposed = plan.tasks.flatMap(({ id, subject, proposed: command }) =>
    command === null ? [] : [{ name: `${id} ${subject}`, command }],
  );
  if (person === null || proposed.length === 0) return plan;
  const approved = new Set([...known, ...(await person.approves(proposed, "model"))]);
  return withKnownChecks(context, plannedByModel(draft, { ...policy, approved }));
}

const DECOMPOSE = { id: "decompose", purpose: "decompose" } as const;

async function draftOf(context: StageContext, changes: readonly string[]): Promise<DraftedPlan> {
  const { live, facts, asker, machine, chosen, interrupts, tell } = context;
  const { spec, criteria } = topFrame(live.loop);
  const check = criteria.find((each) => each.check !== null)?.check ?? null;
  const { shape, intent } = stagesOf(live.loop);
  const own = ownTasks(spec, {
    check: check === null ? null : describeCommand(check.command),
    // What a vague spec asks for is in its answers.
    subject: (intent?.answers.length ?? 0) === 0 ? null : (intent?.echo?.deliverable ?? null),
    decided: [...(shape?.decisions ?? []), ...changes],
  });
  if (asker === null) return own;
  if ((asker.whyNobody?.(DECOMPOSE) ?? null) === null) tell({ type: "asking", purpose: "decompose" });
  const work = {
    spec,
    shape: withChanges(shape, changes),
    discovered: (await facts()).checks.map(({ command }) => command),
    commit: await machine.git.headCommit(chosen.workingDirectory.root),
  };
  const decomposed = await decompose(work, asker, interrupts.now);
  if (decomposed.type === "drafted") return decomposed.draft;
  if (!interrupts.now.aborted) tell({ type: "unanswered", purpose: "decompose", why: decomposed.why });
  return own;
}

function withChanges(shape: WorkShape | null, changes: readonly string[]): WorkShape | null {
  if (shape === null) return shape;
  const wanted = changes.map((each) => `The user has seen a plan and wants this changed: ${each}`);
  return { ...shape, decisions: [...shape.decisions, ...wanted] };
}

/** A criterion's check keeps its limits and folder, and the project's own the folder of its tools. */
async function withKnownChecks({ live, facts }: StageContext, plan: Plan): Promise<Plan> {
  const { wishes } = stagesOf(live.loop);
  const known = await facts();
  const byCommand = new Map(
    topFrame(live.loop).criteria.flatMap(({ check }) =>
      check === null ? [] : [[describeCommand(check.command), check] as const],
    ),
  );
  const tasks = plan.tasks.map((task): PlannedTask => {
    if (task.check === null) return task;
    const line = describeCommand(task.check.command);
    return { ...task, check: byCommand.get(line) ?? checkOfCommand(line, known, wishes) ?? task.check };
  });
  return { ...plan, tasks };
}
