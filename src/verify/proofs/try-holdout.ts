import { describeEnding } from "../checks/evidence.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { readHoldoutFiles } from "../holdouts/kept-holdout.ts";
import { CANNOT_RUN } from "../baseline/compare.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { Holdout } from "./holdouts.ts";
import type { ProofScene, RoomRun } from "./scene.ts";
import { runInRoom } from "./scene.ts";

/** The result of one holdout. */
export interface Trial extends Pick<ShownProof, "result" | "detail"> {
  /** Whether it ran tests that the check alone doesn't run, as far as its report shows. */
  readonly tested: "more" | "nothing" | "unknown";
  /** For a person. */
  readonly note: string;
}

export async function tryHoldout(scene: ProofScene, holdout: Holdout): Promise<Trial> {
  const { name, check } = holdout;
  if (check === null) return open("it cannot be read", "");
  let files: readonly ReplacedFile[];
  let run: RoomRun;
  try {
    files = await readHoldoutFiles(scene.which);
    run = await runInRoom(scene, { name, check }, files);
  } catch (error) {
    scene.site.signal?.throwIfAborted();
    // File system errors name files.
    return open("it could not be laid over the project", String(error));
  }
  if ("why" in run) return open(run.why, "");
  const { ending, output } = run.outcome;
  const note = `It ${describeEnding(ending)}.\n\n${output}`;
  if (ending.type === "not-started" || (ending.type === "exited" && CANNOT_RUN.has(ending.code)))
    return open("its command cannot run here", note);
  const result = ending.type === "exited" && ending.code === 0 ? "stands" : "fails";
  return { result, detail: null, tested: testedBy(scene, holdout, run.outcome, files), note };
}

/** New files that a check's command ignores show nothing. If they replace the project's own, it is unknown. */
function testedBy(
  { comparison, reports }: ProofScene,
  { criterion }: Holdout,
  { output }: CommandOutcome,
  files: readonly ReplacedFile[],
): Trial["tested"] {
  const report = readTestReport(output);
  if (report === null) return "unknown";
  if (report.executed === 0) return "nothing";
  const own = criterion === null ? null : (reports.get(criterion) ?? null);
  if (own === null || report.isPartial || own.unit === "packages") return "unknown";
  if (report.executed > own.executed) return "more";
  const areNew = comparison.now.size > 0 && files.every(({ path }) => !comparison.now.has(path));
  return areNew ? "nothing" : "unknown";
}

function open(detail: string, note: string): Trial {
  return { result: "open", detail, tested: "unknown", note };
}
