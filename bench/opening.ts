import { DEFAULT_LIMITS } from "../src/core/loop/limits.ts";
import type { EventOf } from "../src/core/events/event.ts";
import { parseLoopId } from "../src/core/loop/id.ts";
import { scoreSpec } from "../src/core/spec/score.ts";

export function openingOf(id: string): EventOf<"loop.opened"> {
  const loopId = parseLoopId(id);
  if (loopId === null) throw new Error(`not a loop id: ${id}`);
  return {
    type: "loop.opened",
    id: loopId,
    by: "person",
    origin: "native",
    folder: "",
    goal: {
      spec: "Fix it",
      exitRule: "criteria",
      mode: "loop",
      iterationLimit: null,
      criteria: [{ name: "ok", check: null }],
      steps: [],
    },
    score: scoreSpec("Fix it"),
    shape: "tool",
    limits: DEFAULT_LIMITS,
    mustNots: [],
    protects: [],
    protectedDigest: null,
    redFirst: false,
    proof: "standard",
    proofBudgetMs: null,
    mayChange: [],
    start: { tree: null, head: null },
    binding: null,
    attemptOf: null,
  };
}
