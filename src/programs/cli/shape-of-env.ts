import type { Shape } from "../../core/loop/loop.ts";
import { UserError } from "../../core/user-error.ts";

const SHAPES_OF_ENV = ["auto", "tool", "tool-review", "colleague"] as const;

/** `LOOP_SHAPE`; null: it leaves the shape to config and score. */
export function shapeOfEnv(env: NodeJS.ProcessEnv): Shape | null {
  const text = env["LOOP_SHAPE"];
  if (text === undefined || text === "") return null;
  const shape = SHAPES_OF_ENV.find((each) => each === text);
  if (shape === undefined)
    throw new UserError(
      `LOOP_SHAPE is "${text.slice(0, 40)}"; set it to ${SHAPES_OF_ENV.join(", ")}, or unset it.`,
    );
  return shape === "auto" ? null : shape;
}
