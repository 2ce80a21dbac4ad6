import { mirrorOfPlan, rememberPlanList } from "../../app/plan-mirror.ts";
import { approvalOfPlan, approvePlanText } from "../../app/plan-approval.ts";
import type { AskedLoop } from "../../app/open-loop.ts";
import { openLoop } from "../../app/open-loop.ts";
import type { EventOf } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { areSeveralOpen } from "../../loops/choose-loop.ts";
import type { LockedLoop } from "../../loops/locked-loop.ts";
import { UserError } from "../../loops/user-error.ts";
import { hasErrors, lintPlan } from "../../plans/lint-plan.ts";
import { planned } from "../../plans/planned.ts";
import type { AgentChoice } from "../../run/agent-choice.ts";
import { writePlanSummary } from "../../run/artifacts.ts";
import { rememberAgent } from "../../run/agent-choice.ts";
import { attemptChoice } from "../../workflow/attempt-choice.ts";
import { driveWorkflow } from "../../workflow/drive-workflow.ts";
import { withFinalTasks } from "../../workflow/final-tasks.ts";
import { localExecutor } from "../../workflow/local-executor.ts";
import { overlapIn } from "../../workflow/overlap.ts";
import { workshopFor } from "../../workflow/workshop-for.ts";
import { workflowOf } from "../../workflow/take-workflow.ts";
import { confirm } from "../questions/confirm.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import type { NamedPlan } from "../find-plan.ts";
import { findPlan } from "../find-plan.ts";
import type { Opening } from "../opening.ts";
import { canShowLive } from "../live/live-display.ts";
import { livePlanView } from "../live/live-plan-view.ts";
import { goOnWithoutReaders } from "../readers.ts";
import type { AgentFlags } from "./agent-options.ts";
import { agentChoice } from "./agent-options.ts";
import { exitCodeOf, whyNotSure } from "./exit-code.ts";
import { interruptsOfTerminal } from "./interrupts.ts";
import type { Notification } from "./notify.ts";
import { notify } from "./notify.ts";
import type { PlanFlags } from "./plan-options.ts";
import { workflowJson } from "./workflow-json.ts";
import { workflowView } from "./workflow-view.ts";

const PARALLEL = 3;
const ATTEMPTS = 10;

type Flags = PlanFlags & AgentFlags & { readonly json?: boolean };

/** Reads, lints and approves a plan, and opens the loop that works on it. */
export async function openPlan(
  context: Context,
  words: string,
  flags: Flags & { readonly checkTimeout: number },
  { asked }: Pick<Opening, "asked">,
  choice: AgentChoice,
): Promise<LockedLoop> {
  const { machine } = context;
  const plan = findPlan(context, [], flags.plan);
  expectSound(context, plan);
  await expectApproved(context, plan, flags);
  const { iterationLimit } = asked.limits;
  const adopted: EventOf<"plan.adopted"> = {
    type: "plan.adopted",
    plan: withFinalTasks(
      planned(plan.draft, { isApproved: true, timeoutMs: flags.checkTimeout }),
      asked.criteria,
    ),
    parallel: flags.parallel ?? PARALLEL,
    attemptLimit: iterationLimit ?? ATTEMPTS,
    // A share of what is left, as attempts start.
    attemptUsd: null,
  };
  const loop: AskedLoop = {
    ...asked,
    spec: specOf(words, plan),
    criteria: [],
    steps: [],
    exitRule: "tasks",
    shape: "tool",
    redFirst: false,
    nested: false,
    binding: null,
    plan: adopted,
    prepare: (id, root) => {
      rememberAgent(machine.home, root, id, choice);
      if (plan.list !== null) rememberPlanList(machine, root, id, plan.list);
    },
  };
  return openLoop(machine, loop);
}

function specOf(words: string, { name, draft }: NamedPlan): string {
  if (words !== "") return words;
  const preface = draft.preface.trim().replace(/^#+\s+/, "");
  return preface === "" ? `Work on the plan ${name}` : preface;
}

function expectSound(context: Context, { name, draft }: NamedPlan): void {
  const issues = lintPlan(draft);
  for (const { line, severity, text } of issues)
    context.terminal.complain(`loop: ${name}:${line}: ${severity}: ${text}`);
  if (hasErrors(issues))
    throw new UserError("The plan has errors; put them right first. See it with: loop plan FILE");
}

/** A stranger's command never runs: a person has approved this very text, here or by its digest. */
async function expectApproved(
  context: Context,
  { name, text, draft }: NamedPlan,
  flags: Flags,
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
      `Nobody has approved the commands of ${name} on this machine; approve them with: loop plan ${name} --approve, or name their text with --plan-digest ${digest}`,
    );
  terminal.complain("loop: The plan runs these commands as checks:");
  for (const command of commands) terminal.complain(`  ${command}`);
  if (!(await confirm(terminal, "Let them run here?", "no")))
    throw new UserError("Nothing was approved, so nothing runs.");
  await approvePlanText(machine, text);
}

type DriveFlags = Flags & {
  readonly acceptsWeak: boolean;
  readonly notification: Notification | null;
};

/** Works on the plan with what the terminal can show, and leaves its exit code. */
export async function drivePlanInTerminal(
  context: Context,
  chosen: LockedLoop,
  choice: AgentChoice,
  flags: DriveFlags,
): Promise<Loop> {
  const { machine } = context;
  const { project } = chosen.live;
  const isLive = flags.json !== true && canShowLive(context.terminal, machine.env);
  const live = isLive ? livePlanView(context, chosen) : null;
  const terminal = live?.terminal ?? context.terminal;
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => terminal.complain(isLive ? text : `\n${text}`));
  const { setup = null, copy: copies = [] } = flags;
  const { folder } = chosen.live.loop;
  const workshop = workshopFor({ machine, project, loop: chosen.id, folder, setup, copies });
  const others = (flags.fallback ?? []).map((agent) => agentChoice({ ...flags, agent }, null, null, machine));
  const choices = new Map([choice, ...others].map((each) => [each.driver as string, each]));
  const executor = localExecutor({
    machine,
    project,
    cli: context.cli,
    workshop,
    choiceFor: (envelope) => attemptChoice(choices.get(envelope.agent) ?? choice, envelope),
  });
  const isNamed = await areSeveralOpen(machine, project);
  const view =
    flags.json === true ? workflowJson(terminal) : workflowView(terminal, { now: machine.now, isNamed });
  let loop: Loop;
  try {
    loop = await driveWorkflow(machine, chosen, {
      choice,
      agents: [...choices.keys()],
      interrupts,
      executor,
      workshop,
      mirror: mirrorOfPlan(machine, project, chosen.id, (sentence) => terminal.complain(`loop: ${sentence}`)),
      overlap: overlapIn(workflowOf(chosen.live.loop).plan),
      tell: (news) => {
        live?.tell(news);
        view(news);
      },
    });
  } finally {
    live?.end();
  }
  await writePlanSummary(chosen.live);
  const why = whyNotSure(loop, flags.acceptsWeak);
  if (why !== null) context.terminal.complain(`loop: ${why}`);
  notify(context, flags.notification, loop);
  const code = exitCodeOf(loop, interrupts.asked(), flags.acceptsWeak);
  if (interrupts.now.aborted) process.exit(code);
  context.endWith(code);
  return loop;
}
