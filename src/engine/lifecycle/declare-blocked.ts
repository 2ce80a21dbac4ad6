import { blockedDetail } from "../../core/blocked-detail.ts";
import type { Loop } from "../../core/loop.ts";
import { callerNow } from "../../storage/loops/choose-loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { criterionName } from "./amend.ts";
import { learnFromIt } from "../stop/learn-from-it.ts";
import { expectActive } from "./lifecycle.ts";

export interface Obstacle {
  /** The criterion whose check contradicts the spec or cannot pass; null if the reason is something else. */
  readonly check: string | null;
  readonly reason: string;
}

/** The honest way out: an agent that says it cannot be done is let go, and a person decides. */
export async function declareBlocked(
  machine: Machine,
  chosen: LockedLoop,
  { check, reason }: Obstacle,
): Promise<Loop> {
  if (reason.trim() === "")
    throw new UserError("Say what is needed, for example: loop blocked 'needs the staging password'");
  const paused = await chosen.live.record((loop) => {
    expectActive(loop);
    const detail = blockedDetail(check === null ? null : criterionName(loop, check), reason);
    return [{ type: "loop.paused", reason: "blocked", detail, by: callerNow(machine).kind }];
  });
  await learnFromIt(machine, chosen.live);
  return paused;
}
