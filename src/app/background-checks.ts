import type { NamedCheck } from "../checks/run-checks.ts";
import type { Evidence } from "../core/criterion.ts";
import type { LoopEvent } from "../core/event.ts";
import { EVENT_VERSION } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import type { Findings } from "../core/stop/facts.ts";
import { parseEvent } from "../journal/event-schema.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";
import type { JudgingTicket } from "../store/judging-ticket.ts";
import { dropTickets, findTicket, issueTicket, keepShown, readTicket } from "../store/judging-ticket.ts";
import { runningSince } from "../store/running-checks.ts";
import { checkLoop, longestRun } from "./check-loop.ts";

const POLL_MS = 100;
/** How long a process that was just started may take to say that it runs. */
const STARTING_MS = 15_000;

/** How long whoever asks for checks waits for them, and the program that goes on with them. */
export interface Patience {
  readonly ms: number;
  readonly cli: string;
}

/** Whether the checks could take longer than whoever asks will wait. */
export function mayOutlast(patience: Patience, checks: readonly NamedCheck[]): boolean {
  // Twice: what alters the tree is run once more.
  return checks.reduce((sum, { check }) => sum + 2 * check.timeoutMs, 0) > patience.ms;
}

/**
 * Runs checks in a process of their own, and waits for it as long as the host will. What is not finished by then goes on, and is
 * asked for again at the next stop. It counts by the ticket that only this gives, and by the files that it was shown on.
 */
export async function checkInBackground(
  machine: Machine,
  { id, live, workplace }: LockedLoop,
  checks: readonly NamedCheck[],
  patience: Patience,
): Promise<Findings> {
  const names = checks.map(({ name }) => name);
  const { root } = live.project;
  const whose = { home: machine.home, root, loop: id };
  const tree = await machine.git.readTree(workplace.root);
  const open = findTicket(whose);
  const isOurs = open !== null && isFor(open, names, tree?.digest ?? null) && machine.now() < open.expiresAt;
  let ticket = isOurs ? open : start(machine, whose, checks, patience.cli);
  const deadline = machine.now() + patience.ms;
  const isStarting = (): boolean => machine.now() - ticket.startedAt < STARTING_MS;
  let wasRunning = false;
  for (;;) {
    const shown = readTicket(whose, ticket.id)?.shown ?? null;
    const isRunning = runningSince(machine.home, root, id, machine.now()) !== null;
    wasRunning ||= isRunning;
    if (shown !== null || (!isRunning && (wasRunning || !isStarting()))) {
      const now = (await machine.git.readTree(workplace.root))?.digest ?? null;
      if (shown === null || isFor({ ...ticket, shown }, names, now)) {
        dropTickets(whose);
        await live.refresh();
        return { tree: now, checks: evidenceIn(shown ?? []) };
      }
      // The files changed while they ran: what was shown says nothing about them as they are.
      ticket = start(machine, whose, checks, patience.cli);
      wasRunning = false;
    }
    if (machine.now() >= deadline) return { outlasting: names };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether a ticket's checks are these, and still run or ended on the files as they are now. */
function isFor(ticket: JudgingTicket, names: readonly string[], tree: string | null): boolean {
  if (!names.every((name) => ticket.names.includes(name))) return false;
  return (
    ticket.shown === null ||
    [...evidenceIn(ticket.shown).values()].every(({ treeDigest }) => treeDigest === tree)
  );
}

function start(
  machine: Machine,
  whose: Parameters<typeof issueTicket>[0],
  checks: readonly NamedCheck[],
  cli: string,
): JudgingTicket {
  dropTickets(whose);
  const startedAt = machine.now();
  const names = checks.map(({ name }) => name);
  const ticket = issueTicket(whose, { startedAt, expiresAt: startedAt + longestRun(checks), names });
  const args = [cli, "judge", "--loop", whose.loop, ticket.id];
  machine.processes.startDetached(args, { cwd: whose.root, env: machine.env });
  return ticket;
}

/** In the process that was started: runs the checks of a ticket, and keeps with it what they showed. */
export async function judgeForTicket(machine: Machine, locked: LockedLoop, id: string): Promise<void> {
  const whose = { home: machine.home, root: locked.live.project.root, loop: locked.id };
  const ticket = readTicket(whose, id);
  if (ticket === null) throw new UserError("Nobody asked for these checks; run them with: loop check");
  await checkLoop(machine, locked, ticket.names, {
    keep: ({ evidence: shown }) => {
      const events = [...shown].map(([name, evidence]): LoopEvent => ({
        type: "check.ran",
        name,
        evidence,
        atStart: false,
      }));
      keepShown(whose, ticket, events.map(stored));
    },
  });
}

function stored(event: LoopEvent): unknown {
  return { ...event, v: EVENT_VERSION[event.type] };
}

/** What does not fit is nobody's evidence. */
function evidenceIn(shown: readonly unknown[]): ReadonlyMap<string, Evidence> {
  const events = shown.map(parseEvent).flatMap((parsed) => (parsed.type === "event" ? [parsed.event] : []));
  return new Map(
    events.flatMap((event) => (event.type === "check.ran" ? [[event.name, event.evidence] as const] : [])),
  );
}

/** Waits until nobody runs the loop's checks any more. Tells whether somebody did. */
export async function waitForChecks(machine: Machine, root: string, id: Loop["id"]): Promise<boolean> {
  let wasRunning = false;
  while (runningSince(machine.home, root, id, machine.now()) !== null) {
    wasRunning = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return wasRunning;
}
