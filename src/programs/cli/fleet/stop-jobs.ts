import type { LoopId } from "../../../core/loop/id.ts";
import { signerOf } from "../../../engine/fleet/keys.ts";
import { NOTHING_WANTED } from "../../../engine/fleet/messages.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { openEngine } from "./open-engine.ts";

/** Ends what workers do for a plan that nobody drives: what waits is taken back, what runs is aborted. */
export async function stopJobs(
  { machine, cli }: { readonly machine: Machine; readonly cli: string },
  url: string,
  workflow: LoopId,
): Promise<void> {
  const engine = await openEngine(cli, url);
  try {
    const executions = await engine.executions(workflow);
    const seen = await engine.look(executions.map(({ id, queue }) => ({ id, queue, from: 0 })));
    const inState = (type: string): readonly (typeof executions)[number][] =>
      executions.filter(({ id }) => seen.find((each) => each.id === id)?.state.type === type);
    await engine.withdraw(inState("waiting"));
    const signer = signerOf(machine.home, "driver");
    for (const { id } of inState("running"))
      await engine.setControl(
        id,
        signer.sign({ purpose: "control", job: id, ...NOTHING_WANTED, abort: true }),
      );
  } finally {
    await engine.close();
  }
}
