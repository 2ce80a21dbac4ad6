import { hasPassed, runAt, type CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import { runTwice, type RedCheck } from "../plan-checks.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import {
  brokenHoldout,
  noteHoldoutRun,
  readHoldout,
  readHoldoutFiles,
} from "../../../verify/holdouts/kept-holdout.ts";
import type { Broken, MutantCount } from "../../../core/questions/gate/checklist.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import type { CommandOutcome } from "../../../system/process/run-command.ts";
import type { Survivor } from "../../../core/stages/stages.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { chosenFaults } from "../../../verify/faults/choose-faults.ts";
import { faultyFiles, readSource, type SourceOnDisk } from "../../../verify/proofs/faulty-files.ts";
import { firstNoticing, noticingOf, type Noticing } from "../../../verify/proofs/faulty-run.ts";

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
  readonly doubts: readonly string[];
}

const NOTHING: TriedHoldouts = { run: 0, red: [], doubts: [] };
const IDLE = "what was held out shows nothing: no check looks at its files";

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
    return { run: 1, red: [broken("holdout", "what was held out cannot be read")], doubts: [] };
  const files = await readHoldoutFiles(which);
  const checks =
    kept.checks?.map(({ name, check }) => ({ name, check: { ...check, folder: kept.over } })) ??
    own.map(({ name, check }) => ({ name: `holdout: ${name}`, check }));
  const red: Broken[] = [];
  let isLookedAt = kept.checks !== null;
  for (const [index, { name, check }] of checks.entries()) {
    try {
      const outcome = await runInCleanRoom(machine, site, check, files, signal);
      noteHoldoutRun(which, index + 1, `${name}\n\n${outcome.output}`);
      if (!hasPassed(outcome)) red.push(broken(name, "a test that only the user can see fails"));
      else if (!isLookedAt)
        isLookedAt = !hasPassed(await runInCleanRoom(machine, site, check, brokenHoldout(files), signal));
    } catch (error) {
      if (signal.aborted) return NOTHING;
      if (!(error instanceof RoomError)) throw error;
      red.push(broken(name, "it could not be laid over the work"));
    }
  }
  return { run: checks.length, red, doubts: isLookedAt || red.length > 0 ? [] : [IDLE] };
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

export interface TriedMutants extends MutantCount {
  readonly survivors: readonly Survivor[];
}

const MOST_MUTANTS = 40;
/** How much longer than one run of all checks it may take. */
const CHECK_TIMES = 3;

/** Puts small faults into changed lines, one at a time, and checks whether a check notices. Null: there is no clean room for it. */
export async function tryMutants(
  { machine, tell }: WorkflowContext,
  diff: WorkDiff,
  atTip: RunAtTip,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<TriedMutants | null> {
  const { site, durationMs, red } = atTip;
  const sources = await changedSources(site.root, diff);
  const faults = chosenFaults(sources, MOST_MUTANTS);
  if (faults.length === 0 || checks.length === 0 || red.length > 0) return null;
  tell({ type: "gating", what: "trying whether the checks notice faults in changed lines" });
  const deadline = machine.now() + CHECK_TIMES * durationMs;
  const survivors: Survivor[] = [];
  let tried = 0;
  for (const fault of faults) {
    if (signal.aborted || (tried > 0 && machine.now() >= deadline)) break;
    const noticing = await look({ machine }, atTip, checks, faultyFiles(sources, [fault]), signal);
    if (noticing === null) return null;
    if (noticing === "unclear") continue;
    tried += 1;
    const { path: file, line, change } = fault;
    if (noticing === "unnoticed") survivors.push({ file, line, change });
  }
  return { tried, killed: tried - survivors.length, survivors };
}

/** Null: there is no clean room. */
async function look(
  { machine }: Pick<WorkflowContext, "machine">,
  { site, ran }: RunAtTip,
  checks: readonly NamedCheck[],
  replacements: readonly ReplacedFile[],
  signal: AbortSignal,
): Promise<Noticing | null> {
  try {
    const room = await machine.rooms.open({ root: site.root, replacements, signal });
    try {
      if (!room.isFaithful) return null;
      return await firstNoticing(checks, async ({ name, check }) => {
        const outcome = await runAt({ ...site, run: async (options) => room.run(options) }, check);
        return noticingOf(outcome, ran.reports.get(name) ?? null);
      });
    } finally {
      await room.close();
    }
  } catch (error) {
    if (signal.aborted || error instanceof RoomError) return null;
    throw error;
  }
}

async function changedSources(root: string, { files }: WorkDiff): Promise<readonly SourceOnDisk[]> {
  const sources: SourceOnDisk[] = [];
  for (const { path, lines } of files) {
    if (kindOf(path) !== "source") continue;
    const added = lines.flatMap(({ kind, line }) => (kind === "added" && line !== null ? [line] : []));
    const source = await readSource(root, path, () => new Set(added));
    if (source !== null) sources.push(source);
  }
  return sources;
}
