import type { LoopId } from "../../../core/loop/id.ts";
import { endJobs } from "../../../engine/fleet/end-jobs.ts";
import { signerOf } from "../../../engine/fleet/keys.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { openEngine } from "./open-engine.ts";

const PATIENCE_MS = 10_000;

/** Ends what workers do for a plan that was cancelled while nobody drove it. */
export async function stopJobs(
  { machine, cli }: { readonly machine: Machine; readonly cli: string },
  url: string,
  workflow: LoopId,
): Promise<void> {
  const engine = await openEngine(cli, url);
  try {
    const signer = signerOf(machine.home, "driver");
    await endJobs({ engine, signer, workflow, patienceMs: PATIENCE_MS });
  } finally {
    await engine.close();
  }
}
