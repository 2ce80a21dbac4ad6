import type { Shape } from "../core/loop/loop.ts";

export function shapeName(shape: Shape): string {
  return {
    intent: "Intent",
    blocked: "Blocked",
    colleague: "Colleague",
    "tool-review": "Tool-review",
    tool: "Tool",
  }[shape];
}

/** What a loop of this shape does while it runs, for people who don't know the terms. */
export function shapeMeaning(shape: Shape): string {
  return {
    intent: "asks what you mean first",
    blocked: "asks what you mean first",
    colleague: "asks you after each iteration",
    "tool-review": "runs by itself and asks you at major steps",
    tool: "runs by itself and reports at the end",
  }[shape];
}
