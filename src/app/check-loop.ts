import type { Examination } from "../checks/run-checks.ts";
import { runChecks } from "../checks/run-checks.ts";
import type { LoopEvent } from "../core/event.ts";
import type { Loop } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { transact } from "../store/loop-store.ts";
import { criterionName } from "./amend.ts";
import { benchOf } from "./bench-of.ts";
import type { ChosenLoop } from "./find-loop.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

export interface Checked {
  readonly loop: Loop;
  readonly examination: Examination;
}

/** Runs the checks now, whatever is known already, and records what they showed. */
export async function checkLoop(
  machine: Machine,
  chosen: ChosenLoop,
  names: readonly string[],
): Promise<Checked> {
  const { loop, project } = chosen.standing;
  expectOpen(loop);
  const wanted = new Set(names.map((name) => criterionName(loop, name)));
  const checks = topFrame(loop).criteria.flatMap(({ name, check }) =>
    check !== null && (wanted.size === 0 || wanted.has(name)) ? [{ name, check }] : [],
  );
  if (checks.length === 0) {
    throw new UserError(
      "There is no check to run; give a criterion one with: loop criteria add 'tests pass' --check 'npm test'",
    );
  }
  const examination = await runChecks(benchOf(machine, project, loop), checks);
  const { standing } = await transact(chosen.standing, machine.now, (current) => {
    const known = new Set(topFrame(current).criteria.map((each) => each.name));
    const events = [...examination.evidence].flatMap(([name, evidence]): readonly LoopEvent[] =>
      known.has(name) ? [{ type: "check.ran", name, evidence, atStart: false }] : [],
    );
    return { events, result: undefined };
  });
  return { loop: standing.loop, examination };
}
