import { callerOf } from "../hosts/caller.ts";
import { transact } from "../store/loop-store.ts";
import type { ChosenLoop } from "./find-loop.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

/**
 * What loosens a loop is a person's to do. Called from an agent's session it is refused, and the journal
 * keeps that it was tried. A guard rail, not a sandbox.
 */
export async function expectPerson(machine: Machine, what: string, chosen: ChosenLoop | null): Promise<void> {
  const caller = callerOf(machine.env);
  if (caller.kind === "person") return;
  if (chosen !== null) {
    await transact(chosen.standing, machine.now, () => ({
      events: [{ type: "loosening.refused", what }],
      result: undefined,
    }));
  }
  throw new UserError(
    `\`${what}\` is the user's to run, from a terminal of their own; if you need a person, say so with: loop blocked REASON`,
  );
}
