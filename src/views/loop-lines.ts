import { oneLine } from "../text/plain-text.ts";
import type { Criterion } from "../core/criterion.ts";
import { strengthOf } from "../core/criterion.ts";
import type { Loop, Shape, UsedUp } from "../core/loop.ts";
import { costMark, topFrame, usedUp } from "../core/loop.ts";

export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
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

export function costText(loop: Loop): string {
  const budget = loop.limits.budgetUsd === null ? "" : `/${dollars(loop.limits.budgetUsd)}`;
  const { priced, usd } = loop.spend;
  // Nothing to go by at all is not nothing spent.
  if (!priced && usd === 0) return `unknown${budget}`;
  return `${costMark(loop.spend)}${dollars(usd)}${budget}`;
}

export function startingLine(loop: Loop): string {
  const budget = loop.limits.budgetUsd === null ? "none" : dollars(loop.limits.budgetUsd);
  return `[LOOP] Starting | Shape: ${shapeName(loop.shape)} (${loop.score.total}/10) | Steps: ${topFrame(loop).steps.length} | Budget: ${budget}`;
}

export function iterationLine(loop: Loop): string {
  const frame = topFrame(loop);
  const step = frame.steps.find((each) => !each.done)?.name ?? frame.spec;
  return `[LOOP] Iteration ${frame.iteration}/${frame.iterationLimit ?? "∞"} | Cost: ${costText(loop)} | Step: ${oneLine(step, 80)}`;
}

export function stepDoneLine(loop: Loop, name: string): string {
  const { steps } = topFrame(loop);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done)?.name;
  return `[LOOP] ✓ ${oneLine(name, 80)} complete | Progress: ${done}/${steps.length} | Next: ${next === undefined ? "none" : oneLine(next, 80)}`;
}

/** `isNamed`: several loops are open, so a command has to name this one. */
export function pausedText(loop: Loop & { readonly phase: "paused" }, isNamed = false): string {
  const { steps } = topFrame(loop);
  const done = steps.filter((step) => step.done).length;
  return [
    `[LOOP] ⏸ Paused: ${loop.reason}${loop.detail === null ? "" : ` (${oneLine(loop.detail, 300)})`}`,
    `Progress: ${done} steps complete, ${steps.length - done} remaining`,
    `Resume: ${resumeCommand(loop)}${isNamed ? ` --loop ${loop.id}` : ""}`,
  ].join("\n");
}

/** What resumes a paused loop: with as much again of what it has used up. */
export function resumeCommand(loop: Loop & { readonly phase: "paused" }): string {
  const needed = loop.reason === "budget" || loop.reason === "iterations" ? usedUp(loop, loop.updatedAt) : [];
  return ["loop continue", ...needed.map((limit) => `--${limit}=${givenOf(loop, limit)}`)].join(" ");
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

/** Whether the loop is finished, in words that agents and people know. */
export function completeText(loop: Loop & { readonly phase: "completed" }): string {
  const { criteria } = topFrame(loop);
  const head = {
    verified: "All success criteria satisfied:",
    weak: "All success criteria satisfied, some on weak evidence:",
    unverified: "Finished, unverified: no criterion was there to show it.",
  }[loop.confidence];
  const lines = criteria.map((criterion) => `- ${oneLine(criterion.name, 200)}: ✓${whyWeak(criterion)}`);
  return ["<loop-complete>", head, ...lines, "</loop-complete>"].join("\n");
}

function whyWeak({ check, evidence, attestation }: Criterion): string {
  if (check !== null) return evidence?.alteredTree === true ? " (weak: the check changes the files)" : "";
  return attestation !== null && strengthOf(attestation.by) === "weak" ? ` (weak: ${attestation.by})` : "";
}

/** Reminds an agent, and says to a user, that a loop is at work in this conversation. */
export function resumeAnnouncement(loop: Loop, unmet: readonly string[]): string {
  const frame = topFrame(loop);
  const done = frame.steps.filter((step) => step.done).length;
  return [
    "[LOOP RESUME] Active loop detected",
    `Spec: ${oneLine(frame.spec, 300)}`,
    `Progress: ${done}/${frame.steps.length} steps | Iteration: ${frame.iteration}`,
    `Unmet criteria: ${unmet.length === 0 ? "none" : unmet.map((name) => oneLine(name, 120)).join(", ")}`,
    `Next: ${nextAction(loop, unmet)}`,
  ].join("\n");
}

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
