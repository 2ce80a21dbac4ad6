import type { Examination } from "../../verify/checks/run-checks.ts";
import { isRepeatable } from "../../core/criterion.ts";
import type { LoopEvent } from "../../core/event.ts";
import { EVENT_VERSION } from "../../core/event.ts";
import { topFrame } from "../../core/loop.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { gatherProofs } from "../../verify/proofs/gather-proofs.ts";
import { storedProven } from "../../verify/proofs/stored-proven.ts";
import { keepShown, readTicket } from "../../storage/home/judging-ticket.ts";
import { checkLoop } from "../lifecycle/check-loop.ts";
import { checkSiteOf } from "../opening/checks-of-loop.ts";

/** Runs in the started process: runs the checks of a ticket and stores the results with it. */
export async function judgeForTicket(machine: Machine, locked: LockedLoop, id: string): Promise<void> {
  const whose = { home: machine.home, root: locked.live.project.root, loop: locked.id };
  const ticket = readTicket(whose, id);
  if (ticket === null) throw new UserError("No checks are pending; run them with: loop check");
  await checkLoop(machine, locked, ticket.names, {
    keep: async (examination) => {
      const events = [...examination.evidence].map(([name, evidence]): LoopEvent => ({
        type: "check.ran",
        name,
        evidence,
        atStart: false,
      }));
      const proven = await provenOf(machine, locked, examination);
      keepShown(whose, ticket, { shown: events.map(stored), proven });
    },
  });
}

/** If all checks pass, gathers what the claim needs beyond them, so the agent doesn't wait twice. */
async function provenOf(machine: Machine, locked: LockedLoop, examination: Examination): Promise<unknown> {
  const { loop } = locked.live;
  const repeatable = topFrame(loop).criteria.filter(isRepeatable);
  const isShown = repeatable.every(({ name }) => examination.evidence.get(name)?.passed === true);
  if (!isShown || loop.proof === "off") return null;
  const { proven } = await gatherProofs(machine, locked, checkSiteOf(machine, locked), examination);
  return storedProven(proven);
}

function stored(event: LoopEvent): unknown {
  return { ...event, v: EVENT_VERSION[event.type] };
}
