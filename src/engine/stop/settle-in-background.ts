import { isFinalTask, type PlannedTask } from "../../core/plan/plan.ts";
import { isSpent, taskState, type Workflow } from "../../core/plan/workflow.ts";
import type { Observations } from "../../core/stop/facts.ts";
import { Jobs } from "../../storage/home/job.ts";
import { markUntold } from "../../storage/home/approval-marks.ts";
import { localLoop, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { NOTHING_SETTLED, SETTLING, startJob, waitForJob, type HookTimeout } from "./background-job.ts";

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
