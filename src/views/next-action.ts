import type { Loop, UsedUp } from "../core/loop.ts";
import { topFrame, usedUp } from "../core/loop.ts";
import { flagsIn } from "../core/missing-permission.ts";
import { oneLine } from "../text/plain-text.ts";

/** What should happen next, in a few words. */
export function nextAction(loop: Loop, unmet: readonly string[]): string {
  const frame = topFrame(loop);
  switch (loop.phase) {
    case "completed":
    case "cancelled":
      return "nothing";
    case "paused":
      return resumeCommand(loop);
    case "active": {
      const step = frame.steps.find((each) => !each.done)?.name;
      if (step !== undefined) return oneLine(step, 120);
      if (unmet[0] !== undefined) return `meet "${oneLine(unmet[0], 120)}"`;
      if (frame.exitRule !== "criteria") return "finish, then say so";
      return frame.criteria.length === 0 ? "loop criteria add NAME --check COMMAND" : "loop done";
    }
  }
}

/** The command that resumes a paused loop: it adds the same again to a used-up limit, and allows what was denied. */
export function resumeCommand(loop: Loop & { readonly phase: "paused" }): string {
  const needed = loop.reason === "budget" || loop.reason === "iterations" ? usedUp(loop, loop.updatedAt) : [];
  const allowed = loop.reason === "blocked" ? flagsIn(loop.detail) : [];
  return ["loop continue", ...needed.map((limit) => `--${limit}=${givenOf(loop, limit)}`), ...allowed].join(
    " ",
  );
}

function givenOf(loop: Loop, limit: UsedUp): number | null {
  const { budgetUsd, tokens, minutes } = loop.limits;
  return {
    budget: budgetUsd === null ? null : Math.round(budgetUsd * 100) / 100,
    "max-tokens": tokens,
    "max-minutes": minutes,
    iterations: topFrame(loop).iterationLimit,
  }[limit];
}
