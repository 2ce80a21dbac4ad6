import type { LockedLoop } from "../../../storage/loops/locked-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { UserError } from "../../../core/user-error.ts";
import { keepShown, readTicket } from "../../../storage/home/judging-ticket.ts";
import { announceChecks } from "../../../storage/home/running-checks.ts";
import { sessionContext } from "./session-context.ts";
import { settleSession } from "./settle-session.ts";

/** No settlement takes longer; whoever waits for a process that is gone finds out at once anyway. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Runs in the process that a hook started: settles the session's plan, and stores the result with the hook's ticket. */
export async function settleForTicket(machine: Machine, chosen: LockedLoop, id: string): Promise<void> {
  const { root } = chosen.live.project;
  const whose = { home: machine.home, root, loop: chosen.id };
  const ticket = readTicket(whose, id);
  if (ticket === null) throw new UserError("Nothing is to be settled; a session's hook does it at a stop.");
  const startedAt = machine.now();
  const conceal = announceChecks(
    { home: machine.home, root, loop: chosen.id },
    {
      startedAt,
      expiresAt: startedAt + LONGEST_MS,
    },
  );
  try {
    const settlement = await settleSession(sessionContext(machine, chosen, () => {}));
    keepShown(whose, ticket, { shown: [], proven: settlement });
  } finally {
    conceal();
  }
}
