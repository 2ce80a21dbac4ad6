/** Below the ports that systems hand out by themselves. */
const FIRST_PORT = 20_000;
const PORTS_PER_SLOT = 20;
const MOST_SLOTS = 600;

/** What tells attempts that run at once apart, so that servers and databases of theirs don't meet. Slots count from 0. */
export function slotEnvironment(slot: number): {
  readonly LOOP_SLOT: string;
  readonly LOOP_PORT_BASE: string;
} {
  if (!Number.isInteger(slot) || slot < 0 || slot >= MOST_SLOTS) throw new Error(`${slot} is no slot`);
  return { LOOP_SLOT: String(slot), LOOP_PORT_BASE: String(FIRST_PORT + slot * PORTS_PER_SLOT) };
}
