import { setTimeout as sleep } from "node:timers/promises";
import type { FleetEngine } from "./fleet-engine.ts";
import type { Signer } from "./keys.ts";
import { NOTHING_WANTED } from "./messages.ts";

const LOOK_MS = 200;

interface EndedPlan {
  readonly engine: FleetEngine;
  readonly signer: Pick<Signer, "sign">;
  readonly workflow: string;
  /** How long workers have to hear of it. One that doesn't loses its lease. */
  readonly patienceMs: number;
}

/**
 * Ends what workers do for a plan that is over and that nobody drives: what waits is taken back, what runs is aborted. Then its rows
 * go, so that workers remove what they kept for it.
 */
export async function endJobs({ engine, signer, workflow, patienceMs }: EndedPlan): Promise<void> {
  const executions = await engine.executions(workflow);
  const inState = async (type: string): Promise<readonly (typeof executions)[number][]> => {
    const seen = await engine.look(executions.map(({ id, queue }) => ({ id, queue, from: 0 })));
    return executions.filter(({ id }) => seen.find((each) => each.id === id)?.state.type === type);
  };
  await engine.withdraw(await inState("waiting"));
  for (const { id } of await inState("running"))
    await engine.setControl(id, signer.sign({ purpose: "control", job: id, ...NOTHING_WANTED, abort: true }));
  const until = performance.now() + patienceMs;
  while (performance.now() < until && (await inState("running")).length > 0) await sleep(LOOK_MS);
  await engine.forget(workflow);
}
