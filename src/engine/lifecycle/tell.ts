import type { Workflow } from "../../core/plan/workflow.ts";
import { isDone, isSettled } from "../../core/plan/workflow.ts";
import { UserError } from "../../core/user-error.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { expectPerson } from "./expect-person.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Told } from "./pass-on-words.ts";
import { passOn, wordsTold } from "./pass-on-words.ts";

/** A person's words for the agent of a loop, or for those of a plan, told in their next turns. */
export async function tellLoop(
  machine: Machine,
  chosen: KnownLoop,
  task: string | null,
  text: string,
): Promise<Told> {
  await expectPerson(machine, "tell", chosen);
  const loop = await chosen.live.record((now) => {
    expectOpen(now);
    if (now.workflow !== null) expectListener(now.workflow, task);
    return [wordsTold(now, task, text)];
  });
  return passOn(machine, chosen, loop, task, text);
}

function expectListener(workflow: Workflow, task: string | null): void {
  const { tasks } = workflow.plan;
  if (task === null) {
    if (tasks.some(({ id }) => !isSettled(workflow, id))) return;
    throw new UserError("Every task is done, so nobody would hear it; start another loop for what is left.");
  }
  if (!tasks.some(({ id }) => id === task))
    throw new UserError(`The plan has no task "${oneLine(task, 40)}"; see them with: loop task`);
  if (isDone(workflow, task))
    throw new UserError(`${task} is done, so nobody would hear it; start another loop for what is left.`);
}
