import type { CheckSite } from "../../checks/check-site.ts";
import type { Examination, NamedCheck } from "../../checks/run-checks.ts";
import { runAt, runChecks } from "../../checks/run-checks.ts";
import type { Check, Evidence } from "../../core/criterion.ts";
import { describeCheck } from "../../core/criterion.ts";
import { RoomError } from "../../room/room-error.ts";
import { noteWavered } from "../note-wavered.ts";
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
  readonly red: readonly { readonly named: NamedCheck; readonly evidence: Evidence | undefined }[];
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
  const ran = await runChecks(site, checks);
  const { evidence } = ran;
  const failed = checks.filter(({ name }) => evidence.get(name)?.passed !== true);
  const again = failed.length === 0 ? null : await runChecks(site, failed);
  const red = failed.filter(({ name }) => again?.evidence.get(name)?.passed !== true);
  // What is stopped shows nothing.
  if (!signal.aborted)
    await noteWavered(
      context,
      failed.filter((each) => !red.includes(each)),
    );
  return {
    site,
    ran,
    red: red.map((named) => ({ named, evidence: again?.evidence.get(named.name) })),
    durationMs: [...evidence.values()].reduce((sum, each) => sum + each.durationMs, 0),
  };
}

export function failureText({ named, evidence }: RunAtTip["red"][number]): string {
  return `\`${describeCheck(named.check)}\` ${evidence?.ending ?? "did not run"}\n${evidence?.outputTail ?? ""}`;
}
