import { addCriterion } from "../../../engine/lifecycle/amend.ts";
import type { AskedCriterion } from "../../../engine/opening/asked-loop.ts";
import { givenCriteria, withUses } from "../../../engine/opening/given-criteria.ts";
import { expectMayLoosen } from "../../../engine/opening/resolve-opening.ts";
import { useTaskList } from "../../../engine/opening/task-lists.ts";
import { describeCheck } from "../../../core/loop/criterion.ts";
import { topFrame, type Loop, type Binding } from "../../../core/loop/loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { planned } from "../../../core/plan-files/drafted-plan.ts";
import { bringToPlan, takePlan } from "../../../engine/plan/session/session-stages.ts";
import type { Context } from "../context.ts";
import { planOfSession } from "../find-plan.ts";
import { openerOf } from "../opener.ts";
import { listInSession, type StartFlags } from "./ask-start.ts";
import type { PlanFlags, WorkflowFlags } from "./task-options.ts";
import { stageView } from "../../../views/terminal/stage-view.ts";
import type { OpeningFlags } from "../../../engine/opening/opener.ts";
import type { FreshFlags } from "./cancel-loop.ts";

/** Gives a session's open workflow its plan. */
export async function adoptPlan(
  context: Context,
  own: KnownLoop,
  words: string,
  flags: SessionFlags & { readonly plan: string },
): Promise<KnownLoop> {
  expectOnlyPlan(own, words, flags);
  await expectMayLoosen(context.machine, "start", flags, null, own);
  // The command that drew no shape was cut off.
  await bringToPlan(context.machine, own, null, stageView(context.terminal));
  const plan = planOfSession(context, flags.plan, topFrame(own.live.loop).spec);
  const opener = openerOf(context, flags);
  const given = await givenCriteria(opener, flags);
  for (const notice of given.notices) opener.tell(notice);
  const taskList =
    flags.taskList === undefined ? null : await listInSession(context, flags, own.live.loop.binding);
  if (taskList !== null) useTaskList(context.machine, own.live.project.root, own.id, taskList);
  const { notYet = [] } = flags;
  const tasks = planned(plan.draft, { isApproved: () => true, timeoutMs: flags.checkTimeout, notYet });
  const checked = tasks.tasks.filter(({ check }) => check !== null).map(({ id }) => id);
  const criteria = withUses(given.criteria, flags, checked);
  // An agent's session waits for no check here; the plan's own are tried before its first task.
  const look = async (): Promise<undefined> => undefined;
  for (const { name, check } of criteria.filter((each) => !isKnown(own.live.loop, each)))
    await addCriterion(context.machine, own, { name, check, look });
  await takePlan(context.machine, own, tasks);
  return own;
}

/** The loop has it already: an earlier call of this command was cut off after it had added it. */
function isKnown(loop: Loop, { name, check }: AskedCriterion): boolean {
  const lineOf = (each: AskedCriterion["check"]): string => (each === null ? "" : describeCheck(each));
  return topFrame(loop).criteria.some(
    (known) => known.name === name && lineOf(known.check) === lineOf(check),
  );
}

/** What `loop start --plan` takes for a loop that is open already; the first line are those that always have a value. */
const WITH_PLAN: ReadonlySet<string> = new Set<keyof (SessionFlags & PlanFlags)>([
  ...(["checkTimeout", "exitRule", "mode"] as const),
  ...([
    "plan",
    "criterion",
    "passEnv",
    "notYet",
    "once",
    "session",
    "json",
    "workflow",
    "beside",
    "taskList",
  ] as const),
]);

/** A limit or a rule that nobody would keep is refused. */
function expectOnlyPlan({ id }: KnownLoop, words: string, flags: SessionFlags): void {
  const odd = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined || WITH_PLAN.has(name) ? [] : [name],
  );
  if (words === "" && odd.length === 0) return;
  const given = [
    ...(words === "" ? [] : ["a spec"]),
    ...odd.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
  ];
  throw new UserError(
    `The loop ${id} is open already and takes only its plan, and -c for criteria; leave out ${given.join(", ")}: that counts only when a loop is opened.`,
  );
}

/** What `loop start` takes for a workflow or a plan of a session. */
export interface SessionFlags
  extends
    OpeningFlags,
    Pick<PlanFlags, "parallel" | "noModel">,
    WorkflowFlags,
    FreshFlags,
    Pick<StartFlags, "taskList"> {
  readonly session?: Binding["session"];
  readonly json?: boolean;
}
