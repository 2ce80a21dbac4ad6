import type { Shape } from "../core/loop.ts";

export function shapeName(shape: Shape): string {
  return {
    intent: "Intent",
    blocked: "Blocked",
    colleague: "Colleague",
    "tool-review": "Tool-review",
    tool: "Tool",
  }[shape];
}
