import type { LoopEvent } from "../../core/event.ts";
import type { Loop } from "../../core/loop.ts";
import { evolveAll } from "../../core/evolve.ts";
import { recordOurs } from "../take-workflow.ts";
import type { StageContext } from "./stage-context.ts";

/** Shapes whose loops ask a person about each major step. */
const ASKING = new Set(["tool-review", "colleague"]);

/**
 * Shows what is about to be recorded to the person at the terminal, if the loop's shape asks for that. A text is what should
 * be different; null: not like this, and the loop is paused, or about to be.
 */
export async function agreedTo(
  context: StageContext,
  what: "shape" | "plan",
  events: readonly LoopEvent[],
): Promise<{ readonly change: string | null } | null> {
  const { live, machine, person, interrupts } = context;
  if (person === null || !ASKING.has(live.loop.shape)) return { change: null };
  const after: Loop = evolveAll(live.loop, events, machine.now());
  const said = await person.agrees(what, after);
  if (interrupts.asked()) return null;
  if (said.type === "yes") return { change: null };
  if (said.type === "change") return { change: said.text };
  const detail = `the ${what} isn't agreed`;
  await recordOurs(context, [{ type: "loop.paused", reason: "user", detail, by: "person" }]);
  return null;
}
