import { join } from "node:path";
import { runsFolder } from "../lifecycle/turn-folders.ts";
import { sweepDrafts } from "../../system/files/write-atomically.ts";
import type { LaunchedTurn } from "../../core/loop/loop.ts";
import { endProcessesOfRun } from "../../system/process/run-processes.ts";
import type { AgentChoice } from "./agent-choice.ts";
import { driverOf, parseDriverId } from "./agents.ts";
import { usageOf } from "./turn-report.ts";
import { recordConversation, recallTurn } from "./take-turn.ts";
import type { RunContext } from "./run-context.ts";
import { comesToJudgement, eventsOfEnd, settleTurn } from "./settle-turn.ts";
import type { Recalling, TakenTurn } from "./take-turn.ts";
import { turnFolder } from "./turn-folder.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { priceTable } from "../stop/spending.ts";
import { endOfAbandoned } from "./take-loop.ts";
import { lastAgent } from "./agent-choice.ts";
import { redactor } from "../../system/secrets/redact.ts";

/**
 * Recovers a turn that an earlier run started and nobody saw end: ends its remaining processes and charges it once. If it was
 * finished it is judged, otherwise it starts again.
 */
export async function recoverTurn(context: RunContext): Promise<void> {
  const before = await context.live.refresh();
  const turn = before.driven?.turn ?? null;
  if (turn === null) return;
  sweepDrafts(join(runsFolder(context.live.project, before.id), turn.id));
  const outcome = await outcomeOfOpenTurn(context, context.choice, turn);
  const finished = comesToJudgement(outcome) && !turn.superseded;
  context.tell({ type: "recovered", loop: before, turn, finished });
  // Its run may have died after seeing the name and before recording it.
  const { conversation } = outcome.report;
  if (conversation !== null && turn.driver === context.driver.id)
    await recordConversation(context, conversation);
  if (finished) await settleTurn(context, turn, outcome);
  else await context.live.record((loop) => eventsOfEnd(loop, turn, outcome, "interrupted"));
}

/** Recorded before a loop continues, so the time since then doesn't count as work. */
export async function noteAbandoned({ live }: LockedLoop): Promise<void> {
  await live.record((loop) => endOfAbandoned(live.project, loop));
}

/** Recorded before anyone but a run continues or ends a loop: a turn its run left open won't be judged, but it has a cost. */
export async function chargeAbandoned(machine: Machine, { id, live, workplace }: LockedLoop): Promise<void> {
  const { project, loop } = live;
  const choice = lastAgent(machine.home, project.root, id);
  if (choice === null || livingDriver(loop) !== null) return;
  const recalling = { machine, live, workplace, prices: priceTable(machine), redact: redactor(machine.env) };
  await chargeOpenTurn(recalling, choice);
}

/** Records the cost of a turn whose run is gone and that nobody will judge. */
async function chargeOpenTurn(context: Recalling, choice: AgentChoice): Promise<void> {
  const turn = (await context.live.refresh()).driven?.turn ?? null;
  if (turn === null) return;
  const outcome = await outcomeOfOpenTurn(context, choice, turn);
  await context.live.record((loop) => eventsOfEnd(loop, turn, outcome, "interrupted"));
}

async function outcomeOfOpenTurn(
  context: Recalling,
  choice: AgentChoice,
  turn: LaunchedTurn,
): Promise<TakenTurn> {
  await endLeftovers(turn.run);
  const driver = driverOf({ ...choice, driver: parseDriverId(turn.driver) ?? choice.driver }, "");
  const reader = driver.readStream({
    model: turn.model,
    conversation: turn.conversation,
    reportedUsd: turn.reportedUsd,
    reportedUsage: usageOf(turn.reportedTokens),
  });
  return recallTurn(context, reader, turnFolder(context.live.project, context.live.id, turn.id));
}

/** Ends what a run that was killed has left. Its id comes from a file, so only a valid one is looked up among this machine's processes. */
export async function endLeftovers(run: string): Promise<void> {
  if (/^run-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run)) await endProcessesOfRun(run);
}
