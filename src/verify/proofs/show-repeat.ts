import { describeEnding, hasPassed, runAt } from "../checks/check-site.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import type { ShownProof } from "../../core/loop/proof.ts";
import { proofOf, comparedOf, runInRoom } from "./proof-site.ts";
import type { ProofScene, RoomRun } from "./proof-site.ts";
import { freshSentinels, sentinelScripts, printedBy, injectedTests } from "../baseline/injected-files.ts";
import type { SentinelScripts } from "../baseline/injected-files.ts";
import type { CommandOutcome } from "../../system/process/run-command.ts";
import { readTestReport } from "../reports/read-test-report.ts";
import type { TestReport } from "../reports/test-report.ts";
import { markedCommand } from "../definitions/injecting/injected.ts";

const UNNOTICED = "a failing test that was added to its test files in a clean room didn't make it fail";
const UNNOTICED_END =
  "a failure that was added to the end of its script in a clean room didn't make it fail: something ends the script early, or makes it harmless";
const OTHERS_FAILED = "on the same files it passed, then another test failed";

/**
 * Runs a check again on the same files: with two different results it is flaky. Where it can, the same run shows that the check
 * still fails when a test does.
 */
export async function showRepeat(scene: ProofScene, named: NamedCheck): Promise<ShownProof> {
  const { progress } = scene.site;
  const title = `${named.name} once more`;
  progress.checkBegins(title);
  const shown = await repeat(scene, named);
  progress.checkEnds(title, shown.result === "stands");
  return proofOf("repeat", named.name, shown);
}

async function repeat(scene: ProofScene, named: NamedCheck): Promise<Pick<ShownProof, "result" | "detail">> {
  const tests = await injectIntoTests(scene, named);
  const isScript = tests === "no-tests";
  switch (isScript ? await injectIntoScripts(scene, named) : tests) {
    case "noticed":
      return { result: "stands", detail: null };
    case "unnoticed":
      return { result: "open", detail: isScript ? UNNOTICED_END : UNNOTICED };
    case "other-failures":
      return { result: "fails", detail: OTHERS_FAILED };
    case "unknown": {
      const outcome = await runAt(scene.site, named.check);
      if (hasPassed(outcome)) return { result: "stands", detail: null };
      return {
        result: "fails",
        detail: `on the same files it passed, then it ${describeEnding(outcome.ending)}`,
      };
    }
  }
}

/**
 * `noticed`: the added tests failed and all others ended as before, so this was the check's repetition too. `unnoticed`: the
 * check cannot fail. `other-failures`: tests failed that passed before. `unknown`: it doesn't tell.
 */
type Injection = "noticed" | "unnoticed" | "other-failures" | "unknown";

/** Runs a check whose test files, in a clean room, all have a test that fails. `no-tests`: it has none that a failure can be injected into. */
async function injectIntoTests(scene: ProofScene, named: NamedCheck): Promise<Injection | "no-tests"> {
  const own = scene.reports.get(named.name) ?? null;
  if (own === null) return "no-tests";
  if (own.failed > 0 || own.isPartial || own.isCutShort) return "unknown";
  const { failing, broken } = await injectedTests(scene.place, comparedOf(scene, named), own.runner);
  if (failing.length === 0) return "no-tests";
  const run = await runInRoom(scene, named, failing, { isFaithfulOnly: true });
  if ("why" in run) return "unknown";
  const seen = seenInReport(own, run.outcome);
  if (seen !== "not-run" || broken.length === 0) return seen === "not-run" ? "unknown" : seen;
  // A filter may leave the added tests out by their name, but not the files.
  const second = await runInRoom(scene, named, broken, { isFaithfulOnly: true });
  return "outcome" in second && hasPassed(second.outcome) ? "unnoticed" : "unknown";
}

function seenInReport(own: TestReport, outcome: CommandOutcome): Injection | "not-run" {
  const report = readTestReport(outcome.output);
  const added = (report?.executed ?? 0) - own.executed;
  if (report === null || added < 1) return hasPassed(outcome) ? "not-run" : "unknown";
  if (hasPassed(outcome) || report.failed < added) return "unnoticed";
  return report.failed === added && report.errors === own.errors ? "noticed" : "other-failures";
}

interface SentinelRun extends Pick<SentinelScripts, "scripts" | "failing"> {
  readonly run: RoomRun;
}

/**
 * Runs a check whose script, in a clean room, fails where it ends by itself. A check that passes all the same never got there, or
 * its failure counts for nothing.
 */
async function injectIntoScripts(scene: ProofScene, named: NamedCheck): Promise<Injection> {
  const marked = (await runScripts(scene, named)) ?? (await runCode(scene, named));
  if (marked === null || "why" in marked.run) return "unknown";
  return seenInMarks(marked.run.outcome, marked);
}

async function runScripts(scene: ProofScene, named: NamedCheck): Promise<SentinelRun | null> {
  const { place, comparison } = scene;
  const marked = await sentinelScripts(place, comparedOf(scene, named), comparison.now);
  if (marked === null) return null;
  const run = await runInRoom(scene, named, marked.files, { isFaithfulOnly: true });
  return { ...marked, run };
}

/** `python -c TEXT`: the script is in the command. */
async function runCode(scene: ProofScene, named: NamedCheck): Promise<SentinelRun | null> {
  const { scripts, code } = comparedOf(scene, named);
  if (code === null || scripts.length > 0) return null;
  const marks = freshSentinels(true);
  const command = markedCommand(named.check.command, code, marks);
  if (command === null) return null;
  const marked = { ...named, check: { ...named.check, command } };
  const run = await runInRoom(scene, marked, [], { isFaithfulOnly: true });
  const failing = printedBy(marks);
  return { run, scripts: [failing], failing };
}

function seenInMarks(outcome: CommandOutcome, { scripts, failing }: SentinelRun): Injection {
  const has = (mark: string): boolean => outcome.output.includes(mark);
  const isCut = scripts.some(({ begun, ended }) => has(begun) && !has(ended));
  const isGreen = hasPassed(outcome);
  if (failing === null && !isGreen) return "unknown";
  const hasEnded = failing !== null && has(failing.ended);
  if (failing !== null && isGreen) return isCut || hasEnded ? "unnoticed" : "unknown";
  if (failing !== null && !hasEnded) return "unknown";
  return isCut ? "unnoticed" : "noticed";
}
