import { statfsSync } from "node:fs";
import type { Machine } from "../../storage/loops/machine.ts";
import type { AttemptOutcome } from "../plan/executor.ts";

/** With less than that nobody begins anything: its first files would be its last. */
const LEAST_BYTES = 64 * 1024 * 1024;

/** How many bytes are free where a worker keeps its attempts, if those are too few to begin one; null: there is room. */
export function fullAt({ home }: Pick<Machine, "home">): number | null {
  try {
    const { bavail, bsize } = statfsSync(home);
    const free = bavail * bsize;
    return free < LEAST_BYTES ? free : null;
  } catch {
    // Whoever begins something there will say why it can't be done.
    return null;
  }
}

/** What was paused because this machine's disk is full needs no person: another machine can do it. */
export function elsewhereIfFull(
  outcome: AttemptOutcome,
  { machine, name }: { readonly machine: Machine; readonly name: string },
): AttemptOutcome {
  if (outcome.type !== "paused" || outcome.reason === "rate-limit" || fullAt(machine) === null)
    return outcome;
  const detail = `The disk of its worker ${name} is full (${outcome.detail}).`;
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}
