import type { FreshStart } from "../../../engine/opening/resolve-opening.ts";
import { chooseLoopIfAny } from "../../../storage/loops/choose-loop.ts";
import { isDrivenNow } from "../../../storage/loops/living-driver.ts";
import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import type { Context } from "../context.ts";
import { cancelWhole } from "./cancel-loop.ts";

export interface FreshFlags {
  readonly startFresh?: boolean;
  readonly loop?: string;
  readonly nested?: boolean;
  readonly beside?: boolean;
}

/** The unfinished loop that a fresh start ends: the one it names, the session's own, or the only one that is open. */
async function unfinishedFor(
  { machine }: Pick<Context, "machine">,
  flags: FreshFlags,
): Promise<LockedLoop | null> {
  if (flags.startFresh !== true) {
    if (flags.loop === undefined) return null;
    throw new UserError("--loop names the loop that --start-fresh cancels; give both, or neither.");
  }
  if (flags.nested === true || flags.beside === true)
    throw new UserError("--start-fresh cancels a loop, and --nested and --beside keep it; leave one out.");
  const found = await chooseLoopIfAny(machine, flags.loop, { anySession: true });
  if (found !== null) expectIdle(found);
  return found;
}

/** A run at work would go on for a while. */
export function expectIdle({ id, live }: LockedLoop): void {
  if (isDrivenNow(live.loop))
    throw new UserError(
      `The loop ${id} is being worked on; watch it with: loop status --watch, or end it with: loop cancel --loop ${id}`,
    );
}

/** The loop that a fresh start ends, for the opening that does it. */
export async function freshFor(context: Context, flags: FreshFlags): Promise<FreshStart | null> {
  const loop = await unfinishedFor(context, flags);
  return loop === null ? null : { loop, cancel: async () => cancelForFresh(context, loop) };
}

/** Ends it and keeps its record. Whoever calls has made sure that a person wants it. */
export async function cancelForFresh({ machine, terminal }: Context, chosen: LockedLoop): Promise<void> {
  await cancelWhole(machine, chosen, { isPermitted: true });
  terminal.complain(`loop: Cancelled ${chosen.id}; its record is kept: loop log --loop ${chosen.id}`);
}
