import type { Frame, Loop, Tried } from "../core/loop/loop.ts";
import { describeMustNot, topFrame } from "../core/loop/loop.ts";
import { describeCheck } from "../core/loop/criterion.ts";
import type { HoldReason } from "../core/stop/verdict.ts";
import { experiencePart } from "./experience.ts";
import { renderContradiction } from "./contradiction-text.ts";
import { holdHead, iterationMark, renderFailing, unmetLine } from "./hold-text.ts";
import { howToGoOn, howToWork } from "./how-to-work.ts";
import { oneLine, printable } from "../system/text/plain-text.ts";

export interface Brief {
  readonly loop: Loop;
  readonly reason: HoldReason;
  /** The conversation already knows the task. */
  readonly continued: boolean;
  /** The turn before this one was cut off. */
  readonly interrupted: boolean;
  /** A person restored the files from before this iteration; null: nobody did. */
  readonly undone: number | null;
}

/** The prompt of a driven agent for one turn: all it needs, and nothing twice. */
export function turnPrompt(brief: Brief): string {
  const { loop, reason } = brief;
  const frame = topFrame(loop);
  const parts = brief.continued
    ? [holdHead(reason)]
    : [
        `${iterationMark(reason)} ${opening(frame)}`,
        criteriaPart(frame),
        mustNotPart(loop),
        experiencePart(loop),
        stepsPart(frame),
        tasksPart(frame),
        triedPart(frame.tried),
      ];
  if (brief.interrupted) {
    parts.push(
      "You were cut off in the middle of this iteration. See what is already there (git status) before you continue.",
    );
  }
  if (brief.undone !== null) {
    parts.push(
      `A person restored the files from before iteration ${brief.undone}: later work is gone on purpose.`,
    );
  }
  const hasCheck = frame.criteria.some(({ check }) => check !== null);
  parts.push(
    standPart(reason, frame.criteria.length > 0),
    brief.continued ? howToGoOn(reason, hasCheck) : howToWork(reason, hasCheck),
  );
  return parts.filter((part) => part !== "").join("\n\n");
}

function opening({ spec, criteria }: Frame): string {
  const decides = criteria.some(({ check }) => check !== null)
    ? "After each turn, loop itself runs the checks below on the current files and tells you the results. The task is done when you say so and the checks pass: neither your word alone nor your own run of them decides."
    : "This task has no check; say that it is done only once you have seen for yourself that it is.";
  return `You work on a task in this folder, in iterations. Nobody answers questions during a turn: decide yourself, and say what you decided. ${decides}\n\n# Task\n\n${spec}`;
}

function criteriaPart({ criteria }: Frame): string {
  if (criteria.length === 0) return "";
  const lines = criteria.map(({ name, check }) => {
    const how =
      check === null ? "no check; you have to verify it yourself" : `checked by \`${describeCheck(check)}\``;
    return `- ${oneLine(name, 200)}: ${how}`;
  });
  return `# Done when\n\n${lines.join("\n")}`;
}

function mustNotPart({ mustNots, protects, folder }: Loop): string {
  const lines = [
    ...mustNots.map(describeMustNot),
    ...protects.map((glob) => `protected:${glob} (a change voids the evidence)`),
  ];
  return lines.length === 0
    ? ""
    : `# Must not\n\n${lines.map((line) => `- ${oneLine(line, 300)}`).join("\n")}\n\n\`path:\` must stay unchanged, \`run:\` must keep passing.${whoseGlobs(folder)}`;
}

function whoseGlobs(folder: string): string {
  return folder === "" ? "" : ` Globs begin at the project's root; you work in ${oneLine(folder, 300)}.`;
}

function stepsPart({ steps }: Frame): string {
  if (steps.length === 0) return "";
  return `# Steps\n\n${steps.map((step) => `- [${step.done ? "x" : " "}] ${oneLine(step.name, 200)}`).join("\n")}`;
}

function tasksPart({ tasks }: Frame): string {
  if (tasks.length === 0) return "";
  const lines = tasks.map(({ subject, status }) => {
    const working = status === "in_progress" ? " (in progress)" : "";
    return `- [${status === "completed" ? "x" : " "}] ${oneLine(subject, 200)}${working}`;
  });
  return `# Tasks\n\n${lines.join("\n")}`;
}

/** For an agent with a clean context: what was tried before, and how it went. */
function triedPart(tried: readonly Tried[]): string {
  if (tried.length === 0) return "";
  const lines = tried.map(({ iteration, said, failure }) => {
    const words = said === null ? "(no words)" : `"${oneLine(said, 300)}"`;
    return `- Iteration ${iteration}: ${words}${failure === null ? "" : ` Afterwards failed: ${oneLine(failure, 300)}`}`;
  });
  const advice = tried.some(({ failure }) => failure !== null)
    ? "\n\nDo not repeat what failed; try something else."
    : "";
  return `# Tried before\n\n${lines.join("\n")}${advice}`;
}

/** Before any work, passing checks are no hint that it is finished. */
const GREEN_FROM_THE_START = "No check fails yet, so passing checks do not show that the task is done.";
const ONLY_WORD_IS_MISSING =
  "Every check passes. If the task is finished, say so as described below; otherwise continue.";

function standPart(reason: HoldReason, hasCriteria: boolean): string {
  const lines = [
    ...(reason.unmet.length === 0 ? [] : [unmetLine(reason)]),
    ...reason.failing.map(renderFailing),
    ...reason.contradictions.map(renderContradiction),
    ...(reason.voided.length === 0
      ? []
      : [
          `Evidence is void for ${reason.voided.map((name) => oneLine(name, 200)).join(", ")}: protected files changed. Restore them.`,
        ]),
    ...(reason.lacksSignal && reason.rule === "criteria" && hasCriteria
      ? [reason.iteration === 1 ? GREEN_FROM_THE_START : ONLY_WORD_IS_MISSING]
      : []),
    ...(reason.nextStep === null ? [] : [`Next step: ${oneLine(reason.nextStep, 200)}`]),
  ];
  return lines.length === 0 ? "" : `# Where it stands\n\n${printable(lines.join("\n"))}`;
}
