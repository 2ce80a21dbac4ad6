import { setFlagsFromString } from "node:v8";

/** Later ones count calls, and wait for many more of them. */
const LAST_IMPATIENT_V8 = 11;

/**
 * For a program that mostly waits for others: the V8 of Node 20 optimizes whatever ran a few hundred times, on threads beside ours, and a
 * plan of some tasks is over before that pays. What runs eight times as much is still optimized.
 */
export function optimizeLater(): void {
  const version = Number(process.versions.v8.split(".", 1)[0]);
  if (version <= LAST_IMPATIENT_V8) setFlagsFromString("--interrupt-budget=1000000");
}
