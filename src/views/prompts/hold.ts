import type { Evidence } from "../../core/loop/criterion.ts";
import type { Frame, Mode } from "../../core/loop/loop.ts";
import type { FailingCheck, HoldReason, Contradiction, PlanHold } from "../../core/stop/verdict.ts";
import { failingLine } from "../../core/output/failing-line.ts";
import type { Finding } from "../../core/stages/stages.ts";
import { findingHead } from "../review.ts";
import { nameList, shortName, usefulPart } from "../shortened.ts";
import { printable } from "../../system/text/plain-text.ts";
import { wordsHint, wordsLines } from "./words.ts";

/** What a held agent reads: first a fixed line, then what is unmet and what to do next. */
export function renderHold(reason: HoldReason): string {
  const head = holdHead(reason);
  if (reason.bare) return head;
  return printable(
    [
      head,
      ...wordsLines(reason.words),
      ...unmetLines(reason),
      ...reason.failing.map(renderFailing),
      ...reason.contradictions.map(renderContradiction),
      ...(reason.plan === null ? nextLines(reason) : [...planLines(reason.plan), ...wayOut(reason)]),
    ].join("\n"),
  );
}

export function holdHead(reason: HoldReason): string {
  return `${iterationMark(reason)} Continue working on the task. Check your progress and either complete the task or keep iterating.`;
}

export function iterationMark({ iteration, iterationLimit }: HoldReason): string {
  return `[ITERATION ${iteration}/${iterationLimit ?? "∞"}]`;
}

/** A hold in one line. */
export function renderHoldLine(reason: HoldReason): string {
  const hints = [
    ...reason.contradictions.map(contradictionHint).filter((hint) => hint !== ""),
    ...(reason.words.length === 0 ? [] : [wordsHint(reason.words)]),
  ];
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
  return output === "" ? `${head}, without output${withheld}` : `${head}\n${usefulPart(output)}${withheld}`;
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
  if (reason.outdated.length > 0) {
    lines.push(`not checked since your last change: ${nameList(reason.outdated)}`);
  }
  if (reason.nextStep !== null) lines.push(`Next: ${shortName(reason.nextStep)}`);
  if (reason.isFirst && !(reason.rule === "criteria" && reason.lacksSignal)) {
    lines.push(
      `Verify with \`loop check\`; ${howToEnd({ exitRule: reason.rule, mode: reason.mode })} If a person is needed, run \`loop blocked REASON\`.`,
    );
  }
  return [...lines, ...wayOut(reason)];
}

