import { planFromConfig } from "../../app/config-plan.ts";
import { mirrorOfPlan } from "../../app/plan-mirror.ts";
import { approvalOfPlan, approvePlanText } from "../../app/plan-approval.ts";
import type { AskedLoop } from "../../app/open-loop.ts";
import { openLoop } from "../../app/open-loop.ts";
import { otherLoopNotices } from "../../app/opening-notices.ts";
import { useTaskList } from "../../app/task-lists.ts";
import type { EventOf } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { areSeveralOpen } from "../../loops/choose-loop.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import { standpointOf } from "../../loops/locked-loop.ts";
import { UserError } from "../../loops/user-error.ts";
import { hasErrors, lintPlan } from "../../plans/lint-plan.ts";
import { planned } from "../../plans/planned.ts";
import type { AgentChoice } from "../../run/agent-choice.ts";
import { writePlanArtifacts } from "../../run/artifacts.ts";
import { rememberAgent } from "../../run/agent-choice.ts";
import { driverOf } from "../../run/agents.ts";
import { lastPlan, rememberPlan } from "../../run/plan-choice.ts";
import { attemptChoice } from "../../workflow/attempt-choice.ts";
import { driveWorkflow } from "../../workflow/drive-workflow.ts";
import { withFinalTasks } from "../../workflow/final-tasks.ts";
import { localExecutor } from "../../workflow/local-executor.ts";
import { overlapIn } from "../../workflow/overlap.ts";
import { workshopFor } from "../../workflow/workshop-for.ts";
import type { WorkflowRequest } from "../../workflow/take-workflow.ts";
import { workflowOf } from "../../workflow/take-workflow.ts";
import { shellWord } from "../../text/shell-word.ts";
import { confirm } from "../questions/confirm.ts";
import type { HeldLines } from "../questions/held-lines.ts";
import { holdLines } from "../questions/held-lines.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { NamedPlan } from "../find-plan.ts";
import { printable } from "../../text/plain-text.ts";
import { findPlan, planWord } from "../find-plan.ts";
import type { LooseningFlags } from "../loosening.ts";
import type { Opening } from "../opening.ts";
import { canShowLive } from "../live/live-display.ts";
import type { LivePlanView } from "../live/live-plan-view.ts";
import { livePlanView } from "../live/live-plan-view.ts";
import { recallAtOpening } from "../learnings/ask-recall.ts";
import type { Terminal } from "../terminal.ts";
import { goOnWithoutReaders } from "../readers.ts";
import type { AgentFlags } from "./agent-options.ts";
import { decideByPolicy, decideInTerminal } from "./decide-findings.ts";
import type { StartSettings } from "./ask-start.ts";
import { colleague } from "./colleague.ts";
import { exitCodeOf, whyNotSure } from "./exit-code.ts";
import type { TerminalInterrupts } from "./interrupts.ts";
import { interruptsOfTerminal } from "./interrupts.ts";
import type { Notification } from "./notify.ts";
import { notify } from "./notify.ts";
import { planChoice } from "./plan-choice.ts";
import type { PlanFlags } from "./plan-options.ts";
import type { Worker } from "./worker.ts";
import type { WorkflowFlags } from "./workflow-options.ts";
import { workflowJson } from "./workflow-json.ts";
import { workflowView } from "./workflow-view.ts";

export const PARALLEL = 3;
const ATTEMPTS = 10;
const MOST_ROUNDS = 10;

/** As the value of --plan. */
const STANDARD_INPUT = "-";

type Flags = PlanFlags & AgentFlags & { readonly json?: boolean };
type OpeningFlags = Pick<PlanFlags, "plan" | "planDigest" | "parallel" | "noModel" | "allowCheck"> & {
  readonly json?: boolean;
};

