import { runAt } from "../../../verify/checks/check-site.ts";
import type { CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import type { RedCheck } from "../run-twice.ts";
import { runTwice } from "../run-twice.ts";
import type { WorkflowContext } from "../take-workflow.ts";

/** Whether a command fails on the files of a commit, in a clean room; null: nobody can say. */
export async function failsAtTip(
  context: WorkflowContext,
  tip: string,
  check: Check,
  signal: AbortSignal,
): Promise<boolean | null> {
  const place = await context.workshop.siteAt(tip, signal);
  if (place.type !== "ready") return null;
  try {
    const room = await context.machine.rooms.open({ root: place.site.root, replacements: [], signal });
    try {
      const { ending } = await runAt({ ...place.site, run: async (options) => room.run(options) }, check);
      return ending.type === "exited" ? ending.code !== 0 : null;
    } finally {
      await room.close();
    }
  } catch (error) {
    if (signal.aborted || error instanceof RoomError) return null;
    throw error;
  }
}

export interface RunAtTip {
  readonly site: CheckSite;
  /** As they ran first. */
  readonly ran: Examination;
  readonly red: readonly RedCheck[];
  readonly durationMs: number;
}

/** Runs checks on the files of a commit and nothing besides, or without git on the project; those that fail run twice. Or says why they can't be run. */
export async function runChecksAtTip(
  context: WorkflowContext,
  tip: string | null,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<RunAtTip | { readonly noSetup: string } | { readonly why: string }> {
  const place = await context.workshop.siteAt(tip, signal, { isFresh: true });
  if (place.type === "no-setup") return { noSetup: place.why };
  if (place.type === "failed") return { why: place.why };
  const { site } = place;
  const { ran, red } = await runTwice(context, site, checks, signal);
  const durationMs = [...ran.evidence.values()].reduce((sum, each) => sum + each.durationMs, 0);
  return { site, ran, red, durationMs };
}
