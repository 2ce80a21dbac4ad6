import type { LoopId } from "../../core/id.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import { isFinalTask } from "../../core/plan/plan.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { isSpent, taskState } from "../../core/plan/workflow.ts";
import type { Findings, Settlement } from "../../core/stop/facts.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { JudgingTicket } from "../../storage/home/judging-ticket.ts";
import { dropTickets, findTicket, issueTicket, readTicket } from "../../storage/home/judging-ticket.ts";
import { settlementIn } from "../../storage/home/stored-settlement.ts";
import { runningSince } from "../../storage/home/running-checks.ts";
import { markUntold } from "../../storage/home/untold-ending.ts";
import type { Patience } from "./background-checks.ts";

const POLL_MS = 100;
/** How long a new process may take to report that it runs. */
const STARTING_MS = 15_000;
const NOTHING: Settlement = { rejected: [] };

/**
 * Judges and merges the tasks that are claimed to be done, in a process of the hook's own: what a command of the agent
 * showed counts for nothing. What outlasts the host's patience continues, and the next stop asks for it again.
 */
export async function settleInBackground(
  machine: Machine,
  { id, live }: LockedLoop,
  patience: Patience,
): Promise<Findings> {
  const { workflow } = live.loop;
  if (workflow === null) return { settlement: NOTHING };
  const names = atStake(workflow);
  if (names.length === 0) return { settlement: NOTHING };
  const whose = { home: machine.home, root: live.project.root, loop: id };
  const open = findTicket(whose);
  let ticket = open ?? start(machine, whose, names, patience.cli);
  const deadline = machine.now() + patience.ms;
  let wasRunning = false;
  for (;;) {
    const done = readTicket(whose, ticket.id);
    const isRunning =
      runningSince({ home: machine.home, root: whose.root, loop: id }, machine.now()) !== null;
    wasRunning ||= isRunning;
    if (done !== null && done.shown !== null) {
      dropTickets(whose);
      await live.refresh();
      return { settlement: settlementIn(done.proven) };
    }
    const isStarting = machine.now() - ticket.startedAt < STARTING_MS;
    if (!isRunning && (wasRunning || !isStarting)) {
      // It was killed. What it had merged is in the journal; the rest is settled again, once.
      dropTickets(whose);
      if (ticket !== open) return { settlement: NOTHING };
      ticket = start(machine, whose, names, patience.cli);
      wasRunning = false;
    }
    if (machine.now() >= deadline) return { outlasting: names };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A settlement that ended after the last stop could no longer wait for it, or was killed at its end: nobody was told yet. */
export function settledSince(machine: Machine, { id, live }: LockedLoop): Findings {
  const whose = { home: machine.home, root: live.project.root, loop: id };
  const ticket = live.loop.phase === "active" ? null : findTicket(whose);
  if (ticket === null) return {};
  if (
    ticket.shown === null &&
    runningSince({ home: machine.home, root: whose.root, loop: id }, machine.now()) !== null
  )
    return {};
  dropTickets(whose);
  return { settlement: ticket.shown === null ? NOTHING : settlementIn(ticket.proven) };
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

function start(
  machine: Machine,
  whose: { readonly home: string; readonly root: string; readonly loop: LoopId },
  names: readonly string[],
  cli: string,
): JudgingTicket {
  const startedAt = machine.now();
  // It ends the loop by itself, whether or not the hook is still there.
  markUntold(whose);
  const ticket = issueTicket(whose, { startedAt, expiresAt: startedAt, names: [...names] });
  const args = [cli, "settle", "--loop", whose.loop, ticket.id];
  machine.processes.startDetached(args, { cwd: whose.root, env: machine.env });
  return ticket;
}
