import type { Criterion } from "../../core/criterion.ts";
import { isMet, isVoid, standardOf } from "../../core/criterion.ts";
import type { Loop } from "../../core/loop.ts";
import { isWorkflow, topFrame } from "../../core/loop.ts";
import { durationText } from "../../system/text/duration.ts";
import { withoutStatusBlocks } from "../../core/status-block.ts";
import { tellingLine } from "../../core/stop/error-signature.ts";
import type { Contradiction, Verdict } from "../../core/stop/verdict.ts";
import type { CompletedLoop } from "../completion-text.ts";
import { fileList } from "../completion-text.ts";
import { contradictionHint } from "../prompts/hold.ts";
import { completeText, effortText, pausedText, stepDoneLine } from "../loop-lines.ts";
import { nameList } from "../shortened.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { shellWord } from "../../system/text/shell-word.ts";
import type { CriterionRow } from "../criterion.ts";
import { knownText, rowOf } from "../criterion.ts";
import { criterionLine, nameWidthOf } from "./criterion-line.ts";
import type { Terminal } from "./terminal.ts";

const WIDEST_NAME = 48;
const SHORTEST_SHOWN = 20;
const MOST_FILES = 5;
const MOST_TOLD = 3;
const TOO_WEAK = "Every check passes, but the evidence is weak, and this loop is strict.";

export function unmetNames(loop: Loop): readonly string[] {
  const standard = standardOf(loop);
  return topFrame(loop)
    .criteria.filter((each) => !isMet(each, standard))
    .map((each) => each.name);
}

/** What the iteration changed: finished steps, and criteria with their results. */
export function judgedLines(terminal: Terminal, before: Loop | null, loop: Loop): readonly string[] {
  const done = new Set(
    before === null
      ? []
      : topFrame(before)
          .steps.filter((step) => step.done)
          .map((step) => step.name),
  );
  const steps = topFrame(loop).steps.filter((step) => step.done && !done.has(step.name));
  const shown = topFrame(loop).criteria.map((each) => {
    const row = rowOf(each, standardOf(loop));
    const status = isOlderThanTurn(loop, each) ? "unverified" : row.status;
    return shownLine(terminal, loop, { name: each.name, status }, howShown(loop, each, row));
  });
  return [
    ...steps.map((step) => stepDoneLine(loop, step.name)),
    ...shown,
    ...hiddenLines(terminal, loop),
    ...unsaidLine(terminal, loop),
  ];
}

/** Failing tests that the agent has never seen. */
function hiddenLines(terminal: Terminal, loop: Loop): readonly string[] {
  const failed = topFrame(loop)
    .proofs.filter(({ result }) => result === "fails")
    .map(({ detail }) => ({ name: detail ?? "", status: "unmet" }) as const);
  const width = nameWidthOf(failed, WIDEST_NAME);
  return failed.map((each) => `  ${criterionLine(terminal, each, width, "fails, hidden from the agent")}`);
}

/** A criterion as one line of the terminal, aligned with the others of its loop. */
export function shownLine(
  terminal: Terminal,
  loop: Loop,
  criterion: Pick<CriterionRow, "name" | "status">,
  shown: string,
): string {
  const width = nameWidthOf(topFrame(loop).criteria, WIDEST_NAME);
  const room = Math.max(SHORTEST_SHOWN, terminal.width - width - 6);
  return `  ${criterionLine(terminal, criterion, width, oneLine(shown, room))}`;
}

/** Why the loop continues although every check passes. */
function unsaidLine(terminal: Terminal, loop: Loop): readonly string[] {
  const { criteria, exitRule, proofs } = topFrame(loop);
  const isOpen = loop.phase !== "completed" && exitRule === "criteria" && criteria.length > 0;
  if (!isOpen || unmetNames(loop).length > 0) return [];
  // Proofs run only once the agent has claimed to be finished.
  if ([...proofs, ...criteria.flatMap((each) => each.proofs)].length > 0)
    return loop.proof === "strict" ? [terminal.paint("dim", `    ${TOO_WEAK}`)] : [];
  return [terminal.paint("dim", "    Every check passes, but the agent has not said that it is finished.")];
}

/** A turn that ends in a violation is judged without its checks; earlier results say nothing about it. */
function isOlderThanTurn({ phase, turnStartedAt }: Loop, { evidence }: Criterion): boolean {
  return phase === "paused" && evidence !== null && turnStartedAt !== null && evidence.at < turnStartedAt;
}

