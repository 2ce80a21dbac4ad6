import type { Examination, NamedCheck } from "../../verify/checks/run-checks.ts";
import { isRepeatable } from "../../core/loop/criterion.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import type { Proven } from "../../core/loop/proof.ts";
import type { Observations } from "../../core/stop/facts.ts";
import { Jobs, type Job } from "../../storage/home/job.ts";
import { localLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { holdoutTime } from "../../verify/holdouts/kept-holdout.ts";
import { checkLoop, longestRun } from "../lifecycle/check-loop.ts";
import { checkSiteOf } from "../opening/checks-of-loop.ts";
import {
  carryOut,
  JUDGING,
  startJob,
  waitForJob,
  type Judged,
  type HookTimeout,
  NOTHING_SETTLED,
  SETTLING,
} from "./background-job.ts";
import { isFinalTask, type PlannedTask } from "../../core/plan/plan.ts";
import { isSpent, taskState, type Workflow } from "../../core/plan/workflow.ts";
import { markUntold } from "../../storage/home/approval-marks.ts";

/** A check may take this much longer than before. */
const SPARE_MS = 5_000;

/** Whether the checks and their proofs could take longer than the caller waits. */
export function mayOutlast(hookTimeout: HookTimeout, checks: readonly NamedCheck[], loop: Loop): boolean {
  const last = new Map(topFrame(loop).criteria.map(({ name, evidence }) => [name, evidence?.durationMs]));
  const expected = ({ name, check }: NamedCheck): number => {
    const took = last.get(name);
    return took === undefined ? check.timeoutMs : Math.min(check.timeoutMs, 2 * took + SPARE_MS);
  };
  // Twice, since a check that alters the tree runs once more; and three times for proofs.
  return checks.reduce((sum, each) => sum + 5 * expected(each), 0) > hookTimeout.ms;
}

/**
 * Runs checks in their own process and waits as long as the host does. Unfinished checks continue, and the next stop asks for
 * them again. Their results count only for the files they ran on.
 */
export async function checkInBackground(
  machine: Machine,
  known: KnownLoop,
  checks: readonly NamedCheck[],
  hookTimeout: HookTimeout,
): Promise<Observations> {
  const { live, workingDirectory } = known;
  const names = checks.map(({ name }) => name);
  const jobs = new Jobs(localLoop(machine, known), JUDGING);
  const tree = await machine.git.readTree(workingDirectory.root);
  const open = jobs.find();
  const isOurs =
    open !== null &&
    names.every((name) => open.asked.names.includes(name)) &&
    isOf(open.result, tree?.digest ?? null) &&
    machine.now() < open.expiresAt;
  const deadline = machine.now() + hookTimeout.ms;
  let job = isOurs ? open : restart(machine, known, checks, hookTimeout.cli);
  for (;;) {
    const waited = await waitForJob(machine, jobs, job, deadline);
    if (waited.type === "outlasts") return { outlasting: names };
    const judged = waited.type === "reported" ? waited.result : null;
    const now = foundIn(await machine.git.readTree(workingDirectory.root));
    if (isOf(judged, now.tree)) {
      jobs.drop();
      await live.refresh();
      const { checks, proven } = judged ?? { checks: new Map(), proven: null };
      return { ...now, checks, ...(proven === null ? {} : { proven }) };
    }
    // The files changed while the checks ran, so the results say nothing about the current files.
    job = restart(machine, known, checks, hookTimeout.cli);
  }
}

/** What a reading of the files contributes to a decision. */
export function foundIn(tree: TreeReading | null): { readonly tree: string | null } & Observations {
  return { tree: tree?.digest ?? null, treeDoubts: tree?.doubts ?? [] };
}

/** Whether checks that reported ran on these files. */
function isOf(judged: Judged | null, tree: string | null): boolean {
  return judged === null || [...judged.checks.values()].every(({ treeDigest }) => treeDigest === tree);
}

function restart(
  machine: Machine,
  known: KnownLoop,
  checks: readonly NamedCheck[],
  cli: string,
): Job<{ readonly names: readonly string[] }, Judged> {
  const local = localLoop(machine, known);
  new Jobs(local, JUDGING).drop();
  const { home, root, loop: id } = local;
  return startJob(machine, local, JUDGING, {
    asked: { names: checks.map(({ name }) => name) },
    longestMs: longestRun(checks) + holdoutTime({ home, root, id }),
    cli,
  });
}

/** In the started process: runs the checks that a token names. */
export async function judgeForJob(machine: Machine, known: KnownLoop, token: string): Promise<void> {
  await carryOut(machine, known, JUDGING, token, async ({ names }) => {
    const { examination } = await checkLoop(machine, known, names);
    return { checks: examination.evidence, proven: await provenOf(machine, known, examination) };
  });
}

/** If all checks pass, gathers what the claim needs beyond them, so the agent doesn't wait twice. */
async function provenOf(
  machine: Machine,
  known: KnownLoop,
  examination: Examination,
): Promise<Proven | null> {
  const { loop } = known.live;
  const repeatable = topFrame(loop).criteria.filter(isRepeatable);
  const isShown = repeatable.every(({ name }) => examination.evidence.get(name)?.passed === true);
  if (!isShown || loop.proof === "off") return null;
  const { gatherProofs } = await import("../../verify/proofs/gather-proofs.ts");
  return (await gatherProofs(machine, known, checkSiteOf(machine, known), examination)).proven;
}

/** No settlement takes longer; whoever waits for a process that is gone finds out at once anyway. */
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * Judges and merges the tasks that are claimed to be done, in a process of the hook's own: what a command of the agent
 * showed counts for nothing. What outlasts the host's timeout continues, and the next stop asks for it again.
 */
export async function settleInBackground(
  machine: Machine,
  known: KnownLoop,
  { ms, cli }: HookTimeout,
): Promise<Observations> {
  const { live } = known;
  const names = live.loop.workflow === null ? [] : atStake(live.loop.workflow);
  if (names.length === 0) return { settlement: NOTHING_SETTLED };
  const local = localLoop(machine, known);
  const jobs = new Jobs(local, SETTLING);
  const start = (): ReturnType<typeof jobs.issue> => {
    // It ends the loop by itself, whether or not the hook is still there.
    markUntold(local);
    return startJob(machine, local, SETTLING, { asked: { names }, longestMs: LONGEST_MS, cli });
  };
  const open = jobs.find();
  const deadline = machine.now() + ms;
  for (let job = open ?? start(); ; job = start()) {
    const waited = await waitForJob(machine, jobs, job, deadline);
    if (waited.type === "outlasts") return { outlasting: names };
    jobs.drop();
    if (waited.type === "reported") {
      await live.refresh();
      return { settlement: waited.result };
    }
    // It was killed. What it had merged is in the journal; the rest is settled again, once.
    if (job !== open) return { settlement: NOTHING_SETTLED };
  }
}

/** A settlement that ended after the last stop could no longer wait for it, or was killed at its end: nobody was told yet. */
export function settledSince(machine: Pick<Machine, "home" | "now">, known: KnownLoop): Observations {
  const jobs = new Jobs(localLoop(machine, known), SETTLING);
  const job = known.live.loop.phase === "active" ? null : jobs.find();
  if (job === null) return {};
  if (job.result === null && jobs.isRunning(job, machine.now())) return {};
  jobs.drop();
  return { settlement: job.result ?? NOTHING_SETTLED };
}

/** Tasks that may be claimed to be done, or wait for their merge; or the whole when no other can be worked on: it is done, or given up. */
function atStake(workflow: Workflow): readonly string[] {
  const { attempts, plan } = workflow;
  const open = attempts.filter(({ state }) => state.type === "running" || state.type === "finished");
  if (open.length > 0) return open.map(({ task }) => task);
  const isForAgent = (task: PlannedTask): boolean =>
    taskState(workflow, task) === "ready" && !isSpent(workflow, task.id) && !isFinalTask(task.id);
  return plan.tasks.some(isForAgent) ? [] : ["the whole"];
}