/** Approves a plan, and opens the loop that works on it. */
export async function openPlan(
  context: Context,
  words: string,
  flags: OpeningFlags & WorkflowFlags & Pick<LooseningFlags, "notYet"> & { readonly checkTimeout: number },
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
  const adopted: EventOf<"plan.adopted"> = {
    type: "plan.adopted",
    plan: withFinalTasks(
      planned(plan.draft, {
        isApproved: () => true,
        timeoutMs: flags.checkTimeout,
        notYet: flags.notYet ?? [],
      }),
      asked.criteria,
    ),
    parallel: flags.parallel ?? PARALLEL,
    attemptLimit: iterationLimit ?? ATTEMPTS,
    // A share of what is left, as attempts start.
    attemptUsd: null,
  };
  const stages: EventOf<"stages.begun"> = {
    type: "stages.begun",
    policy: { asks: flags.noModel !== true, rounds: Math.min(iterationLimit ?? MOST_ROUNDS, MOST_ROUNDS) },
    wishes: {
      shape: null,
      kind: flags.kind ?? null,
      parallel: adopted.parallel,
      checkTimeoutMs: flags.checkTimeout,
      allowedChecks: flags.allowCheck ?? [],
      keepsTests: false,
    },
  };
  const spec = specOf(words, plan);
  const loop: AskedLoop = {
    ...asked,
    ...(await recallAtOpening(context, { ...asked, spec }, isAttended(context, flags))),
    spec,
    criteria: [],
    steps: [],
    exitRule: "tasks",
    shape: asked.shape === "tool-review" || asked.shape === "colleague" ? asked.shape : "tool",
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

function specOf(words: string, { name, draft }: NamedPlan): string {
  if (words !== "") return words;
  const preface = draft.preface.trim().replace(/^#+\s+/, "");
  return preface === "" ? `Work on the plan ${name}` : preface;
}

/** A plan without errors; its warnings are shown. */
export function soundPlan(context: Context, file: string | undefined): NamedPlan {
  const plan = findPlan(context, [], file);
  const { name, draft } = plan;
  const issues = lintPlan(draft);
  for (const { line, severity, text } of issues)
    context.terminal.complain(`loop: ${name}:${line}: ${severity}: ${printable(text)}`);
  if (hasErrors(issues))
    throw new UserError(
      `The plan has errors; put them right first. See it with: loop plan ${planWord(plan)}`,
    );
  return plan;
}

/**
 * A session's host has asked its user about this very command. A plan on standard input is part of it; of one in a file the user has
 * seen the name, and none of its commands.
 */
export function planOfSession(context: Context, file: string | undefined): NamedPlan {
  const plan = soundPlan(context, file);
  const { name, text, draft } = plan;
  const hasCommands = draft.tasks.some(({ verify }) => verify !== null);
  if (file === STANDARD_INPUT || !hasCommands || approvalOfPlan(context.machine, text).isApproved)
    return plan;
  throw new UserError(
    `Nobody has approved the commands of ${name} on this machine. Give the plan on standard input, so that the user sees it: --plan - <<'END_OF_PLAN'. Or let the user type: loop plan ${name} --approve`,
  );
}

/** A stranger's command never runs: a person has approved this very text, here or by its digest. */
async function expectApproved(
  context: Context,
  { name, text, draft }: NamedPlan,
  flags: OpeningFlags,
): Promise<void> {
  const { machine, terminal } = context;
  const { digest, isApproved } = approvalOfPlan(machine, text);
  const commands = draft.tasks.flatMap(({ id, verify }) =>
    verify === null ? [] : [`${id}  ${verify.command}`],
  );
  if (isApproved || commands.length === 0 || flags.planDigest === digest) return;
  if (flags.planDigest !== undefined)
    throw new UserError(`The plan's digest is ${digest}, and not the one that --plan-digest names.`);
  if (!isAttended(context, flags))
    throw new UserError(
      `Nobody has approved the commands of ${name} on this machine; approve them with: loop plan ${shellWord(name)} --approve, or name their text with --plan-digest ${digest}`,
    );
  terminal.complain("loop: The plan runs these commands as checks:");
  for (const command of commands) terminal.complain(`  ${printable(command)}`);
  if (!(await confirm(terminal, "Let them run here?", "no")))
    throw new UserError("Nothing was approved, so nothing runs.");
  await approvePlanText(machine, text);
}

export type DriveFlags = Flags & {
  readonly acceptsWeak: boolean;
  readonly notification: Notification | null;
};

/** Works on the plan with what the terminal can show, and leaves its exit code. `isAnnounced`: this run has said what it begins with. */
export async function drivePlanInTerminal(
  context: Context,
  chosen: LockedLoop,
  choice: AgentChoice,
  flags: DriveFlags,
  { isAnnounced }: { readonly isAnnounced: boolean },
): Promise<Loop> {
  const { machine } = context;
  const { project } = chosen.live;
  const isLive = flags.json !== true && canShowLive(context.terminal, machine.env);
  const live = isLive ? livePlanView(context, chosen) : null;
  const terminal = live?.terminal ?? context.terminal;
  const held = holdLines(terminal);
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => terminal.complain(isLive ? text : `\n${text}`));
  const { folder } = chosen.live.loop;
  const how = planChoice(machine, flags, {
    choice,
    last: lastPlan(machine.home, project.root, chosen.id),
    used: planFromConfig(machine, standpointOf(chosen)),
  });
  rememberPlan(machine.home, project.root, chosen.id, how);
  const workshop = workshopFor({ machine, project, loop: chosen.id, folder, how });
  const others = how.fallbacks.filter(({ driver }) => driver !== choice.driver);
  const choices = new Map([choice, ...others].map((each) => [each.driver as string, each]));
  const executor = localExecutor({
    machine,
    project,
    cli: context.cli,
    workshop,
    choiceFor: (envelope) => attemptChoice(choices.get(envelope.agent) ?? choice, envelope),
  });
  const isNamed = await areSeveralOpen(machine, project);
  const asksAboutFindings = asksAbout(context, chosen, flags);
  const view =
    flags.json === true
      ? workflowJson(terminal)
      : workflowView(held.terminal, { now: machine.now, isNamed, isAnnounced, asksAboutFindings });
  const asking: Asking = { terminal, interrupts, whileAsking: whileAskingIn(held, live) };
  let loop: Loop;
  try {
    loop = await driveWorkflow(machine, chosen, {
      choice,
      agents: [...choices.keys()],
      parallel: how.parallel,
      areCapped: [...choices.values()].every((each) => driverOf(each, context.cli).capsItself),
      cli: context.cli,
      interrupts,
      executor,
      workshop,
      decide: asksAboutFindings ? decideFor(asking) : decideByPolicy(flags.findings ?? "tasks"),
      goesOn: isAttended(context, flags) ? goesOnFor(asking) : null,
      mirror: mirrorOfPlan(machine, project, chosen.id, (sentence) =>
        held.terminal.complain(`loop: ${sentence}`),
      ),
      overlap: overlapIn(workflowOf(chosen.live.loop).plan),
      tell: (news) => {
        live?.tell(news);
        view(news);
      },
    });
  } finally {
    live?.end();
  }
  await writePlanArtifacts(chosen.live);
  const why = whyNotSure(loop, flags.acceptsWeak);
  if (why !== null) context.terminal.complain(`loop: ${why}`);
  notify(context, flags.notification, loop);
  const code = exitCodeOf(loop, interrupts.asked(), flags.acceptsWeak);
  if (interrupts.now.aborted) process.exit(code);
  context.endWith(code);
  return loop;
}

/** How a person is asked while the plan is worked on. */
interface Asking {
  readonly terminal: Terminal;
  readonly interrupts: TerminalInterrupts;
  readonly whileAsking: HeldLines["whileAsking"];
}

function whileAskingIn(held: HeldLines, live: LivePlanView | null): HeldLines["whileAsking"] {
  return async (ask) => held.whileAsking(live === null ? ask : async () => live.whileAway(ask));
}

/** After a wave, what the colleague of a plain loop is asked after an iteration. */
function goesOnFor({ terminal, interrupts, whileAsking }: Asking): NonNullable<WorkflowRequest["goesOn"]> {
  return async (loop, signal) =>
    whileAsking(async () => colleague(terminal, interrupts).goesOn(loop, null, signal));
}

function decideFor({ terminal, interrupts, whileAsking }: Asking): WorkflowRequest["decide"] {
  const decide = decideInTerminal(terminal, interrupts);
  return async (...asked) => whileAsking(async () => decide(...asked));
}

/** A loop that asks at major steps asks the person in front of it about findings. */
function asksAbout(context: Context, { live: { loop } }: LockedLoop, flags: DriveFlags): boolean {
  const asksPeople = loop.shape === "tool-review" || loop.shape === "colleague";
  return flags.findings === undefined && asksPeople && isAttended(context, flags);
}
