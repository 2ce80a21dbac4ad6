import { closeAbandonedQuestions } from "../../../engine/asking/loop-account.ts";
import { cancelLoop } from "../../../engine/lifecycle/lifecycle.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { livingDriver, isDrivenNow, type KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { chargeAbandoned, noteAbandoned } from "../../../engine/run/recover-turn.ts";
import { writeArtifacts } from "../../../engine/run/artifacts.ts";
import type { FreshStart } from "../../../engine/opening/resolve-opening.ts";
import { chooseLoopIfAny } from "../../../storage/loops/choose-loop.ts";
import { UserError } from "../../../core/user-error.ts";
import type { Context } from "../context.ts";
import { leaveOwnWorktree } from "../../../engine/run/commit-of-loop.ts";
import { mirrorOfPlan } from "../../../engine/plan/plan-mirror.ts";
import { endAttempts } from "../../../engine/plan/lost-records.ts";
import { workflowOf } from "../../../engine/plan/take-workflow.ts";
import { lastPlan } from "../../../engine/run/agent-choice.ts";
import { workspaceFor } from "../../../engine/plan/workspace.ts";

/** Ends a loop for good: charges what an abandoned run left open, keeps the record, and removes what only a running loop needs. */
export async function cancelWhole(
  { machine, cli }: Pick<Context, "machine" | "cli">,
  chosen: KnownLoop,
  how?: Parameters<typeof cancelLoop>[2],
): Promise<Loop> {
  await noteAbandoned(chosen);
  await settleAbandoned(machine, chosen);
  const loop = await cancelLoop(machine, chosen, how);
  if (livingDriver(loop) === null) {
    await writeArtifacts(chosen.live);
    if (loop.workflow !== null) {
      const stopping = stopElsewhere({ machine, cli }, chosen);
      await stopping.catch(() => undefined);
      await clearCancelledPlan(machine, chosen);
      await stopping;
    }
    if (loop.commit?.branch != null) await leaveOwnWorktree(machine, chosen);
  }
  return loop;
}

/** What a killed run left open won't be judged or answered any more, but it has a cost. */
export async function settleAbandoned(machine: Machine, chosen: KnownLoop): Promise<void> {
  await chargeAbandoned(machine, chosen);
  await closeAbandonedQuestions(machine, chosen.live, null);
}

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
): Promise<KnownLoop | null> {
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
export function expectIdle({ id, live }: KnownLoop): void {
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
export async function cancelForFresh(context: Context, chosen: KnownLoop): Promise<void> {
  const { terminal } = context;
  await cancelWhole(context, chosen, { isPermitted: true });
  terminal.complain(`loop: Cancelled ${chosen.id}; its record is kept: loop log --loop ${chosen.id}`);
}

/** What workers of a fleet do for it. The plan is cancelled either way; if the fleet can't be reached, that is said. */
async function stopElsewhere(
  { machine, cli }: Pick<Context, "machine" | "cli">,
  { id, live }: KnownLoop,
): Promise<void> {
  const known = lastPlan(machine.home, live.project.root, id)?.fleet ?? null;
  if (known === null) return;
  const [{ FLEET_VARIABLE, fleetUrl }, { stopJobs }] = await Promise.all([
    import("../fleet/fleet-url.ts"),
    import("../fleet/stop-jobs.ts"),
  ]);
  const url = fleetUrl(machine.env[FLEET_VARIABLE] ?? known);
  await stopJobs({ machine, cli }, url, id).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`The plan is cancelled, but workers may still be at it. ${error.message}`);
  });
}

/** Nothing is set up, and no attempt starts. */
const NOTHING_NEW = { setup: [], copies: [], diskBytes: 0 };

/** A plan that was cancelled while nobody worked on it: its attempts end with it, and their worktrees go once their files are kept. */
export async function clearCancelledPlan(machine: Machine, { id, live }: KnownLoop): Promise<void> {
  const { project } = live;
  await endAttempts(machine, live);
  const workspace = workspaceFor({ machine, project, loop: id, folder: "", how: NOTHING_NEW });
  await workspace.tidy(workflowOf(live.loop), { isOver: true, isCancelled: true });
  await mirrorOfPlan(machine, project, id, () => undefined).catchUp(live.loop);
}
