import type { Frame, Loop, Tried } from "../core/loop.ts";
import { describeMustNot, topFrame } from "../core/loop.ts";
import { describeCommand } from "../core/criterion.ts";
import type { HoldReason } from "../core/stop/verdict.ts";
import { renderContradiction } from "./contradiction-text.ts";
import { ENDING_TAG, holdHead, iterationMark, renderFailing, unmetLine } from "./hold-text.ts";
import { oneLine } from "../text/plain-text.ts";

export interface Brief {
  readonly loop: Loop;
  readonly reason: HoldReason;
  /** The conversation has heard of the task before. */
  readonly continued: boolean;
  /** The turn before this one was cut off. */
  readonly interrupted: boolean;
  /** A person brought the files back to what they were before this iteration; null: nobody did. */
  readonly undone: number | null;
}

/** What an agent that is driven from outside is told for one turn: all that it needs, and nothing twice. */
export function turnPrompt(brief: Brief): string {
  const { loop, reason } = brief;
  const frame = topFrame(loop);
  const parts = brief.continued
    ? [holdHead(reason)]
    : [
        `${iterationMark(reason)} ${opening(frame)}`,
        criteriaPart(frame),
        mustNotPart(loop),
        stepsPart(frame),
        tasksPart(frame),
        triedPart(frame.tried),
      ];
  if (brief.interrupted) {
    parts.push(
      "You were cut off in the middle of this iteration. See what is there already (git status) before you go on.",
    );
  }
  if (brief.undone !== null) {
    parts.push(
      `A person has brought the files back to what they were before iteration ${brief.undone}: what was done since then is gone, on purpose.`,
    );
  }
  return [...parts, standPart(reason, frame.criteria.length > 0), endingPart(reason, brief.continued)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function opening(frame: Frame): string {
  return `You work on a task in this folder, in iterations. Nobody watches: do not ask questions, decide. After each of your turns a machine runs the checks and tells you what they showed. The task is done when you say so and they agree.\n\n# Task\n\n${frame.spec}`;
}

function criteriaPart({ criteria }: Frame): string {
  if (criteria.length === 0) return "";
  const lines = criteria.map(({ name, check }) => {
    const how =
      check === null ? "no check; you have to verify it" : `checked by \`${describeCommand(check.command)}\``;
    return `- ${oneLine(name, 200)}: ${how}`;
  });
  return `# Done when\n\n${lines.join("\n")}`;
}

function mustNotPart({ mustNots, protects }: Loop): string {
  const lines = [
    ...mustNots.map((each) => describeMustNot(each, (check) => describeCommand(check.command))),
    ...protects.map((glob) => `protected:${glob} (a change voids the evidence)`),
  ];
  return lines.length === 0
    ? ""
    : `# Must not\n\n${lines.map((line) => `- ${oneLine(line, 300)}`).join("\n")}\n\n\`path:\` stays as it is, \`run:\` keeps passing.`;
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

/** What is new to an agent with a clean context: what others tried before it, and what came of it. */
function triedPart(tried: readonly Tried[]): string {
  if (tried.length === 0) return "";
  const lines = tried.map(({ iteration, said, failure }) => {
    const words = said === null ? "(no words)" : `"${oneLine(said, 300)}"`;
    return `- Iteration ${iteration}: ${words}${failure === null ? "" : ` Afterwards failed: ${oneLine(failure, 300)}`}`;
  });
  const advice = tried.some(({ failure }) => failure !== null)
    ? "\n\nDo not repeat what failed; try another way."
    : "";
  return `# Tried before\n\n${lines.join("\n")}${advice}`;
}

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
      ? ["Every check passes. If nothing of the task is left, say so as below; otherwise go on."]
      : []),
    ...(reason.nextStep === null ? [] : [`Next step: ${oneLine(reason.nextStep, 200)}`]),
  ];
  return lines.length === 0 ? "" : `# Where it stands\n\n${lines.join("\n")}`;
}

function endingPart(reason: HoldReason, continued: boolean): string {
  const claim = ENDING[reason.rule](reason);
  const attest =
    reason.unattested.length === 0
      ? ""
      : ` For what no check decides, name it there once you have seen it: CRITERIA: ${JSON.stringify(Object.fromEntries(reason.unattested.slice(0, 3).map((name) => [name, true])))}`;
  if (continued) {
    return `Do the next unit of work, verify it, then stop, with the status block at the end of your last message. ${claim}${attest}`;
  }
  const step = reason.nextStep === null ? "" : ' Name the steps that are finished: STEPS: ["…"].';
  return `# How to work

Do one logical unit of work (one bug, one file, one step), verify it, then stop. End your last message with:

---LOOP_STATUS---
EXIT_SIGNAL: false
NEXT: what you would do next
---END_STATUS---

${claim}${attest}${step} If only a person can help (a password, a permission, a decision), add a line BLOCKED: what is needed.`;
}

const ENDING: { readonly [Rule in HoldReason["rule"]]: (reason: HoldReason) => string } = {
  criteria: () => "When all of the task is done and verified, write EXIT_SIGNAL: true.",
  marker: () => "When all of the task is done and verified, write <loop-complete> on a line of its own.",
  // A list that nobody has filled is finished when the agent says so.
  tasks: ({ unmet }) =>
    unmet.length === 0
      ? "When every task is completed, write EXIT_SIGNAL: true."
      : `Name each task there once it is completed and verified, by its whole subject: TASKS: ${JSON.stringify(unmet.slice(0, 1))}. All is done when none is left.`,
  signal: ({ mode }) =>
    `When all of it is done and verified, write ${ENDING_TAG[mode]} on a line of its own.`,
};
