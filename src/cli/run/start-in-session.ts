import { addCriterion } from "../../app/amend.ts";
import { otherSessionOf } from "../../app/other-session.ts";
import { unfinishedWorkflow } from "../../app/unfinished-workflow.ts";
import { describeCheck } from "../../core/criterion.ts";
import type { Binding, Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import { planHold } from "../../core/stop/plan-hold.ts";
import { findHost } from "../../hosts/hosts.ts";
import { typedAs } from "../../hosts/typed-command.ts";
import { openLoopOfSession } from "../../loops/find-loop.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import { UserError } from "../../loops/user-error.ts";
import { planned } from "../../plans/planned.ts";
import { oneLine } from "../../text/plain-text.ts";
import { startingLine } from "../../views/loop-lines.ts";
import { planLines } from "../../views/plan-hold-text.ts";
import { statusView } from "../../views/status-view.ts";
import { expectStartable } from "../../workflow/expect-startable.ts";
import type { BeforePlan } from "../../workflow/session/session-stages.ts";
import { bringToPlan, takePlan } from "../../workflow/session/session-stages.ts";
import { workersFolder } from "../../workflow/session/workers-folder.ts";
import { isAttended } from "../attended.ts";
import { bindingOf } from "../binding.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import type { NamedPlan } from "../find-plan.ts";
import type { GivenCriterion } from "../given-criteria.ts";
import { givenCriteria } from "../given-criteria.ts";
import { expectMayLoosen, withUses } from "../loosening.ts";
import type { Opening, OpeningFlags } from "../opening.ts";
import { openingOf } from "../opening.ts";
import { questionLines } from "../questions/question-lines.ts";
import { statusText } from "../status-text.ts";
import { openWorkflow } from "./open-workflow.ts";
import type { PlanFlags } from "./plan-options.ts";
import { planOfSession } from "./approved-plan.ts";
import { openPlan } from "./open-plan.ts";
import { stageView } from "./stage-view.ts";
import { whereItIs } from "./unfinished-workflow.ts";
import type { Worker } from "./worker.ts";
import type { WorkflowFlags } from "./workflow-options.ts";

export interface SessionFlags extends OpeningFlags, Pick<PlanFlags, "parallel" | "noModel">, WorkflowFlags {
  readonly beside?: boolean;
  readonly session?: Binding["session"];
  readonly json?: boolean;
}

/** Opens a workflow for a session, and says what its agent does next: ask its user, or write the plan. */
export async function startWorkflow(context: Context, words: string, flags: SessionFlags): Promise<void> {
  const binding = expectSession(context, flags, "loop run SPEC --workflow");
  await expectStartable(context.machine);
  if (flags.beside !== true) await expectNoneUnfinished(context, binding);
  const opening = await openingIn(context, words, flags);
  const opened = await openWorkflow(context, flags, { ...opening, taskList: null }, workerOf(binding));
  if (opened === null) return;
  if (!flags.json) context.terminal.print(startingLine(opened.live.loop));
  await showNext(context, opened, null, flags);
}

/** Brings the session's workflow on its way to the plan, and says what is open. */
export async function showNext(
  context: Context,
  chosen: LockedLoop,
  answers: string | null,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { machine, terminal } = context;
  const tell = flags.json ? () => {} : stageView(terminal);
  const { loop, questions } = await bringToPlan(machine, chosen, answers, tell);
  if (flags.json)
    return printJson(context, { ...statusView(loop, loop.start.tree), questions: questions.map(asJson) });
  if (questions.length === 0) return printPlanLines(context, loop);
  terminal.print(`The spec leaves this open (${loop.score.total}/10):`);
  for (const line of questionLines(questions, terminal.width)) terminal.print(line);
  return terminal.print(
    "Ask the user, all at once, in these words; never answer for them. Then: loop answer '1A, 2: THEIR WORDS'",
  );
}

function asJson({ about, text, choices }: BeforePlan["questions"][number]): object {
  return { about, text, choices };
}

/** Gives the session's workflow its plan. Without one, opens a loop with the plan. */
export async function startPlan(
  context: Context,
  words: string,
  flags: SessionFlags & { readonly plan: string },
): Promise<void> {
  const { machine, terminal } = context;
  const binding = expectSession(context, flags, `loop run --plan ${oneLine(flags.plan, 80)}`);
  const own = await openLoopOfSession(machine, binding.session);
  const isPlanless = own !== null && own.live.loop.stages !== null && own.live.loop.workflow === null;
  const opened = isPlanless
    ? await adoptPlan(context, own, words, flags)
    : await openWithPlan(context, words, flags, binding);
  const { loop } = opened.live;
  const view = statusView(loop, loop.start.tree);
  if (flags.json) return printJson(context, view);
  terminal.print(startingLine(loop));
  terminal.print(statusText(terminal, view, machine.now()));
  const folder = workersFolder(machine, opened);
  terminal.print(`\nSubagents work below ${folder}. Tell the user to allow that once: /add-dir ${folder}`);
  return printPlanLines(context, loop);
}

async function openWithPlan(
  context: Context,
  words: string,
  flags: SessionFlags & { readonly plan: string },
  binding: Binding,
): Promise<LockedLoop> {
  await expectStartable(context.machine);
  const plan = planOfSession(context, flags.plan);
  const opening = await openingIn(context, words, flags, plan);
  return openPlan(context, words, flags, { plan, ...opening }, workerOf(binding));
}

async function adoptPlan(
  context: Context,
  own: LockedLoop,
  words: string,
  flags: SessionFlags & { readonly plan: string },
): Promise<LockedLoop> {
  expectOnlyPlan(own, words, flags);
  await expectMayLoosen(context, "start", flags, null, own);
  // The command that drew no shape was cut off.
  await bringToPlan(context.machine, own, null, stageView(context.terminal));
  const plan = planOfSession(context, flags.plan);
  const given = await givenCriteria(context, flags, { attended: isAttended(context, flags) });
  for (const notice of given.notices) context.terminal.complain(`loop: ${notice}`);
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

/** The same command was cut off after it had added it. */
function isKnown(loop: Loop, { name, check }: GivenCriterion): boolean {
  const lineOf = (each: GivenCriterion["check"]): string => (each === null ? "" : describeCheck(each));
  return topFrame(loop).criteria.some(
    (known) => known.name === name && lineOf(known.check) === lineOf(check),
  );
}

/** What `loop start --plan` takes for a loop that is open already; the first line are those that always have a value. */
const WITH_PLAN: ReadonlySet<string> = new Set<keyof (SessionFlags & PlanFlags)>([
  ...(["checkTimeout", "exitRule", "mode"] as const),
  ...(["plan", "criterion", "passEnv", "notYet", "once", "session", "json", "workflow", "beside"] as const),
]);

/** A limit or a rule that nobody would keep is refused. */
function expectOnlyPlan({ id }: LockedLoop, words: string, flags: SessionFlags): void {
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

function expectSession({ machine }: Context, flags: SessionFlags, outside: string): Binding {
  const binding = bindingOf(machine, flags.session);
  if (binding === null) throw new UserError(`Outside a session, drive it with: ${outside}`);
  return binding;
}

/** What is unfinished here is the user's to decide about, before money is spent on the same thing twice. */
async function expectNoneUnfinished({ machine }: Context, { session, host }: Binding): Promise<void> {
  const found = await unfinishedWorkflow(machine);
  if (found === null || found.live.loop.binding?.session === session) return;
  const { id, live } = found;
  const other = otherSessionOf(machine, live.loop, session);
  const where = `${whereItIs(live.loop)}${other === null ? "" : `; ${other.text}`}`;
  const resume = typedAs({ commandPrefix: findHost(host)?.commandPrefix ?? null }, "continue");
  throw new UserError(
    `The workflow ${id} is unfinished (${where}). Ask the user: resume it (they type ${resume} --loop=${id}), see its status (loop status --loop ${id}), or start fresh (add --beside; to end the old one they run in a terminal: loop cancel --loop ${id}).`,
  );
}

async function openingIn(
  context: Context,
  words: string,
  flags: SessionFlags,
  plan: NamedPlan | null = null,
): Promise<Pick<Opening, "asked" | "used">> {
  const attended = isAttended(context, flags);
  const { asked, used, notices } = await openingOf(context, words, flags, { nested: false, attended, plan });
  await expectMayLoosen(context, "start", flags, used.config, null);
  for (const notice of notices) context.terminal.complain(`loop: ${notice}`);
  return { asked, used };
}

function workerOf(binding: Binding): Worker {
  return { type: "session", binding };
}

function printPlanLines({ terminal }: Context, loop: Loop): void {
  for (const line of planLines(planHold(loop, null))) terminal.print(line);
}
