import type { Examination } from "../../verify/checks/run-checks.ts";
import { strengthOf, type Attestation, type Criterion } from "../../core/loop/criterion.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { redactor } from "../../system/secrets/redact.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { expectPerson } from "./expect-person.ts";
import { keepLaterBaseline, recordApproved } from "../opening/checks-of-loop.ts";
import { expectOpen } from "./lifecycle.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";

/** A criterion that joins an open loop, and how to look at its check just before. */
interface LaterCriterion extends Pick<Criterion, "name" | "check"> {
  readonly look: () => Promise<Examination | undefined>;
}

/** Adding a criterion makes a loop stricter, so an agent may do it too. */
export async function addCriterion(
  machine: Machine,
  chosen: KnownLoop,
  { name, check, look }: LaterCriterion,
): Promise<Loop> {
  if (name.trim() === "")
    throw new UserError(
      "A criterion needs a name, for example: loop criteria add 'tests pass' --check 'npm test'",
    );
  const expectNew = (loop: Loop): void => {
    if (!topFrame(loop).criteria.some((each) => each.name === name)) return;
    throw new UserError(
      `There is already a criterion "${oneLine(name, 80)}"; change its check with: loop criteria check`,
    );
  };
  expectOpen(chosen.live.loop);
  expectNew(chosen.live.loop);
  const looked = await look();
  await keepLaterBaseline(machine, chosen, [{ name, check }], { isFrame: false, looked });
  return amendPlan(machine, chosen, (loop) => {
    expectNew(loop);
    return [{ type: "criterion.added", name, check, by: callerNow(machine).kind }, ...shownBy(looked, name)];
  });
}

function shownBy(looked: Examination | undefined, name: string): readonly LoopEvent[] {
  const evidence = looked?.evidence.get(name);
  return evidence === undefined ? [] : [{ type: "check.ran", name, evidence, atStart: true }];
}

export async function amendCriterion(
  machine: Machine,
  chosen: KnownLoop,
  { name, check, look }: LaterCriterion,
): Promise<Loop> {
  await expectPerson(machine, "criteria check", chosen);
  const known = criterionName(chosen.live.loop, name);
  const looked = await look();
  await keepLaterBaseline(machine, chosen, [{ name: known, check }], { isFrame: false, looked });
  return amendPlan(machine, chosen, (loop) => [
    { type: "criterion.amended", name: criterionName(loop, known), check, by: "person" },
    ...shownBy(looked, known),
  ]);
}

export async function removeCriterion(machine: Machine, chosen: KnownLoop, name: string): Promise<Loop> {
  await expectPerson(machine, "criteria remove", chosen);
  return amendPlan(machine, chosen, (loop) => [
    { type: "criterion.removed", name: criterionName(loop, name), by: "person" },
  ]);
}

export async function attest(
  machine: Machine,
  chosen: KnownLoop,
  name: string,
  { by, note }: Pick<Attestation, "by" | "note">,
): Promise<Criterion> {
  const actor = callerNow(machine).kind;
  const after = await chosen.live.record((loop) => {
    const { attestation } = criterionOf(loop, name);
    // An agent that attests the same doesn't weaken a person's attestation.
    if (actor === "agent" && attestation !== null && strengthOf(attestation) === "enough") return [];
    return [{ type: "criterion.attested", name, by, actor, note, source: "command" }];
  });
  return criterionOf(after, name);
}

export async function disclaim(chosen: KnownLoop, name: string): Promise<Loop> {
  return chosen.live.record((loop) => [
    { type: "criterion.disclaimed", name: criterionName(loop, name), source: "command" },
  ]);
}

export type StepChange = "add" | "done" | "reopen" | "remove";

export async function changeStep(
  machine: Pick<Machine, "env">,
  chosen: KnownLoop,
  change: StepChange,
  asked: string,
): Promise<Loop> {
  const name = redactor(machine.env)(asked);
  if (name.trim() === "")
    throw new UserError("A step needs a name, for example: loop step add 'write the tests'");
  return chosen.live.record((loop) => {
    expectOpen(loop);
    const known = topFrame(loop).steps.find((step) => step.name === name);
    if (change === "add") {
      if (known !== undefined) throw new UserError(`There is already a step "${oneLine(name, 80)}".`);
      return [{ type: "step.added", name }];
    }
    if (known === undefined)
      throw new UserError(`No step is called "${oneLine(name, 80)}"; list them with: loop step`);
    switch (change) {
      case "done":
        return known.done ? [] : [{ type: "step.finished", name, source: "command" }];
      case "reopen":
        return known.done ? [{ type: "step.reopened", name }] : [];
      case "remove":
        return [{ type: "step.removed", name }];
    }
  });
}

async function amendPlan(
  machine: Machine,
  chosen: KnownLoop,
  decide: (loop: Loop) => readonly LoopEvent[],
): Promise<Loop> {
  return recordApproved(machine, chosen, (loop) => {
    expectOpen(loop);
    return decide(loop);
  });
}

export function criterionName(loop: Loop, name: string): string {
  return criterionOf(loop, name).name;
}

function criterionOf(loop: Loop, name: string): Criterion {
  expectOpen(loop);
  const found = topFrame(loop).criteria.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = topFrame(loop).criteria.map((each) => `"${oneLine(each.name, 60)}"`);
  throw new UserError(
    `No criterion is called "${oneLine(name, 80)}"; there ${names.length === 0 ? "are none" : `is ${names.join(", ")}`}.`,
  );
}
