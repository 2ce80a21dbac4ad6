import * as v from "valibot";
import type { JobKind } from "../../storage/home/job.ts";
import type { Examination, Look, NamedCheck } from "../../verify/checks/run-checks.ts";
import { lookAtChecks } from "../../verify/checks/run-checks.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { localLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { baselinesOf } from "../../verify/baseline/loop-baselines.ts";
import { noteStart } from "../../verify/baseline/take-baseline.ts";
import { carryOut, startJob } from "../stop/background-job.ts";
import { checkSiteOf } from "./checks-of-loop.ts";
import { longestRun } from "../lifecycle/check-loop.ts";
import { isAboutTests } from "../../verify/checks/cannot-run.ts";
import { checksToLookAt, isMissing, whatCannotRun } from "./preflight.ts";

/** The files at the opening, and the criterion it is about; null: all of them. */
interface PreflightAsked {
  readonly tree: string;
  readonly name: string | null;
}

/** It records what it sees in the journal, and reports nothing. */
const PREFLIGHT: JobKind<PreflightAsked, null> = {
  command: "preflight",
  folder: "preflight",
  asked: v.object({ tree: v.string(), name: v.nullable(v.string()) }),
  result: v.custom<null>((value) => value === null),
  store: () => null,
  isAwaited: false,
  nothingPending: "No preflight is pending; run the checks with: loop check",
};

/**
 * Runs the preflight of a loop that was just opened, or of a criterion that was just added, in its own process, so the caller
 * doesn't wait.
 */
export async function startPreflight(
  machine: Machine,
  known: KnownLoop,
  cli: string,
  name: string | null = null,
): Promise<void> {
  const { live, workingDirectory } = known;
  const checks = checksOf(live.loop, name);
  const isOpening = name === null && live.loop.frames.length === 1;
  const tree = isOpening ? live.loop.start.tree : await treeOf(machine, workingDirectory.root);
  if (checks.length === 0 || tree === null) return;
  const longestMs = longestRun(checks);
  startJob(machine, localLoop(machine, known), PREFLIGHT, { asked: { tree, name }, longestMs, cli });
}

/** In the started process. */
export async function preflightForJob(machine: Machine, known: KnownLoop, token: string): Promise<void> {
  await carryOut(machine, known, PREFLIGHT, token, async ({ tree, name }) => {
    await lookBeforeWork(machine, known, tree, checksOf(known.live.loop, name));
    return null;
  });
}

/**
 * Records the results only if the files match the opening before and after: with the agent's changes, they wouldn't show
 * the state before the work.
 */
async function lookBeforeWork(
  machine: Machine,
  known: KnownLoop,
  opened: string,
  checks: readonly NamedCheck[],
): Promise<void> {
  const { live, workingDirectory } = known;
  const isAsOpened = async (): Promise<boolean> => (await treeOf(machine, workingDirectory.root)) === opened;
  if (!(await isAsOpened())) return;
  const missing: Look[] = [];
  const looked = await lookAtChecks(checkSiteOf(machine, known), checks, (look) => {
    // Tests that aren't there may be the next thing that the agent writes.
    if (isMissing(look) && !isAboutTests(look.cannotRun)) missing.push(look);
  });
  if (!(await isAsOpened())) return;
  noteStart(baselinesOf(machine, known), looked, { isAgents: true });
  await live.record((loop) => {
    if (loop.phase !== "active") return [];
    const shown = shownOf(topFrame(loop).criteria, checks, looked);
    return missing.length === 0 ? shown : [...shown, blockedBy(missing)];
  });
}

function checksOf(loop: Loop, name: string | null): readonly NamedCheck[] {
  const { criteria } = topFrame(loop);
  return checksToLookAt(criteria.filter((each) => name === null || each.name === name));
}

/** For the criteria that still have exactly the check that ran. */
function shownOf(
  criteria: ReturnType<typeof topFrame>["criteria"],
  checks: readonly NamedCheck[],
  { evidence }: Pick<Examination, "evidence">,
): readonly LoopEvent[] {
  return criteria.flatMap(({ name, check }): readonly LoopEvent[] => {
    const ran = checks.find((each) => each.name === name);
    const shown = evidence.get(name);
    if (shown === undefined || JSON.stringify(ran?.check) !== JSON.stringify(check)) return [];
    return [{ type: "check.ran", name, evidence: shown, atStart: true }];
  });
}

function blockedBy(missing: readonly Look[]): LoopEvent {
  const detail = `${whatCannotRun(missing)}; give it another command with: loop criteria check NAME --check COMMAND`;
  return { type: "loop.paused", reason: "blocked", detail, by: "machine" };
}

async function treeOf({ git }: Pick<Machine, "git">, root: string): Promise<string | null> {
  return (await git.readTree(root))?.digest ?? null;
}
