import type { Loop } from "../core/loop.ts";
import { isEnded } from "../core/loop.ts";
import { running } from "../core/plan/workflow.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { LiveLoop } from "../loops/live-loop.ts";
import { openLocked } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { chargeAbandoned, noteAbandoned } from "../run/abandoned-run.ts";

/** Of a workflow that was cancelled: ends the loops of its attempts, and charges what they have cost. */
export async function endAttempts(machine: Machine, { project, loop, record }: LiveLoop): Promise<void> {
  const known = await machine.journals(project).list();
  const attempts = loop.workflow === null ? [] : running(loop.workflow);
  for (const { loop: id } of attempts.filter((each) => known.includes(each.loop))) {
    const attempt = await openLocked(machine, project, id).catch(unlessUnreadable);
    if (attempt === null) continue;
    await noteAbandoned(attempt);
    await chargeAbandoned(machine, attempt);
    const { usd, tokens, priced } = (await cancelled(attempt.live)).spend;
    await record(() => [{ type: "cost.charged", usd, tokens, priced }]);
  }
}

/** Of records that are gone or damaged, nothing is left to end. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof JournalError) return null;
  throw error;
}

async function cancelled(live: LiveLoop): Promise<Loop> {
  return live.record((now) => (isEnded(now) ? [] : [{ type: "loop.cancelled", by: "person" }]));
}
