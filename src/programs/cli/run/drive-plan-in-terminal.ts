import { planFromConfig } from "../../../engine/opening/config-plan.ts";
import { mirrorOfPlan } from "../../../engine/plan/plan-mirror.ts";
import { isEnded, type Loop } from "../../../core/loop/loop.ts";
import { areSeveralOpen } from "../../../storage/loops/choose-loop.ts";
import { callerLocationOf, type KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";
import { writePlanArtifacts } from "../../../engine/run/artifacts.ts";
import { driverOf, lastPlan, rememberPlan } from "../../../engine/run/agent-choice.ts";
import { attemptChoice } from "../../../engine/plan/envelope.ts";
import { driveWorkflow } from "../../../engine/plan/drive-workflow.ts";
import type { AttemptEnvelope } from "../../../engine/plan/executor.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { shownUrl, withoutFleet } from "../fleet/fleet-url.ts";
import { placesOfPlan } from "../fleet/fleet-of-plan.ts";
import { localExecutor } from "../../../engine/plan/local-executor.ts";
import { keepGuardians } from "../../../system/process/guardian.ts";
import { overlapIn } from "../../../engine/plan/conflict-forecast.ts";
import { workspaceFor } from "../../../engine/plan/workspace.ts";
import { workflowOf, type WorkflowRequest } from "../../../engine/plan/take-workflow.ts";
import { isAttended, type Context } from "../context.ts";
import { canShowLive } from "../../../views/live/live-region.ts";
import { livePlanView, type LivePlanView } from "../live-views.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import { goOnWithoutReaders } from "../ending-process.ts";
import { planChoice, type AgentFlags } from "./agent-options.ts";
import { decideByPolicy, decideInTerminal, colleague, interruptsOfTerminal } from "./attended-run.ts";
import { exitCodeOf, whyNotSure, notify } from "./endings.ts";
import { optimizeLater } from "./optimize-later.ts";
import type { TerminalInterrupts } from "./attended-run.ts";
import type { Notification } from "../../../engine/run/agent-choice.ts";
import type { PlanFlags } from "./task-options.ts";
import { workflowJson } from "../../../views/terminal/json.ts";
import { workflowView } from "../../../views/terminal/workflow-view.ts";

export type DriveFlags = PlanFlags &
  AgentFlags & {
    readonly json?: boolean;
    readonly acceptsWeak: boolean;
    readonly notification: Notification | null;
  };

/** Works on the plan with what the terminal can show, and leaves its exit code. `isAnnounced`: this run has said what it begins with. */
export async function drivePlanInTerminal(
  context: Context,
  chosen: KnownLoop,
  choice: AgentChoice,
  flags: DriveFlags,
  { isAnnounced }: { readonly isAnnounced: boolean },
): Promise<Loop> {
  optimizeLater();
  // The fleet's password is for nobody that is started here.
  const machine: Machine = { ...context.machine, env: withoutFleet(context.machine.env) };
  const { project } = chosen.live;
  const isLive = flags.json !== true && canShowLive(context.terminal, machine.env);
  const live = isLive ? livePlanView(context, chosen) : null;
  const terminal = live?.terminal ?? context.terminal;
  const held = holdLines(terminal);
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => {
    terminal.complain(isLive ? text : `\n${text}`);
    live?.pausing();
  });
  const { folder } = chosen.live.loop;
  const how = planChoice(context.machine, flags, {
    choice,
    last: lastPlan(machine.home, project.root, chosen.id),
    used: planFromConfig(machine, callerLocationOf(chosen)),
  });
  const fleet = how.fleet === null ? null : shownUrl(how.fleet);
  rememberPlan(machine.home, project.root, chosen.id, { ...how, fleet });
  const here = workspaceFor({ machine, project, loop: chosen.id, folder, how });
  const others = how.fallbacks.filter(({ driver }) => driver !== choice.driver);
  const choices = new Map([choice, ...others].map((each) => [each.driver as string, each]));
  const choiceFor = (envelope: AttemptEnvelope): AgentChoice =>
    attemptChoice(choices.get(envelope.agent) ?? choice, envelope);
  const guardians = keepGuardians();
  const local = localExecutor({ machine, project, cli: context.cli, workspace: here, choiceFor, guardians });
  const { executor, workspace, parallel, leave } = await placesOfPlan({
    ...{ machine, cli: context.cli, chosen, how, local, workspace: here, choiceFor },
    tell: (sentence) => held.terminal.complain(`loop: ${sentence}`),
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
      parallel,
      deliversDone: how.deliver === "done",
      areCapped: [...choices.values()].every((each) => driverOf(each, context.cli).capsItself),
      cli: context.cli,
      interrupts,
      executor,
      workspace,
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
    await leave(isEnded(loop));
  } catch (error) {
    await leave(false);
    throw error;
  } finally {
    live?.end();
    await guardians.end();
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
function asksAbout(context: Context, { live: { loop } }: KnownLoop, flags: DriveFlags): boolean {
  const asksPeople = loop.shape === "tool-review" || loop.shape === "colleague";
  return flags.findings === undefined && asksPeople && isAttended(context, flags);
}

interface HeldLines {
  /** For whoever tells what happens meanwhile. */
  readonly terminal: Terminal;
  /** Asks something; what is told until it is answered is printed afterwards. */
  readonly whileAsking: <Value>(ask: () => Promise<Value>) => Promise<Value>;
}

/** Keeps lines out of a question that is open. */
export function holdLines(terminal: Terminal): HeldLines {
  const held: (() => void)[] = [];
  let open = 0;
  const later =
    (print: (text: string) => void) =>
    (text: string): void => {
      if (open === 0) print(text);
      else held.push(() => print(text));
    };
  return {
    terminal: { ...terminal, print: later(terminal.print), complain: later(terminal.complain) },
    whileAsking: async (ask) => {
      open += 1;
      try {
        return await ask();
      } finally {
        open -= 1;
        if (open === 0) for (const print of held.splice(0)) print();
      }
    },
  };
}
