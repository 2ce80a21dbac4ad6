import { runAt, type CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import { runTwice, type RedCheck } from "../plan-checks.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { noteHoldoutRun, readHoldout, readHoldoutFiles } from "../../../verify/holdouts/kept-holdout.ts";
import type { Broken } from "../../../core/questions/gate/checklist.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import type { CommandOutcome } from "../../../system/process/run-command.ts";

/** Whether a command fails on the files of a commit, in a clean room; null: nobody can say. */
export async function failsAtTip(
  context: WorkflowContext,
  tip: string,
  check: Check,
  signal: AbortSignal,
): Promise<boolean | null> {
  const place = await context.workspace.siteAt(tip, signal);
  if (place.type !== "ready") return null;
  try {
    const { ending } = await runInCleanRoom(context.machine, place.site, check, [], signal);
    return ending.type === "exited" ? ending.code !== 0 : null;
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
  const place = await context.workspace.siteAt(tip, signal, { isFresh: true });
  if (place.type === "no-setup") return { noSetup: place.why };
  if (place.type === "failed") return { why: place.why };
  const { site } = place;
  const { ran, red } = await runTwice(context, site, checks, signal);
  const durationMs = [...ran.evidence.values()].reduce((sum, each) => sum + each.durationMs, 0);
  return { site, ran, red, durationMs };
}

interface TriedHoldouts {
  readonly run: number;
  readonly red: readonly Broken[];
}

const NOTHING: TriedHoldouts = { run: 0, red: [] };

/** Tests that no agent of the workflow has seen, over the work in a clean room. Who puts it right learns their names, and nothing else. */
export async function tryHoldouts(
  { machine, live }: WorkflowContext,
  site: CheckSite,
  own: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<TriedHoldouts> {
  const which = { home: machine.home, root: live.project.root, id: live.id };
  const kept = readHoldout(which);
  if (kept === null) return NOTHING;
  if (kept.type === "unknown")
    return { run: 1, red: [broken("holdout", "what was held out cannot be read")] };
  const files = await readHoldoutFiles(which);
  const checks =
    kept.checks?.map(({ name, check }) => ({ name, check: { ...check, folder: kept.over } })) ??
    own.map(({ name, check }) => ({ name: `holdout: ${name}`, check }));
  const red: Broken[] = [];
  for (const [index, { name, check }] of checks.entries()) {
    try {
      const { ending, output } = await runInCleanRoom(machine, site, check, files, signal);
      noteHoldoutRun(which, index + 1, `${name}\n\n${output}`);
      if (ending.type !== "exited" || ending.code !== 0)
        red.push(broken(name, "a test that only the user can see fails"));
    } catch (error) {
      if (signal.aborted) return NOTHING;
      if (!(error instanceof RoomError)) throw error;
      red.push(broken(name, "it could not be laid over the work"));
    }
  }
  return { run: checks.length, red };
}

/** Runs a check on the files of a site with some of them replaced, where nothing that it writes is left. */
export async function runInCleanRoom(
  machine: Machine,
  site: CheckSite,
  check: Check,
  replacements: readonly ReplacedFile[],
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const room = await machine.rooms.open({ root: site.root, replacements, signal });
  try {
    return await runAt({ ...site, run: async (options) => room.run(options) }, check);
  } finally {
    await room.close();
  }
}

function broken(name: string, detail: string): Broken {
  return { name, detail, check: null };
}
