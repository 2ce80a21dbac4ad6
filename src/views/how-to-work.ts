import type { HoldReason } from "../core/stop/verdict.ts";
import { ENDING_TAG } from "./hold-text.ts";
import { WAY_OUT_OF_TURN } from "./way-out.ts";

/** How a driven agent works: what judges it, what it must leave alone, and what it says at the end. */
export function howToWork(reason: HoldReason, hasCheck: boolean): string {
  const step = reason.nextStep === null ? "" : ' Name the finished steps: STEPS: ["…"].';
  return `# How to work

${[...rules(hasCheck), END_OF_TURN].map((rule, index) => `${index + 1}. ${rule}`).join("\n")}

---LOOP_STATUS---
EXIT_SIGNAL: false
NEXT: what you would do next
---END_STATUS---

${claimOf(reason)}${step} If only a person can help (a password, a permission, a decision), add a line BLOCKED: what is needed.${wayOut(hasCheck)}`;
}

/** The same for a conversation that already knows it: what may have changed, and the way out. */
export function howToGoOn(reason: HoldReason, hasCheck: boolean): string {
  return `Do the next unit of work, verify it, then stop, with the status block at the end of your last message. ${claimOf(reason)}${wayOut(hasCheck)}`;
}

function rules(hasCheck: boolean): readonly string[] {
  return [
    "Do one logical unit of work: one bug, one file, one step.",
    hasCheck
      ? "Verify it. If you may run commands, `loop check` runs the checks; what counts is loop's own run after your turn."
      : "Verify it yourself: this task has no check.",
    "Fix the cause, never the check. If the same failure comes twice, try another approach.",
    "Loosening is for the user: don't run `loop cancel`, `pause`, `continue`, `approve` or `trust`, don't weaken a criterion, don't edit `.loop/`.",
  ];
}

const END_OF_TURN = "Then stop. End your last message with:";

function wayOut(hasCheck: boolean): string {
  return hasCheck ? `\n\n${WAY_OUT_OF_TURN}` : "";
}

/** How to claim that it is done, and which criteria need an attestation. */
function claimOf(reason: HoldReason): string {
  const claim = ENDING[reason.rule](reason);
  if (reason.unattested.length === 0) return claim;
  const named = Object.fromEntries(reason.unattested.slice(0, 3).map((name) => [name, true]));
  return `${claim} If a criterion has no check, name it there once you have seen it met: CRITERIA: ${JSON.stringify(named)}`;
}

const ENDING: { readonly [Rule in HoldReason["rule"]]: (reason: HoldReason) => string } = {
  criteria: () => "When all of the task is done and verified, write EXIT_SIGNAL: true.",
  marker: () => "When all of the task is done and verified, write <loop-complete> on its own line.",
  // An empty list is finished when the agent says so.
  tasks: ({ unmet }) =>
    unmet.length === 0
      ? "When every task is completed, write EXIT_SIGNAL: true."
      : `Name each task there once it is completed and verified, by its whole subject: TASKS: ${JSON.stringify(unmet.slice(0, 1))}. The work is done when none are left.`,
  signal: ({ mode }) =>
    `When all of the task is done and verified, write ${ENDING_TAG[mode]} on its own line.`,
};
