import { endRun } from "../process/end-process-tree.ts";
import { loadLoop } from "../store/loop-store.ts";
import { driverOf, parseDriverId } from "./agents.ts";
import { usageOf } from "./charge.ts";
import { record } from "./record.ts";
import type { RunContext } from "./run-context.ts";
import { eventsOfEnd, isJudged, settleTurn } from "./settle-turn.ts";
import { recallTurn } from "./take-turn.ts";
import { turnFolder } from "./turn-folder.ts";

/**
 * A turn that an earlier run began and nobody saw the end of: what is left of it is ended, and what it did counts once.
 * Whether it was cut off, and is begun again.
 */
export async function recoverTurn(context: RunContext): Promise<boolean> {
  const { loop: before } = loadLoop(context.project, context.loop);
  const turn = before.driven?.turn ?? null;
  if (turn === null) return false;
  if (isRunId(turn.run)) await endRun(turn.run);
  const driver = driverOf(
    { ...context.choice, driver: parseDriverId(turn.driver) ?? context.choice.driver },
    "",
  );
  const reader = driver.readStream({
    model: turn.model,
    conversation: turn.conversation,
    reportedUsd: turn.reportedUsd,
    reportedUsage: usageOf(turn.reportedTokens),
  });
  const outcome = recallTurn(context, reader, turnFolder(context.project, context.loop, turn.id));
  const finished = isJudged(outcome);
  context.tell({ type: "recovered", loop: before, turn, finished });
  if (finished) await settleTurn(context, turn, outcome);
  else await record(context, (loop) => eventsOfEnd(context, loop, turn, outcome, "interrupted"));
  return !finished;
}

/** Ids come from a file; only one of our own making is looked for among the processes of this machine. */
function isRunId(run: string): boolean {
  return /^run-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run);
}
