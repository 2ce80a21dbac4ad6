import type { NamedCheck } from "../../verify/checks/run-checks.ts";
import type { Evidence } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import type { Findings } from "../../core/stop/facts.ts";
import { parseEvent } from "../../storage/journal/event-schema.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { provenIn } from "../../verify/proofs/stored-proven.ts";
import type { JudgingTicket } from "../../storage/home/judging-ticket.ts";
import { dropTickets, findTicket, issueTicket, readTicket } from "../../storage/home/judging-ticket.ts";
import { runningSince } from "../../storage/home/running-checks.ts";
import { holdoutTime } from "../../verify/holdouts/kept-holdout.ts";
import { longestRun } from "../lifecycle/check-loop.ts";

const POLL_MS = 100;
/** A check may take this much longer than before. */
const SPARE_MS = 5_000;
/** How long a new process may take to report that it runs. */
const STARTING_MS = 15_000;

/** How long the caller waits for checks, and the program that continues them in the background. */
export interface Patience {
  readonly ms: number;
  readonly cli: string;
}

/** Whether the checks and their proofs could take longer than the caller waits. */
export function mayOutlast(patience: Patience, checks: readonly NamedCheck[], loop: Loop): boolean {
  const last = new Map(topFrame(loop).criteria.map(({ name, evidence }) => [name, evidence?.durationMs]));
  const expected = ({ name, check }: NamedCheck): number => {
    const took = last.get(name);
    return took === undefined ? check.timeoutMs : Math.min(check.timeoutMs, 2 * took + SPARE_MS);
  };
  // Twice, since a check that alters the tree runs once more; and three times for proofs.
  return checks.reduce((sum, each) => sum + 5 * expected(each), 0) > patience.ms;
}

/**
 * Runs checks in their own process and waits as long as the host does. Unfinished checks continue, and the next stop asks for
 * them again. Their results count only with the ticket created here, and only for the files they ran on.
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
    const done = readTicket(whose, ticket.id);
    const shown = done?.shown ?? null;
    const isRunning = runningSince({ home: machine.home, root, loop: id }, machine.now()) !== null;
    wasRunning ||= isRunning;
    if (shown !== null || (!isRunning && (wasRunning || !isStarting()))) {
      const now = foundIn(await machine.git.readTree(workplace.root));
      if (shown === null || isFor({ ...ticket, shown }, names, now.tree)) {
        dropTickets(whose);
        await live.refresh();
        const proven = provenIn(done?.proven);
        const checks = evidenceIn(shown ?? []);
        return { ...now, checks, ...(proven === null ? {} : { proven }) };
      }
      // The files changed while the checks ran, so the results say nothing about the current files.
      ticket = start(machine, whose, checks, patience.cli);
      wasRunning = false;
    }
    if (machine.now() >= deadline) return { outlasting: names };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** What a reading of the files contributes to a decision. */
export function foundIn(tree: TreeReading | null): { readonly tree: string | null } & Findings {
  return { tree: tree?.digest ?? null, treeDoubts: tree?.doubts ?? [] };
}

/** Whether a ticket is for these checks, and they still run or ended on the current files. */
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
  const { home, root, loop: id } = whose;
  const expiresAt = startedAt + longestRun(checks) + holdoutTime({ home, root, id });
  const ticket = issueTicket(whose, { startedAt, expiresAt, names });
  const args = [cli, "judge", "--loop", whose.loop, ticket.id];
  machine.processes.startDetached(args, { cwd: whose.root, env: machine.env });
  return ticket;
}

/** Results that don't match are dropped. */
function evidenceIn(shown: readonly unknown[]): ReadonlyMap<string, Evidence> {
  const events = shown.map(parseEvent).flatMap((parsed) => (parsed.type === "event" ? [parsed.event] : []));
  return new Map(
    events.flatMap((event) => (event.type === "check.ran" ? [[event.name, event.evidence] as const] : [])),
  );
}

/** Waits until nobody runs the loop's checks or is about to. Returns whether somebody did. */
export async function waitForChecks(machine: Machine, root: string, id: Loop["id"]): Promise<boolean> {
  const isAboutTo = (): boolean => {
    const ticket = findTicket({ home: machine.home, root, loop: id });
    return ticket?.shown === null && machine.now() - ticket.startedAt < STARTING_MS;
  };
  let wasRunning = false;
  for (let hasWaited = false; ; hasWaited = true) {
    const isRunning = runningSince({ home: machine.home, root, loop: id }, machine.now()) !== null;
    if (!isRunning && (wasRunning || !isAboutTo())) return hasWaited;
    wasRunning ||= isRunning;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