function howShown(loop: Loop, criterion: Criterion, row: CriterionRow): string {
  if (isOlderThanTurn(loop, criterion)) return "not run after this turn";
  if (criterion.evidence !== null && isVoid(criterion.evidence, standardOf(loop)))
    return "void: protected files changed; restore them, or accept them with loop approve";
  if (row.command === null && row.shown === null) {
    return `no command checks this; confirm it with: loop criteria met ${shellWord(criterion.name)}`;
  }
  return [knownText(row), ...row.doubts].join(", ");
}

export function waitLine(until: number, now: number, detail: string): string {
  const time = new Date(until).toLocaleTimeString("en-GB");
  return `[LOOP] Waiting until ${time} (${durationText(until - now)}) | ${oneLine(detail, 120)}`;
}

/** What has to happen before resuming makes sense. */
function firstLine(loop: Loop & { readonly phase: "paused" }): readonly string[] {
  if (loop.reason !== "must-not") return [];
  return [`First: undo the violation (loop undo --loop ${loop.id}, or git restore)`];
}

function filesLine({ changed }: CompletedLoop): readonly string[] {
  if (changed === null) return [];
  const files = [...changed.source, ...changed.tests, ...changed.definitions];
  return files.length === 0 ? [] : [`[LOOP] Files: ${fileList(files, MOST_FILES)}`];
}

/** What it took, and the way back, or to what a plan came to. Only a run keeps the files before each iteration. */
function effortLine(loop: Loop, { isNamed, canUndo }: Ways): readonly string[] {
  if (loop.driven === null) return [];
  const name = isNamed ? ` --loop ${loop.id}` : "";
  const undo = canUndo ? [`Undo: loop undo 1${name}`] : [];
  const next = !isWorkflow(loop) ? undo : loop.workflow === null ? [] : [`Review: loop review${name}`];
  return [`[LOOP] ${[effortText(loop), ...next].join(" | ")}`];
}

/** The most useful line of each failing check, and why a pass does not count. */
export function tellingLines(terminal: Terminal, loop: Loop, verdict: Verdict): readonly string[] {
  const isHeld = verdict.type === "hold" && verdict.because === "unfinished";
  const contradictions = isHeld ? verdict.reason.contradictions : [];
  const failing = topFrame(loop).criteria.filter(
    (each) => each.evidence?.passed === false && !isOlderThanTurn(loop, each),
  );
  const told = [
    ...failing.map(({ name, evidence }) => ({ name, line: tellingLine(evidence?.outputTail ?? "") })),
    ...contradictions.map((each) => ({ name: each.name ?? "", line: whyContradicted(each) })),
  ];
  return told
    .filter(({ line }) => line !== null && line !== "")
    .slice(0, MOST_TOLD)
    .map(({ name, line }) => {
      const text = oneLine(`${name === "" ? "" : `${name}: `}${line}`, terminal.width - 6);
      return `    ${terminal.paint("dim", text)}`;
    });
}

function whyContradicted(contradiction: Contradiction): string {
  if (contradiction.kind !== "judge") return contradictionHint(contradiction);
  const before = tellingLine(contradiction.output ?? "");
  const changed = `it passes only because ${nameList(contradiction.files)} changed`;
  return before === null ? changed : `${changed}; before that: ${before}`;
}

/** The agent's last words of the turn, in one line. */
export function claimLine(terminal: Terminal, said: string): readonly string[] {
  const text = oneLine(withoutStatusBlocks(said), terminal.width - 10);
  return text === "" ? [] : [`${terminal.paint("cyan", "agent ›")} ${text}`];
}

/** What a person can do about a loop that ended. */
interface Ways {
  /** Other loops are open too, so a command has to name this one. */
  readonly isNamed: boolean;
  /** There are checkpoints. */
  readonly canUndo: boolean;
}

export function endLines(loop: Loop, ways: Ways): readonly string[] {
  switch (loop.phase) {
    case "completed":
      return [completeText(loop), ...filesLine(loop), ...effortLine(loop, ways)];
    case "paused":
      return [pausedText(loop, ways.isNamed), ...effortLine(loop, ways), ...firstLine(loop)];
    case "cancelled":
      return [`[LOOP] Cancelled: ${loop.id}`];
    case "active":
      return [`[LOOP] Another session took over ${loop.id}.`];
  }
}
