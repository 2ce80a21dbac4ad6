import { keepLaterBaseline, guardMustNots, recordApproved } from "../../opening/checks-of-loop.ts";
import type { LoopEvent } from "../../../core/events/event.ts";
import { isActiveFor, topFrame, type Loop } from "../../../core/loop/loop.ts";
import type { DrawnShape, NamedCriterion } from "../../../core/questions/shape/draw-shape.ts";
import { drawShape, withApproved, withModel } from "../../../core/questions/shape/draw-shape.ts";
import { shapeAnswer, shapeText } from "../../../core/questions/shape/shape-question.ts";
import { agreedTo, askModel, stagesOf, type StageContext } from "./stage-context.ts";
import { proposeTests } from "./propose-tests.ts";

const MOST_ROUNDS = 5;

/** Draws the shape of the work, has it agreed, and locks it before any work begins. */
export async function drawWorkShape(context: StageContext): Promise<void> {
  const { live, machine, chosen, run, tell } = context;
  const drawing = await beginDrawing(context);
  const first = await drawing([]);
  let drawn = await proposeTests(context, first);
  // What was cut off is asked again.
  if (context.interrupts.now.aborted) return;
  const held = drawn.shape.decisions.slice(first.shape.decisions.length);
  const changes: string[] = [];
  let isShown = false;
  for (let round = 1; ; round += 1) {
    const agreed = await agreedTo(context, "shape", eventsOf(live.loop, drawn));
    if (agreed === null) return;
    ({ isShown } = agreed);
    if (agreed.change === null || round === MOST_ROUNDS) break;
    changes.push(agreed.change);
    drawn = withDecisions(await drawing(changes), [...held, ...changes]);
  }
  await guardMustNots(machine, chosen, drawn.mustNots);
  await keepLaterBaseline(machine, chosen, drawn.added, { isFrame: false });
  const loop = await recordApproved(machine, chosen, (now) =>
    isActiveFor(now, run) && now.stages?.shape === null ? eventsOf(now, drawn) : [],
  );
  if (loop.stages?.shape != null) tell({ type: "shape-drawn", loop, isShown });
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

function withDecisions(drawn: DrawnShape, more: readonly string[]): DrawnShape {
  const { shape } = drawn;
  return { ...drawn, shape: { ...shape, decisions: [...shape.decisions, ...more] } };
}

/**
 * Asks the model once. What it returns draws the shape of the spec and of what a person wants changed, and asks only about
 * commands that are new.
 */
async function beginDrawing(
  context: StageContext,
): Promise<(changes: readonly string[]) => Promise<DrawnShape>> {
  const { live, facts, person } = context;
  const { folder, mustNots } = live.loop;
  const { spec, criteria } = topFrame(live.loop);
  const { wishes } = stagesOf(live.loop);
  const seen = new Set<string>();
  const approved = new Set<string>();
  const given = { folder, criteria, mustNots, wishes, facts: await facts(), approved };
  const ask = async ({ shape }: DrawnShape, author: "model" | "spec"): Promise<void> => {
    const proposed = shape.criteria.flatMap(({ name, proposed: command }) =>
      command === null || seen.has(command) ? [] : [{ name, command }],
    );
    for (const { command } of proposed) seen.add(command);
    if (person === null || proposed.length === 0) return;
    for (const command of await person.approves(proposed, author)) approved.add(command);
  };
  const withNamed = async (text: string): Promise<DrawnShape> => {
    await ask(drawShape({ ...given, spec: text }), "spec");
    return drawShape({ ...given, spec: text });
  };
  const first = await withNamed(spec);
  const answer = await askModel(context, {
    purpose: "shape",
    id: "shape",
    text: shapeText(spec, first.shape, given.facts),
    schema: shapeAnswer,
  });
  return async (changes) => {
    const text = [spec, ...changes].join("\n\n");
    const own = changes.length === 0 ? first : await withNamed(text);
    if (answer === null) return own;
    const drawn = withModel({ ...given, spec: text }, own, answer);
    await ask(drawn, "model");
    return withApproved(given, drawn, approved);
  };
}
