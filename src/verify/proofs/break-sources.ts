import { runAt, type CheckSite } from "../checks/check-site.ts";
import type { Examination, NamedCheck } from "../checks/run-checks.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { RoomError } from "../../system/room/scratch.ts";
import { listNow } from "../baseline/kept-files.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";
import { isJudge } from "../definitions/test-files.ts";
import { kindOf } from "../definitions/tools/tools.ts";
import { languageOf } from "../faults/languages.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";

/** A check whose tests are of files elsewhere. */
export interface BlindCheck {
  readonly name: string;
  /** As in its report: `pytest`. */
  readonly runner: string;
}

/** What every source file says then. No language accepts it, and nothing of the file is left. */
const BROKEN = Buffer.from(")]}>\n");
const MOST_FILES = 5_000;
/** A slower check isn't run once more only for this. */
const LONGEST_MS = 60_000;

/**
 * The checks of which as many tests pass as before although every source file is broken: what they test isn't here, such as a
 * package that is installed from another checkout. `looked`: how the checks ended with the files as they are.
 */
export async function blindChecks(
  { rooms }: Pick<Machine, "rooms">,
  site: CheckSite,
  checks: readonly NamedCheck[],
  looked: Pick<Examination, "tree" | "reports" | "evidence">,
): Promise<readonly BlindCheck[]> {
  const testing = checks.flatMap((named) => {
    const report = looked.reports.get(named.name) ?? null;
    const ms = looked.evidence.get(named.name)?.durationMs ?? 0;
    return report === null || !isTelling(report) || ms > LONGEST_MS ? [] : [{ named, report }];
  });
  const replacements = testing.length === 0 || looked.tree === null ? [] : brokenFiles(looked.tree);
  if (replacements.length === 0) return [];
  const { signal } = site;
  try {
    const room = await rooms.open({
      root: site.root,
      replacements,
      ...(signal === null ? {} : { signal }),
    });
    try {
      const blind: BlindCheck[] = [];
      for (const { named, report } of testing) {
        const outcome = await runAt({ ...site, run: async (options) => room.run(options) }, named.check);
        const broken = readTestReport(outcome.output);
        if (broken !== null && isTelling(broken) && broken.passed >= report.passed)
          blind.push({ name: named.name, runner: report.runner });
      }
      return blind;
    } finally {
      await room.close();
    }
  } catch (error) {
    if (signal?.aborted === true || error instanceof RoomError) return [];
    throw error;
  }
}

/** Tests passed, and all of them are counted. */
function isTelling({ passed, isCutShort, isContradictory, isPartial }: TestReport): boolean {
  return passed > 0 && !isCutShort && !isContradictory && !isPartial;
}

function brokenFiles(tree: NonNullable<Examination["tree"]>): readonly ReplacedFile[] {
  return [...listNow(tree).keys()]
    .filter((path) => kindOf(path) === "source" && !isJudge(path) && languageOf(path, "") !== null)
    .slice(0, MOST_FILES)
    .map((path) => ({ path, content: BROKEN, mode: "100644" }));
}