/** Once everything passes, there is nothing that an agent could pass dishonestly. */
function wayOut({ isFirst, unmet, failing, contradictions, plan }: HoldReason): readonly string[] {
  if (isFirst) return [WAY_OUT];
  const isAnyLeft = plan !== null || [...unmet, ...failing, ...contradictions].length > 0;
  return isAnyLeft ? [SHORT_WAY_OUT] : [];
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

/** What a held agent reads about a check that passes but doesn't count: what was found, and what to do. */
export function renderContradiction(contradiction: Contradiction): string {
  const { kind, detail, output } = contradiction;
  const name = shortName(contradiction.name ?? "");
  switch (kind) {
    case "judge": {
      const line = failingLine(output ?? "");
      const fails = line === null ? because(detail) : `: ${shortName(line)}`;
      const head = `✗ ${name}: passes only with your changes to the tests or definitions that decide it, and fails with the original ones${fails}. Changed since: ${nameList(contradiction.files)}. Restore them and fix the source. ${onlyUser("If the spec asks for the change", "`loop approve`, or `--may-change` at the start of a loop")}`;
      return output === null || output.trim() === "" ? head : `${head}\n${usefulPart(output.trimEnd())}`;
    }
    case "counts":
      return `✗ ${name}: passes, but not as it did at the opening. ${asSentence(detail)} Make every test that ran then run to its end. ${onlyUser("If the spec takes tests away", "`--may-change` at the start of a loop")}`;
    case "holdout":
      return `✗ ${name}: fails. It is hidden, so you cannot see what it tests, and nothing of it is quoted; compare your work with each sentence of the spec. Only the user can change or drop it.`;
    case "strict":
      return `✗ The checks pass, but the evidence is weak, and the user wants more: ${asSentence(detail)} Show it with a test that fails without your work.`;
  }
}

/** A contradiction in a few words; empty when the name says it all. */
export function contradictionHint(contradiction: Contradiction): string {
  switch (contradiction.kind) {
    case "judge": {
      const line = failingLine(contradiction.output ?? "");
      return `restore ${nameList(contradiction.files)}${line === null ? "" : `, with which it fails: ${shortName(line)}`}`;
    }
    case "counts":
      return shortName(contradiction.detail);
    case "holdout":
      return "";
    case "strict":
      return `show more than weak evidence: ${shortName(contradiction.detail)}`;
  }
}

/** What an agent must leave to the user. */
function onlyUser(when: string, how: string): string {
  return `${when}, leave it to the user: only they can accept it (${how}).`;
}

function because(detail: string): string {
  return detail === "" ? "" : ` (${shortName(detail).replace(/\.$/, "")})`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What a session does next for the tasks of its plan. */
export function planLines(hold: PlanHold): readonly string[] {
  const { lacksPlan, ready, atWork, rejected, stuck, mergedWave, isReviewDue, findings, asksUser } = hold;
  if (asksUser)
    return [
      lacksPlan
        ? "Show the user what was agreed (.loop/shape/SHAPE.md), and stop: they are asked whether to go on."
        : "Show the user the plan in a few lines, and stop: they are asked whether to go on.",
    ];
  return [
    ...(lacksPlan
      ? [
          "Show the user what was agreed (.loop/shape/SHAPE.md), and split it into tasks: `loop start --plan -`, in the form that `loop task --help` shows, without the spec.",
        ]
      : []),
    ...rejected.map(({ task, why }) => `✗ ${task} isn't done:\n${withoutHead(why)}`),
    ...(atWork.length === 0
      ? []
      : [
          `At work: ${atWork.join(", ")}. Finish each, then \`loop task done ID\`; \`loop task claim ${atWork.join(" ")}\` shows what to do.`,
        ]),
    ...stuck.map(
      (task) =>
        `${task} failed. First give \`loop task counsel ${task}\` to a fresh loop:reviewer subagent, for another approach.`,
    ),
    ...(ready.length === 0
      ? []
      : [
          `Ready: ${ready.join(", ")}. Run \`loop task claim ${ready.join(" ")}\`, then give each to a subagent of its own, all at once.`,
        ]),
    ...(mergedWave === null
      ? []
      : [
          `Beside that, reviewers may look at what wave ${mergedWave} merged: \`loop review panel --wave ${mergedWave}\` names them. Nothing waits for them.`,
        ]),
    ...findingLines(findings),
    ...(isReviewDue
      ? [
          "Every task is merged. `loop review panel` names the reviewers: give each its `loop review brief`, and stop when they are back.",
        ]
      : []),
  ];
}

function findingLines(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return [];
  return [
    "The review found this. Ask the user about each, one after the other: fix, accept or dismiss it? Then run `loop review resolve ID fix|accept|dismiss`, and stop when all are settled:",
    ...findings.map((each) => `- ${findingHead(each)}: ${shortName(each.problem)}`),
  ];
}

/** The agent has read that line already. */
function withoutHead(why: string): string {
  return why.replace(/^\[ITERATION [^\n]*\n/, "").replace(`\n${WAY_OUT}`, "");
}

const WHEN = "If a check contradicts the spec or cannot pass, don't change or delete it";
const COMMAND = "`loop blocked --check NAME REASON`";
const COMPARED =
  "Tests, scripts and configuration that decide a check are compared with their state at the start; new tests are welcome.";

/** Included wherever an agent in a session reads about its loop. Agents that may say "this cannot be done" cheat far less. */
export const WAY_OUT = `${WHEN}: run ${COMMAND}. ${COMPARED}`;

/** Named in every hold that has something unmet. */
const SHORT_WAY_OUT = `If you cannot pass it honestly: ${COMMAND}.`;

/** The way out for a driven agent: not every agent may run commands, but each has a status block. */
export const WAY_OUT_OF_TURN = `${WHEN}: write BLOCKED: {"NAME": "REASON"} into the status block, or run ${COMMAND}. ${COMPARED}`;
