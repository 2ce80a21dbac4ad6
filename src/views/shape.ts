import type { Check } from "../core/loop/criterion.ts";
import type { Frame, Loop, Shape } from "../core/loop/loop.ts";
import type { IntentSummary, WorkShape } from "../core/stages/stages.ts";

/** All that `SHAPE.md` shows. Reading a spec takes long, so the file is written again only when one of these changed. */
export interface Agreed extends Pick<Loop, "shape" | "folder" | "mustNots" | "protects"> {
  readonly spec: string;
  readonly exitRule: Frame["exitRule"];
  /** The score of the spec. */
  readonly total: number;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly work: WorkShape | null;
  readonly summary: IntentSummary | null;
}

export function agreedIn(loop: Loop): Agreed {
  const [{ spec, exitRule, criteria }] = loop.frames;
  const { shape, folder, mustNots, protects, score, stages } = loop;
  return {
    shape,
    folder,
    mustNots,
    protects,
    spec,
    exitRule,
    total: score.total,
    criteria: criteria.map(({ name, check }) => ({ name, check })),
    work: stages?.shape ?? null,
    summary: stages?.intent?.echo ?? null,
  };
}

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
