import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NamedCheck } from "../../../verify/checks/run-checks.ts";
import { runAt } from "../../../verify/checks/check-site.ts";
import type { Survivor } from "../../../core/stages/stages.ts";
import type { MutantCount } from "../../../core/questions/gate/checklist.ts";
import type { Mutant } from "../../../core/questions/gate/mutants.ts";
import { canMutate, chosenMutants } from "../../../core/questions/gate/mutants.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import type { Replacement } from "../../../system/room/replace-files.ts";
import { RoomError } from "../../../system/room/scratch.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import type { RunAtTip } from "./run-at-tip.ts";

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
