import { join } from "node:path";
import { takeUnit } from "./resource-unit.ts";

/** Below the ports that systems hand out by themselves. */
const FIRST_PORT = 20_000;
const PORTS_PER_SLOT = 20;
const MOST_SLOTS = 600;

/** What tells commands that run at once apart, so that servers and databases of theirs don't meet. Slots count from 0. */
function slotEnvironment(slot: number): { readonly LOOP_SLOT: string; readonly LOOP_PORT_BASE: string } {
  return { LOOP_SLOT: String(slot), LOOP_PORT_BASE: String(FIRST_PORT + slot * PORTS_PER_SLOT) };
}

export interface Slot {
  readonly env: ReturnType<typeof slotEnvironment>;
  /** Whoever dies releases by that. */
  readonly release: () => void;
}

/** Takes a number that nobody else on this machine has: the wanted one, if it is free. */
export function takeSlot(stateHome: string, wanted: number): Slot {
  const numbers = Array.from({ length: MOST_SLOTS }, (_, number) => number);
  for (const slot of [wanted, ...numbers]) {
    const unit = slot < MOST_SLOTS ? takeUnit(join(stateHome, "slots", String(slot))) : null;
    if (unit !== null) return { env: slotEnvironment(slot), release: () => unit.release() };
  }
  throw new Error(`all ${MOST_SLOTS} slots of this machine are in use`);
}
