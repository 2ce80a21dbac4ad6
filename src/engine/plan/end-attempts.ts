import type { Loop } from "../../core/loop.ts";
import { isDriven, isEnded } from "../../core/loop.ts";
import { running } from "../../core/plan/workflow.ts";
import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { chargeAbandoned, noteAbandoned } from "../run/recover-turn.ts";
import { wasBegun } from "../../storage/home/begun-attempt.ts";
import { loopOfAttempt } from "./begin-attempt.ts";
import { envelopeOf } from "./envelope.ts";
import { untoldUsage } from "./executor.ts";
import { unlessUnreadable } from "./lost-records.ts";

/** Of a workflow that was cancelled: ends the loops of its attempts, and charges what they have cost. */
export async function endAttempts(machine: Machine, { project, loop, record }: LiveLoop): Promise<void> {
  const { workflow } = loop;
  if (workflow === null) return;
  for (const attempt of running(workflow)) {
    const own = await loopOfAttempt(machine, project, attempt).catch(unlessUnreadable);
    if (own !== null) {
      await noteAbandoned(own);
      await chargeAbandoned(machine, own);
      const { usd, tokens, priced } = (await cancelled(own.live)).spend;
      await record(() => [{ type: "cost.charged", usd, tokens, priced }]);
      // What a session's agent costs is in its transcript.
    } else if (isDriven(loop) && wasBegun(machine.home, project.root, attempt.loop))
      await record(() => [
        { type: "cost.charged", ...untoldUsage(envelopeOf(loop, workflow, attempt)).usage },
      ]);
  }
}

async function cancelled(live: LiveLoop): Promise<Loop> {
  return live.record((now) => (isEnded(now) ? [] : [{ type: "loop.cancelled", by: "person" }]));
}
