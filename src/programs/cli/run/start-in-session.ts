import { otherSessionOf } from "../../../engine/lifecycle/expect-person.ts";
import { openPlan, openWorkflow } from "../../../engine/opening/open-tasks.ts";
import type { Opener } from "../../../engine/opening/opener.ts";
import { openingNotices } from "../../../engine/opening/clear-spec.ts";
import type { NamedPlan } from "../../../engine/opening/plan-source.ts";
import { resolveAllowed } from "../../../engine/opening/resolve-opening.ts";
import type { PlanChoice } from "../../../engine/run/agent-choice.ts";
import { planOfSession } from "../find-plan.ts";
import { openerOf } from "../opener.ts";
import { specOf } from "../options.ts";
import { planChoice } from "./agent-options.ts";
import { freshFor } from "./cancel-loop.ts";
import { mirrorOfPlan } from "../../../engine/plan/plan-mirror.ts";
import { hasOpenTasks } from "../../../engine/opening/task-lists.ts";
import { unfinishedWorkflow } from "../../../engine/lifecycle/status.ts";
import type { Binding, Loop } from "../../../core/loop/loop.ts";
import { planHold } from "../../../core/stop/hold-reason.ts";
import { findHost } from "../../../agents/hosts/hosts.ts";
import { typedAs } from "../../../agents/hosts/typed-command.ts";
import { openLoopOfSession } from "../../../storage/loops/known-loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { announce, isAttendedSession, printExperience } from "../commands/start.ts";
import { startingLine } from "../../../views/loop-lines.ts";
import { planLines } from "../../../views/prompts/hold.ts";
import { statusView } from "../../../views/status.ts";
import { expectStartable } from "../../../engine/plan/drive-workflow.ts";
import type { BeforePlan } from "../../../engine/plan/session/session-stages.ts";
import { bringToPlan } from "../../../engine/plan/session/session-stages.ts";
import { workersFolder } from "../../../engine/plan/session/session-context.ts";
import { bindingOf, printJson } from "../context.ts";
import type { Context } from "../context.ts";
import { questionLines } from "../questions/ask-all.ts";
import { statusText } from "../../../views/terminal/status-text.ts";
import { adoptPlan } from "./adopt-plan.ts";
import { listInSession } from "./ask-start.ts";
import type { SessionFlags } from "./adopt-plan.ts";
import { stageView } from "../../../views/terminal/stage-view.ts";
import { whereItIs } from "./meet-unfinished.ts";

/** Opens a workflow for a session, and says what its agent does next: ask its user, or write the plan. */
export async function startWorkflow(context: Context, words: string, flags: SessionFlags): Promise<void> {
  const binding = expectSession(context, flags, "loop run SPEC --workflow");
  await expectStartable(context.machine);
  if (flags.beside !== true && flags.startFresh !== true) await expectNoneUnfinished(context, binding);
  const taskList = await listInSession(context, flags, binding);
  // What is open in a list that the user names is the plan.
  if (flags.taskList !== undefined && taskList !== null && hasOpenTasks(context.machine, taskList))
    return startPlan(context, words, { ...flags, plan: `tasks:${taskList}` });
  const { opener, opening } = await openingIn(context, words, flags, { binding, taskList, plan: null });
  const opened = await openWorkflow(opener, opening);
  // Never: a session's user is asked through its agent.
  if (opened.type !== "opened") return;
  context.answers.forget();
  for (const notice of await openingNotices(context.machine, opened.loop)) opener.tell(notice);
  if (!flags.json) {
    announce(context, opened.loop.live.loop);
    printExperience(context, opened.loop.live.loop);
  }
  await showNext(context, opened.loop, null, flags);
}

/** Brings the session's workflow on its way to the plan, and says what is open. */
export async function showNext(
  context: Context,
  chosen: KnownLoop,
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
  const isPlanless =
    flags.startFresh !== true &&
    own !== null &&
    own.live.loop.stages !== null &&
    own.live.loop.workflow === null;
  const opened = isPlanless
    ? await adoptPlan(context, own, words, flags)
    : await openWithPlan(context, words, flags, binding);
  const { loop } = opened.live;
  await mirrorOfPlan(machine, opened.live.project, opened.id, (sentence) =>
    terminal.complain(`loop: ${sentence}`),
  ).catchUp(loop);
  const view = statusView(loop, loop.start.tree);
  if (flags.json) return printJson(context, view);
  // The user of a workflow has seen how it began.
  if (isPlanless) terminal.print(startingLine(loop));
  else announce(context, loop);
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
): Promise<KnownLoop> {
  await expectStartable(context.machine);
  const plan = planOfSession(context, flags.plan, words);
  const taskList = plan.list === null ? await listInSession(context, flags, binding) : null;
  const { opener, opening } = await openingIn(context, words, flags, { binding, taskList, plan });
  return openPlan(opener, opening, plan, words);
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
  const commandPrefix = findHost(host)?.commandPrefix ?? null;
  const [resume, start] = ["continue", "start"].map((command) => typedAs({ commandPrefix }, command));
  throw new UserError(
    `The workflow ${id} is unfinished (${where}). Ask the user: resume it (they type ${resume} --loop=${id}), see its status (loop status --loop ${id}), start fresh (they type ${start} --start-fresh --loop=${id} SPEC), or keep both (add --beside).`,
  );
}

/** What is asked for, once it is allowed and nothing unfinished is in its way. */
async function openingIn(
  context: Context,
  words: string,
  flags: SessionFlags,
  {
    binding,
    taskList,
    plan,
  }: { readonly binding: Binding; readonly taskList: string | null; readonly plan: NamedPlan | null },
): Promise<{ readonly opener: Opener; readonly opening: Parameters<typeof openWorkflow>[1] }> {
  const { machine } = context;
  const opener = openerOf(context, flags);
  const { wanted, used, notices } = await resolveAllowed(opener, {
    command: "start",
    flags,
    plan,
    readSpec: () => specOf(context, words, flags.file),
    fresh: await freshFor(context, flags),
  });
  for (const notice of notices) opener.tell(notice);
  const how = (): PlanChoice => planChoice(machine, flags, { choice: null, last: null, used });
  return { opener, opening: { wanted, flags, worker: { type: "session", binding }, how, taskList } };
}

function printPlanLines({ machine, terminal }: Context, loop: Loop): void {
  for (const line of planLines(planHold(loop, null, isAttendedSession(machine, loop)))) terminal.print(line);
}
