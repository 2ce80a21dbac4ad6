import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { hasPassed } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { injectedTests } from "../baseline/injected-files.ts";
import type { Failures } from "../definitions/injecting/dialect.ts";
import { readMarks, type Marker, type SeenMarks } from "../definitions/injecting/marks.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";
import { createScratch, removeScratch, roomsFolder } from "../../system/room/scratch.ts";
import { comparedOf, runInRoom, type ProofScene } from "./proof-site.ts";
import type { InjectedRun } from "./seen-failures.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import type { ReplacedFile } from "../baseline/replacements.ts";

/** Only a check that takes less is run yet another time, for what one run cannot show. */
export const SHORT_MS = 5_000;

/** A run of a check, and the marks that its files left. */
interface MarkedRun {
  readonly outcome: CommandOutcome;
  readonly marks: SeenMarks;
}

/** There was no clean room. */
interface NoRoom {
  readonly why: string;
}

/** Runs a check in a clean room with files that leave marks, or says why there is none. Empty replacements are not run. */
export async function runMarked<Prepared extends { readonly replaced: readonly ReplacedFile[] }>(
  scene: ProofScene,
  named: NamedCheck,
  prepare: (marker: Omit<Marker, "file">) => Promise<Prepared>,
): Promise<(Prepared & { readonly run: MarkedRun | NoRoom }) | "nothing"> {
  // Outside the project, so that no check sees a file that it doesn't expect.
  const scratch = await createScratch(roomsFolder(scene.machine.home));
  try {
    const path = join(scratch, randomBytes(8).toString("hex"));
    const prepared = await prepare({ path, nonce: `t${randomBytes(8).toString("hex")}` });
    if (prepared.replaced.length === 0) return "nothing";
    const run = await runInRoom(scene, named, prepared.replaced, { isSample: true });
    if ("why" in run) return { ...prepared, run };
    return { ...prepared, run: { outcome: run.outcome, marks: await readMarks(path) } };
  } finally {
    await removeScratch(scratch);
  }
}

/**
 * Runs a check whose test files, in a clean room, have failures. `no-tests`: it has none that one can be put into. `others`: what
 * is replaced beside them.
 */
export async function runInjected(
  scene: ProofScene,
  named: NamedCheck,
  failures: (file: number) => Failures,
  others: readonly ReplacedFile[] = [],
): Promise<InjectedRun | "no-tests" | NoRoom> {
  const report = scene.reports.get(named.name) ?? null;
  const injected = await runMarked(scene, named, async (marker) => {
    const tests = await injectedTests({
      place: scene.place,
      check: comparedOf(scene, named),
      command: named.check.command,
      runner: report?.runner ?? null,
      marker,
      failures,
    });
    const own = new Set(tests.replaced.map(({ path }) => path));
    const beside = tests.replaced.length === 0 ? [] : others.filter(({ path }) => !own.has(path));
    return { ...tests, replaced: [...tests.replaced, ...beside] };
  });
  if (injected === "nothing") return "no-tests";
  const { files, run } = injected;
  if ("why" in run) return run;
  const { outcome, marks } = run;
  return {
    files,
    marks,
    own: countable(report),
    isGreen: hasPassed(outcome),
    output: outcome.output,
    report: readTestReport(outcome.output),
    tookMs: outcome.durationMs,
  };
}

function countable(report: TestReport | null): TestReport | null {
  const isSound = report !== null && report.failed === 0 && !report.isPartial && !report.isCutShort;
  return isSound ? report : null;
}
