import type { NamedCheck } from "../checks/run-checks.ts";
import { spoiledTests } from "../baseline/spoiled-tests.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";
import type { ProofScene } from "./scene.ts";
import { comparedOf, runInRoom } from "./scene.ts";

/**
 * `noticed`: the added tests failed and all others ended as before, so this was the check's repetition too. `unnoticed`: the
 * check cannot fail. `other-failures`: tests failed that passed before. `unknown`: it doesn't tell.
 */
export type Spoiling = "noticed" | "unnoticed" | "other-failures" | "unknown";

/** Runs a check whose test files, in a clean room, all have a test that fails. `no-tests`: it has none that can be spoiled. */
export async function spoilTests(scene: ProofScene, named: NamedCheck): Promise<Spoiling | "no-tests"> {
  const own = scene.reports.get(named.name) ?? null;
  if (own === null) return "no-tests";
  if (own.failed > 0 || own.isPartial || own.isCutShort) return "unknown";
  const { failing, broken } = await spoiledTests(scene.place, comparedOf(scene, named), own.runner);
  if (failing.length === 0) return "no-tests";
  const run = await runInRoom(scene, named, failing, { isFaithfulOnly: true });
  if ("why" in run) return "unknown";
  const seen = compare(own, run.outcome);
  if (seen !== "not-run" || broken.length === 0) return seen === "not-run" ? "unknown" : seen;
  // A filter may leave the added tests out by their name, but not the files.
  const second = await runInRoom(scene, named, broken, { isFaithfulOnly: true });
  return "outcome" in second && isGreen(second.outcome) ? "unnoticed" : "unknown";
}

function compare(own: TestReport, outcome: CommandOutcome): Spoiling | "not-run" {
  const report = readTestReport(outcome.output);
  const added = (report?.executed ?? 0) - own.executed;
  if (report === null || added < 1) return isGreen(outcome) ? "not-run" : "unknown";
  if (isGreen(outcome) || report.failed < added) return "unnoticed";
  return report.failed === added && report.errors === own.errors ? "noticed" : "other-failures";
}

export function isGreen({ ending }: CommandOutcome): boolean {
  return ending.type === "exited" && ending.code === 0;
}
