import type { Criterion } from "../../core/criterion.ts";
import { isMet, isVoid, standardOf } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import { topFrame } from "../../core/loop.ts";
import { durationText } from "../../views/duration.ts";
import { completeText, oneLine, pausedText, stepDoneLine } from "../../views/loop-lines.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd } from "../terminal.ts";

const LONGEST_NAME = 48;

export function unmetNames(loop: Loop): readonly string[] {
  const standard = standardOf(loop);
  return topFrame(loop)
    .criteria.filter((each) => !isMet(each, standard))
    .map((each) => each.name);
}

/** What the iteration changed: finished steps, and criteria with what their checks showed. */
export function judgedLines(terminal: Terminal, before: Loop | null, loop: Loop): readonly string[] {
  const done = new Set(
    before === null
      ? []
      : topFrame(before)
          .steps.filter((step) => step.done)
          .map((step) => step.name),
  );
  const steps = topFrame(loop).steps.filter((step) => step.done && !done.has(step.name));
  const unmet = new Set(unmetNames(loop));
  const { criteria } = topFrame(loop);
  const width = Math.max(0, ...criteria.map(({ name }) => oneLine(name, LONGEST_NAME).length));
  const shown = criteria.map((each) => {
    const mark = unmet.has(each.name)
      ? terminal.paint(each.check === null ? "yellow" : "red", each.check === null ? "○" : "✗")
      : terminal.paint("green", "✓");
    return `  ${mark} ${padEnd(oneLine(each.name, LONGEST_NAME), width)}  ${terminal.paint("dim", howShown(loop, each))}`;
  });
  return [...steps.map((step) => stepDoneLine(loop, step.name)), ...shown];
}

function howShown(loop: Loop, { check, evidence, attestation }: Criterion): string {
  if (check === null)
    return attestation === null ? "needs somebody's word: loop criteria met" : attestation.by;
  if (evidence === null) return "not run yet";
  return isVoid(evidence, standardOf(loop))
    ? "void: protected files changed; put them back, or accept them with loop approve"
    : oneLine(evidence.ending, 80);
}

export function waitLine(until: number, now: number, detail: string): string {
  const time = new Date(until).toLocaleTimeString("en-GB");
  return `[LOOP] Waiting until ${time} (${durationText(until - now)}) | ${oneLine(detail, 120)}`;
}

/** `isNamed`: other loops are open too, so a command has to name this one. */
export function endLines(loop: Loop, isNamed: boolean): readonly string[] {
  switch (loop.phase) {
    case "completed":
      return [completeText(loop)];
    case "paused":
      return [pausedText(loop, isNamed)];
    case "cancelled":
      return [`[LOOP] Cancelled: ${loop.id}`];
    case "active":
      return [`[LOOP] Another session goes on with ${loop.id}.`];
  }
}
