import { keepLaterOpening } from "../../app/keep-opening.ts";
import { guardMustNots, recordLocked } from "../../app/record-locked.ts";
import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { isActiveFor, topFrame } from "../../core/loop.ts";
import type { DrawnShape, NamedCriterion } from "../../judgement/shape/draw-shape.ts";
import { drawShape, withApproved, withModel } from "../../judgement/shape/draw-shape.ts";
import { shapeAnswer, shapeText } from "../../judgement/shape/shape-question.ts";
import { agreedTo } from "./agree.ts";
import { proposeTests } from "./propose-tests.ts";
import type { StageContext } from "./stage-context.ts";
import { askModel, stagesOf } from "./stage-context.ts";

const MOST_ROUNDS = 5;

/** Draws the shape of the work, has it agreed, and locks it before any work begins. */
export async function drawWorkShape(context: StageContext): Promise<void> {
  const { live, machine, chosen, run, tell } = context;
  let drawn = await proposeTests(context, await draw(context));
  // What was cut off is asked again.
  if (context.interrupts.now.aborted) return;
  for (let round = 1; ; round += 1) {
    const agreed = await agreedTo(context, "shape", eventsOf(live.loop, drawn));
    if (agreed === null) return;
    if (agreed.change === null || round === MOST_ROUNDS) break;
    const { shape } = drawn;
    drawn = { ...drawn, shape: { ...shape, decisions: [...shape.decisions, agreed.change] } };
  }
  await guardMustNots(machine, chosen, drawn.mustNots);
  await keepLaterOpening(machine, chosen, drawn.added, { isFrame: false });
  const loop = await recordLocked(machine, chosen, (now) =>
    isActiveFor(now, run) && now.stages?.shape === null ? eventsOf(now, drawn) : [],
  );
  if (loop.stages?.shape != null) tell({ type: "shape-drawn", loop });
}

function eventsOf(loop: Loop, { shape, mustNots, added }: DrawnShape): readonly LoopEvent[] {
  return [{ type: "shape.drawn", shape, mustNots }, ...added.flatMap((each) => criterionEvent(loop, each))];
}

/** A criterion that the loop has keeps its check; one without gets it. */
function criterionEvent(loop: Loop, { name, check }: NamedCriterion): readonly LoopEvent[] {
  const known = topFrame(loop).criteria.find((each) => each.name === name);
  if (known === undefined) return [{ type: "criterion.added", name, check, by: "machine" }];
  return known.check === null && check !== null
    ? [{ type: "criterion.amended", name, check, by: "person" }]
    : [];
}

async function draw(context: StageContext): Promise<DrawnShape> {
  const { live, facts, person } = context;
  const { folder, mustNots } = live.loop;
  const { spec, criteria } = topFrame(live.loop);
  const { wishes } = stagesOf(live.loop);
  const given = { spec, folder, criteria, mustNots, wishes, facts: await facts() };
  const own = drawShape(given);
  const answer = await askModel(context, {
    purpose: "shape",
    id: "shape",
    text: shapeText(spec, own.shape, given.facts),
    schema: shapeAnswer,
  });
  if (answer === null) return own;
  const drawn = withModel(given, own, answer);
  const proposed = drawn.shape.criteria.flatMap(({ name, proposed: command }) =>
    command === null ? [] : [{ name, command }],
  );
  const isApproved = person !== null && proposed.length > 0 && (await person.approves(proposed));
  return isApproved ? withApproved(given, drawn) : drawn;
}
