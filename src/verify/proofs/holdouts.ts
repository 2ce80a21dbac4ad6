import { isRepeatable, type Check } from "../../core/loop/criterion.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { brokenHoldout, readHoldout, noteHoldoutRun, readHoldoutFiles } from "../holdouts/kept-holdout.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { proofOf, runInRoom, type ProofScene, type RoomRun } from "./proof-site.ts";
import { describeEnding, hasPassed } from "../checks/check-site.ts";
import { CANNOT_RUN } from "../baseline/shortfalls.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";

/** A check the agent has never seen, or one of the loop's checks with files it has never seen. */
export interface Holdout {
  readonly name: string;
  /** null: its content is lost. */
  readonly check: Check | null;
  /** The criterion whose check it is, if any. */
  readonly criterion: string | null;
  /** Helps a person find its output. */
  readonly number: number;
}

/** The loop's holdouts: they belong to its outermost frame, not to frames inside it. */
export function holdoutsOf({ home }: Machine, { id, live }: KnownLoop): readonly Holdout[] {
  if (live.loop.frames.length > 1) return [];
  const kept = readHoldout({ home, root: live.project.root, id });
  if (kept === null) return [];
  if (kept.type === "unknown") return [{ name: "holdout", check: null, criterion: null, number: 1 }];
  if (kept.checks !== null)
    return kept.checks.map(({ name, check }, index) => ({
      name,
      check: { ...check, folder: kept.over },
      criterion: null,
      number: index + 1,
    }));
  return topFrame(live.loop)
    .criteria.filter(isRepeatable)
    .map(({ name, check }, index) => ({
      name: `holdout: ${name}`,
      check,
      criterion: name,
      number: index + 1,
    }));
}

/**
 * Runs the holdouts over the work. The result names nothing in them; their output is kept where only a person looks.
 */
export async function showHoldouts(
  scene: ProofScene,
  holdouts: readonly Holdout[],
): Promise<readonly ShownProof[]> {
  const { progress } = scene.site;
  const trials: (readonly [Holdout, Trial])[] = [];
  for (const holdout of holdouts) {
    progress.checkBegins(holdout.name);
    const trial = await tryHoldout(scene, holdout);
    progress.checkEnds(holdout.name, trial.result === "stands");
    trials.push([holdout, trial]);
  }
  const isLookedAt = trials.some(([, { result, looksAtFiles }]) => result !== "open" && looksAtFiles);
  return trials.map(([holdout, trial]) => {
    const { name, number, criterion } = holdout;
    // Files for the unit tests mean nothing to the linter; some check has to run them.
    const isIdle = criterion === null ? trial.ranNoTest : !trial.looksAtFiles && !isLookedAt;
    const shown: Pick<ShownProof, "result" | "detail"> =
      trial.result === "stands" && isIdle
        ? { result: "open", detail: criterion === null ? "it ran no test" : "no check looks at its files" }
        : { result: trial.result, detail: trial.detail };
    const told = shown.detail === null ? "" : ` (${shown.detail})`;
    noteHoldoutRun(scene.which, number, `${name}: ${shown.result}${told}\n${trial.note}`);
    return proofOf("holdout", name, shown);
  });
}

/** The result of one holdout. */
interface Trial extends Pick<ShownProof, "result" | "detail"> {
  /** A check that passes in any case has shown nothing. Commands of its own may look at the work alone. */
  readonly looksAtFiles: boolean;
  /** As its report says. */
  readonly ranNoTest: boolean;
  /** For a person. */
  readonly note: string;
}

async function tryHoldout(scene: ProofScene, holdout: Holdout): Promise<Trial> {
  const { name, check } = holdout;
  if (check === null) return open("it cannot be read", "");
  const named = { name, check };
  let files: readonly ReplacedFile[];
  let run: RoomRun;
  try {
    files = await readHoldoutFiles(scene.which);
    run = await runInRoom(scene, named, files);
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
  if (!hasPassed(run.outcome))
    return { result: "fails", detail: null, looksAtFiles: true, ranNoTest: false, note };
  const own = holdout.criterion === null ? null : (scene.reports.get(holdout.criterion) ?? null);
  const report = readTestReport(output);
  const looksAtFiles =
    holdout.criterion === null || hasMoreTests(report, own) || (await failsWithout(scene, named, files));
  return { result: "stands", detail: null, looksAtFiles, ranNoTest: report?.executed === 0, note };
}

function hasMoreTests(report: TestReport | null, own: TestReport | null): boolean {
  if (own === null || report === null) return false;
  return own.unit !== "packages" && !report.isPartial && report.executed > own.executed;
}

/** Whether it notices that nothing is left of its files. */
async function failsWithout(
  scene: ProofScene,
  named: NamedCheck,
  files: readonly ReplacedFile[],
): Promise<boolean> {
  const run = await runInRoom(scene, named, brokenHoldout(files));
  return "why" in run || !hasPassed(run.outcome);
}

function open(detail: string, note: string): Trial {
  return { result: "open", detail, looksAtFiles: true, ranNoTest: false, note };
}
