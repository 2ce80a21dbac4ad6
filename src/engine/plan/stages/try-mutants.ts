import { runAt } from "../../../verify/checks/check-site.ts";
import type { NamedCheck } from "../../../verify/checks/run-checks.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import type { MutantCount } from "../../../core/questions/gate/checklist.ts";
import type { Survivor } from "../../../core/stages/stages.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { chosenFaults } from "../../../verify/faults/choose-faults.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import { faultyFiles, readSource, type SourceOnDisk } from "../../../verify/proofs/faulty-files.ts";
import { firstNoticing, noticingOf, type Noticing } from "../../../verify/proofs/faulty-run.ts";
import type { RunAtTip } from "./run-at-tip.ts";

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
