import { runAt } from "../../../verify/checks/check-site.ts";
import type { CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import type { Check } from "../../../core/loop/criterion.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import type { RedCheck } from "../plan-checks.ts";
import { runTwice } from "../plan-checks.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { noteHoldoutRun, readHoldout, readHoldoutFiles } from "../../../verify/holdouts/kept-holdout.ts";
import type { Broken, MutantCount } from "../../../core/questions/gate/checklist.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import type { CommandOutcome } from "../../../system/process/run-command.ts";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Survivor } from "../../../core/stages/stages.ts";
import type { Mutant } from "../../../core/questions/gate/mutants.ts";
import { canMutate, chosenMutants } from "../../../core/questions/gate/mutants.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import type { Replacement } from "../../../system/room/replace-files.ts";

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

export interface TriedMutants extends MutantCount {
  readonly survivors: readonly Survivor[];
}

const MOST_MUTANTS = 40;
/** How much longer than one run of all checks it may take. */
const CHECK_TIMES = 3;

/** Puts small faults into changed lines, one at a time, and looks whether a check notices. Null: there is no clean room for it. */
export async function tryMutants(
  { machine, tell }: WorkflowContext,
  diff: WorkDiff,
  { site, durationMs, red }: RunAtTip,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<TriedMutants | null> {
  const mutants = chosenMutants(changedLines(diff), MOST_MUTANTS);
  if (mutants.length === 0 || checks.length === 0 || red.length > 0) return null;
  tell({ type: "preparing", what: "Trying whether the checks notice faults in changed lines." });
  const deadline = machine.now() + CHECK_TIMES * durationMs;
  const survivors: Survivor[] = [];
  let tried = 0;
  for (const mutant of mutants) {
    if (signal.aborted || (tried > 0 && machine.now() >= deadline)) break;
    const replacement = await replacementFor(site.root, mutant);
    if (replacement === null) continue;
    let isNoticed: boolean;
    try {
      const room = await machine.rooms.open({ root: site.root, replacements: [replacement], signal });
      try {
        if (!room.isFaithful) return null;
        isNoticed = await noticed(
          checks,
          async ({ check }) =>
            (await runAt({ ...site, run: async (options) => room.run(options) }, check)).ending,
        );
      } finally {
        await room.close();
      }
    } catch (error) {
      if (signal.aborted || error instanceof RoomError) return null;
      throw error;
    }
    tried += 1;
    const { file, line, change } = mutant;
    if (!isNoticed) survivors.push({ file, line, change });
  }
  return { tried, killed: tried - survivors.length, survivors };
}

function changedLines({ files }: WorkDiff): Parameters<typeof chosenMutants>[0] {
  return files
    .filter(({ path }) => canMutate(path) && kindOf(path) === "source")
    .flatMap(({ path, lines }) =>
      lines.flatMap(({ kind, line, text }) =>
        kind === "added" && line !== null ? [{ file: path, line, text }] : [],
      ),
    );
}

async function noticed(
  checks: readonly NamedCheck[],
  run: (named: NamedCheck) => Promise<{ readonly type: string; readonly code?: number | null }>,
): Promise<boolean> {
  for (const named of checks) {
    const ending = await run(named);
    if (ending.type !== "exited" || ending.code !== 0) return true;
  }
  return false;
}

/** The file as it is at the tip, with the one line changed; null when it isn't what the diff says. */
async function replacementFor(root: string, { file, line, text }: Mutant): Promise<Replacement | null> {
  const path = join(root, file);
  const [content, stat] = await Promise.all([readFile(path, "utf8"), lstat(path)]).catch(() => [null, null]);
  if (stat === null || !stat.isFile()) return null;
  const lines = content?.split("\n");
  if (lines === undefined || lines[line - 1] === undefined) return null;
  lines[line - 1] = text;
  const mode = (stat.mode & 0o100) === 0 ? "100644" : "100755";
  return { path: file, content: Buffer.from(lines.join("\n")), mode };
}
