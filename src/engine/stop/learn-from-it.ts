import type { LiveLoop } from "../../storage/loops/live-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** Keeps what a loop taught that has just completed or paused. Loaded only then: few stops are an ending. */
export async function learnFromIt(machine: Machine, live: LiveLoop): Promise<void> {
  const { learnFrom } = await import("../learnings/learn-from-loop.ts");
  await learnFrom(machine, live);
}
