import { asOpened } from "../baseline/replacements.ts";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { failureLines, keptFailure } from "./failure-lines.ts";
import { comparedOf, runInRoom, type ProofScene } from "./proof-site.ts";

/**
 * A line in which a check says that something failed, although it passes: it said the same where it failed, on the files of the
 * opening, and nothing else. Its failures no longer count. null: there is none.
 */
export async function stillFailing(scene: ProofScene, named: NamedCheck): Promise<string | null> {
  const printed = scene.printed?.get(named.name) ?? "";
  const compared = comparedOf(scene, named);
  if (failureLines(printed).length === 0 || compared.baseline.start?.passed !== false) return null;
  const opened = await asOpened(scene.place, scene.comparison, compared);
  const run = await runInRoom(scene, named, opened, { isSample: true });
  if ("why" in run || hasPassed(run.outcome)) return null;
  return keptFailure(run.outcome.output, printed);
}
