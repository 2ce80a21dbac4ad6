import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import { runChecks } from "../../verify/checks/run-checks.ts";
import type { Evidence } from "../../core/loop/criterion.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import { noteWavered } from "./note-wavered.ts";
import type { WorkflowContext } from "./take-workflow.ts";

/** A check that doesn't pass, and how it failed last. */
export interface RedCheck {
  readonly named: NamedCheck;
  readonly evidence: Evidence | undefined;
}

/** Runs checks, and those that fail once more: two results for the same files mean that a check can't be relied on. */
export async function runTwice(
  context: WorkflowContext,
  site: CheckSite,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<{ readonly ran: Examination; readonly red: readonly RedCheck[] }> {
  const ran = await runChecks(site, checks);
  const failed = checks.filter(({ name }) => ran.evidence.get(name)?.passed !== true);
  if (failed.length === 0 || signal.aborted) return { ran, red: failed.map((named) => redIn(ran, named)) };
  const again = await runChecks(site, failed);
  const red = failed.filter(({ name }) => again.evidence.get(name)?.passed !== true);
  // What is stopped shows nothing.
  if (!signal.aborted)
    await noteWavered(
      context,
      failed.filter((each) => !red.includes(each)),
    );
  return { ran, red: red.map((named) => redIn(again, named)) };
}

function redIn({ evidence }: Examination, named: NamedCheck): RedCheck {
  return { named, evidence: evidence.get(named.name) };
}

/** How a check failed, with the end of what it printed. */
export function redText({ named, evidence }: RedCheck): string {
  return `\`${describeCheck(named.check)}\` ${evidence?.ending ?? "did not run"}\n${evidence?.outputTail ?? ""}`;
}
