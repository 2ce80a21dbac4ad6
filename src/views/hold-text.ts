import type { Evidence } from "../core/loop/criterion.ts";
import type { Frame, Mode } from "../core/loop/loop.ts";
import type { FailingCheck, HoldReason } from "../core/stop/verdict.ts";
import { contradictionHint, renderContradiction } from "./contradiction-text.ts";
import { planLines } from "./plan-hold-text.ts";
import { nameList, shortName, usefulEnd } from "./shortened.ts";
import { printable } from "../system/text/plain-text.ts";
import { WAY_OUT } from "./way-out.ts";

/** What a held agent reads: first a fixed line, then what is unmet and what to do next. */
export function renderHold(reason: HoldReason): string {
  const head = holdHead(reason);
  if (reason.bare) return head;
  return printable(
    [
      head,
      ...unmetLines(reason),
      ...reason.failing.map(renderFailing),
      ...reason.contradictions.map(renderContradiction),
      ...(reason.plan === null ? nextLines(reason) : planLines(reason.plan)),
    ].join("\n"),
  );
}

export function holdHead(reason: HoldReason): string {
  return `${iterationMark(reason)} Continue working on the task. Check your progress and either complete the task or keep iterating.`;
}

export function iterationMark({ iteration, iterationLimit }: HoldReason): string {
  return `[ITERATION ${iteration}/${iterationLimit ?? "∞"}]`;
}

/** The same in one line. */
export function renderHoldLine(reason: HoldReason): string {
  const hints = reason.contradictions.map(contradictionHint).filter((hint) => hint !== "");
  if (reason.unmet.length > 0) return [unmetLine(reason), ...hints].join("; ");
  if (reason.plan?.lacksPlan === true) return "next: split the work into tasks";
  if (reason.plan?.isReviewDue === true) return "next: review the result";
  if (hints.length > 0) return `next: ${hints.join("; ")}`;
  return `next: ${reason.nextStep === null ? "finish, then say so" : shortName(reason.nextStep)}`;
}

export function renderChecksRunning(names: readonly string[]): string {
  return `Checks are running: ${nameList(names)}. Wait for them with \`loop check --wait\`, then stop again.\n${WAY_OUT}`;
}

export function unmetLine(reason: HoldReason): string {
  return `${reason.rule === "tasks" ? "pending tasks" : "unmet criteria"}: ${nameList(reason.unmet)}`;
}

function unmetLines(reason: HoldReason): readonly string[] {
  if (reason.unmet.length > 0) return [unmetLine(reason)];
  return reason.lacksSignal && reason.rule === "criteria"
    ? ["Every criterion is met. When the work is finished, run `loop done`."]
    : [];
}

export function renderFailing({ name, evidence, attribution, unchanged }: FailingCheck): string {
  const was = attribution === "regressed" ? ", and it passed before you started" : "";
  if (evidence.passed) return `✗ ${shortName(name)}: \`${evidence.command}\` passed, but ${whyNot(evidence)}`;
  const head = `✗ ${shortName(name)}: \`${evidence.command}\` ${evidence.ending}${was}`;
  if (unchanged) return `${head}. The output is unchanged since you last saw it.`;
  const withheld =
    evidence.withheld.length > 0 ? `\n(withheld from the check: ${evidence.withheld.join(", ")})` : "";
  // Journals of earlier versions keep it as it was printed.
  const output = printable(evidence.outputTail).trimEnd();
  return output === "" ? `${head}, without output${withheld}` : `${head}\n${usefulEnd(output)}${withheld}`;
}

function nextLines(reason: HoldReason): readonly string[] {
  const lines: string[] = [];
  if (reason.voided.length > 0) {
    lines.push(
      `Evidence is void for ${nameList(reason.voided)}: protected files changed. Restore them, or ask the user to run \`loop approve\`.`,
    );
  }
  if (reason.unattested.length > 0) {
    lines.push(
      `No check decides ${nameList(reason.unattested)}: once you have seen it for yourself, run \`loop criteria met NAME --by observation\`.`,
    );
  }
  if (reason.nextStep !== null) lines.push(`Next: ${shortName(reason.nextStep)}`);
  if (!(reason.rule === "criteria" && reason.lacksSignal)) {
    lines.push(
      `Verify with \`loop check\`; ${howToEnd({ exitRule: reason.rule, mode: reason.mode })} If a person is needed, run \`loop blocked REASON\`.`,
    );
  }
  return [...lines, WAY_OUT];
}

/** Why a pass does not count. */
function whyNot(evidence: Evidence): string {
  if (evidence.treeDigest === null) return "the files cannot be read, so it does not count";
  return "files changed meanwhile (its own, or protected ones), so it does not count";
}

/** How to end a frame, by its exit rule. */
export function howToEnd({ exitRule, mode }: Pick<Frame, "exitRule" | "mode">): string {
  switch (exitRule) {
    case "criteria":
      return "when everything is true, run `loop done`.";
    case "tasks":
      return 'when every task is completed in your list, stop; for one that is not in it, say ---LOOP_STATUS--- TASKS: ["its subject"] ---END_STATUS---.';
    case "marker":
      return "when it is finished, say <loop-complete> on its own line, with the list of what is satisfied.";
    case "signal":
      return `when it is finished, say ${ENDING_TAG[mode]} on its own line.`;
  }
}

/** What an agent says to end a frame with a signal. */
export const ENDING_TAG: { readonly [M in Mode]: string } = {
  loop: "<loop-done>COMPLETE</loop-done>",
  issue: "<issue-complete>DONE</issue-complete>",
  grind: "<grind-done>NO_MORE_ISSUES</grind-done>",
};
