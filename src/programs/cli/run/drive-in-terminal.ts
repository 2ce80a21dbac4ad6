import { existsSync } from "node:fs";
import { openKnown, type KnownLoop } from "../../../storage/loops/known-loop.ts";
import { isWorkflow, type Loop } from "../../../core/loop/loop.ts";
import type { AgentChoice, Notification } from "../../../engine/run/agent-choice.ts";
import { driveLoop } from "../../../engine/run/drive.ts";
import type { LiveNews } from "../../../views/news/live-state.ts";
import { keepLiveNote } from "../../../engine/run/live-note-file.ts";
import type { RunNews } from "../../../views/news/news.ts";
import type { GoesOn, Person } from "../../../engine/run/run-context.ts";
import { isAttended, type Context } from "../context.ts";
import { goOnWithoutReaders } from "../ending-process.ts";
import { canShowLive } from "../../../views/live/live-region.ts";
import { liveRunView } from "../live-views.ts";
import { colleague, interruptsOfTerminal } from "./attended-run.ts";
import { exitCodeOf, whyNotSure, notify, TOO_VAGUE } from "./endings.ts";
import { jsonView, workflowJson } from "../../../views/terminal/json.ts";
import { plainView, endLines } from "../../../views/terminal/run-view.ts";
import { stageOf } from "../../../core/stages/stages.ts";
import { areSeveralOpen } from "../../../storage/loops/choose-loop.ts";
import { writePlanArtifacts } from "../../../engine/run/artifacts.ts";
import { runStages } from "../../../engine/plan/stages/run-stages.ts";
import { drivePlanInTerminal, type DriveFlags } from "./drive-plan-in-terminal.ts";
import { stageView } from "../../../views/terminal/stage-view.ts";
import { terminalPerson } from "./terminal-person.ts";

export interface ViewFlags {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Drives a loop, shows it as well as the terminal can, and sets the exit code. */
async function driveInTerminal(
  context: Context,
  chosen: KnownLoop,
  choice: AgentChoice,
  flags: ViewFlags & { readonly acceptsWeak: boolean; readonly notification: Notification | null },
): Promise<void> {
  const { machine } = context;
  const isLive = flags.json !== true && canShowLive(context.terminal, machine.env);
  const live = isLive ? liveRunView(context, chosen) : null;
  const terminal = live?.terminal ?? context.terminal;
  goOnWithoutReaders();
  const interrupts = interruptsOfTerminal((text) => {
    terminal.complain(isLive ? text : `\n${text}`);
    live?.pausing();
  });
  const view: (news: RunNews) => void =
    flags.json === true
      ? jsonView(terminal)
      : plainView(terminal, {
          verbose: flags.verbose === true,
          now: machine.now,
        });
  const note = keepLiveNote(machine, chosen.live.project, chosen.id);
  const tellLive = (news: LiveNews): void => {
    note.tell(news);
    live?.tell(news);
  };
  const person: Person = {
    goesOn: async (...asked) => {
      tellLive({ type: "asking" });
      const ask = async (): Promise<GoesOn> => colleague(terminal, interrupts).goesOn(...asked);
      return live === null ? ask() : live.whileAway(ask);
    },
  };
  let loop: Loop;
  try {
    loop = await driveLoop(machine, chosen, {
      choice,
      cli: context.cli,
      interrupts,
      person: isAttended(context, flags) ? person : null,
      tell: (news) => {
        tellLive(news);
        view(news);
      },
    });
  } finally {
    note.forget();
    live?.end();
  }
  const why = whyNotSure(loop, flags.acceptsWeak);
  if (why !== null) context.terminal.complain(`loop: ${why}`);
  notify(context, flags.notification, loop);
  const code = exitCodeOf(loop, interrupts.asked(), flags.acceptsWeak);
  // An immediate stop doesn't wait for anything that may still be open here.
  if (interrupts.now.aborted) process.exit(code);
  context.endWith(code);
}

/** Drives a loop of any kind from where it stands. */
export async function driveChosen(
  context: Context,
  chosen: KnownLoop,
  choice: AgentChoice,
  flags: DriveFlags & ViewFlags,
): Promise<void> {
  const { loop } = chosen.live;
  if (!isWorkflow(loop)) {
    if (!existsSync(chosen.workingDirectory.root)) await remake(context, chosen);
    return driveInTerminal(context, chosen, choice, flags);
  }
  const ready = loop.workflow === null ? await bringToPlan(context, chosen, choice, flags) : chosen;
  if (ready !== null)
    await drivePlanInTerminal(context, ready, choice, flags, { isAnnounced: loop.workflow === null });
  return undefined;
}

async function remake({ machine, terminal }: Context, chosen: KnownLoop): Promise<void> {
  const { remakeWorktree } = await import("../../../engine/run/remake-worktree.ts");
  await remakeWorktree(machine, chosen, (sentence) => terminal.complain(`loop: ${sentence}`));
}

/** The loop with its plan and its approval record as they are then; null: it got no plan, and the exit code says why. */
async function bringToPlan(
  context: Context,
  chosen: KnownLoop,
  choice: AgentChoice,
  flags: DriveFlags,
): Promise<KnownLoop | null> {
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
    const known = await openKnown(machine, project, chosen.id);
    if (known !== null) return known;
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
