import type { Loop } from "../../../core/loop/loop.ts";
import { isWorkflow } from "../../../core/loop/loop.ts";
import { stageOf } from "../../../core/stages/stages.ts";
import { areSeveralOpen } from "../../../storage/loops/choose-loop.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { openLocked } from "../../../storage/loops/locked-loop.ts";
import type { AgentChoice } from "../../../engine/run/agent-choice.ts";
import { writePlanArtifacts } from "../../../engine/run/artifacts.ts";
import { runStages } from "../../../engine/plan/stages/run-stages.ts";
import { isAttended } from "../attended.ts";
import type { Context } from "../context.ts";
import { goOnWithoutReaders } from "../readers.ts";
import { driveInTerminal } from "./drive-in-terminal.ts";
import type { ViewFlags } from "./drive-in-terminal.ts";
import { exitCodeOf, TOO_VAGUE } from "./exit-code.ts";
import { interruptsOfTerminal } from "./interrupts.ts";
import { notify } from "./notify.ts";
import { endLines } from "../../../views/terminal/run-view.ts";
import type { DriveFlags } from "./drive-plan-in-terminal.ts";
import { drivePlanInTerminal } from "./drive-plan-in-terminal.ts";
import { workflowJson } from "../../../views/terminal/json.ts";
import { stageView } from "../../../views/terminal/stage-view.ts";
import { terminalPerson } from "./terminal-person.ts";

/** Drives a loop of any kind from where it stands. */
export async function driveChosen(
  context: Context,
  chosen: LockedLoop,
  choice: AgentChoice,
  flags: DriveFlags & ViewFlags,
): Promise<void> {
  const { loop } = chosen.live;
  if (!isWorkflow(loop)) return driveInTerminal(context, chosen, choice, flags);
  const ready = loop.workflow === null ? await bringToPlan(context, chosen, choice, flags) : chosen;
  if (ready !== null)
    await drivePlanInTerminal(context, ready, choice, flags, { isAnnounced: loop.workflow === null });
  return undefined;
}

/** The loop with its plan and its lock as they are then; null: it got no plan, and the exit code says why. */
async function bringToPlan(
  context: Context,
  chosen: LockedLoop,
  choice: AgentChoice,
  flags: DriveFlags,
): Promise<LockedLoop | null> {
  const { machine, terminal } = context;
  const { project } = chosen.live;
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => terminal.complain(`\n${text}`));
  const loop = await runStages(machine, chosen, {
    choice,
    cli: context.cli,
    interrupts,
    person: isAttended(context, flags) ? terminalPerson(terminal, interrupts) : null,
    tell: flags.json === true ? workflowJson(terminal) : stageView(terminal),
  });
  if (loop.workflow !== null && loop.phase === "active" && !interrupts.asked()) {
    const locked = await openLocked(machine, project, chosen.id);
    if (locked !== null) return locked;
  }
  await writePlanArtifacts(chosen.live);
  if (flags.json !== true) {
    const ways = { isNamed: await areSeveralOpen(machine, project), canUndo: false };
    for (const line of endLines(loop, ways)) terminal.print(line);
  }
  notify(context, flags.notification, loop);
  context.endWith(isUnanswered(loop) ? TOO_VAGUE : exitCodeOf(loop, interrupts.asked(), flags.acceptsWeak));
  return null;
}

/** Nobody said what a vague spec means. */
function isUnanswered(loop: Loop): boolean {
  return loop.phase === "paused" && loop.reason === "blocked" && stageOf(loop) === "intent";
}
