import type { LoopEvent } from "../../../core/event.ts";
import type { Loop } from "../../../core/loop.ts";
import { evolveAll } from "../../../core/evolve.ts";
import { recordOurs } from "../../run/take-loop.ts";
import type { StageContext } from "./stage-context.ts";

/** Shapes whose loops ask a person about each major step. */
const ASKING = new Set(["tool-review", "colleague"]);

interface Agreed {
  /** What should be different; null: nothing. */
  readonly change: string | null;
  /** Whether somebody has seen it. */
  readonly isShown: boolean;
}

/**
 * Shows what is about to be recorded to the person at the terminal, if the loop's shape asks for that. null: not like this, and
 * the loop is paused, or about to be.
 */
export async function agreedTo(
  context: StageContext,
  what: "shape" | "plan",
  events: readonly LoopEvent[],
): Promise<Agreed | null> {
  const { live, machine, person, interrupts } = context;
  if (person === null || !ASKING.has(live.loop.shape)) return { change: null, isShown: false };
  const after: Loop = evolveAll(live.loop, events, machine.now());
  const said = await person.agrees(what, after);
  if (interrupts.asked()) return null;
  if (said.type === "yes") return { change: null, isShown: true };
  if (said.type === "change") return { change: said.text, isShown: true };
  const detail = `the ${what} isn't agreed`;
  await recordOurs(context, [{ type: "loop.paused", reason: "user", detail, by: "person" }]);
  return null;
}
