import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { failingLine } from "../../core/output/failing-line.ts";
import { contradictionsOnRecord } from "../../core/stop/proofs.ts";
import type { Contradiction, Verdict } from "../../core/stop/verdict.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { contradictionHint } from "../prompts/hold.ts";
import { nameList } from "../shortened.ts";
import { isOlderThanTurn } from "./criterion-lines.ts";
import type { Terminal } from "./terminal.ts";

const MOST_TOLD = 3;

/** The most useful line of each failing check, why a pass does not count, and, where no agent will hear it, what would settle that. */
export function tellingLines(terminal: Terminal, loop: Loop, verdict: Verdict): readonly string[] {
  const contradictions = contradictionsIn(loop, verdict);
  const failing = topFrame(loop).criteria.filter(
    (each) => each.evidence?.passed === false && !isOlderThanTurn(loop, each),
  );
  const told = [
    ...failing.map(({ name, evidence }) => ({ name, line: failingLine(evidence?.outputTail ?? "") })),
    ...contradictions.map((each) => ({ name: each.name ?? "", line: whyContradicted(each) })),
  ];
  const lines = told
    .filter(({ line }) => line !== null && line !== "")
    .slice(0, MOST_TOLD)
    .map(({ name, line }) => `${name === "" ? "" : `${name}: `}${line}`);
  const advice = verdict.type === "let-go" ? howToSettle(contradictions) : [];
  return [...lines, ...advice].map(
    (line) => `    ${terminal.paint("dim", oneLine(line, terminal.width - 6))}`,
  );
}

/** A limit may end a run at the stop that was contradicted. A loop that is blocked by it says so itself. */
function contradictionsIn(loop: Loop, verdict: Verdict): readonly Contradiction[] {
  if (verdict.type === "hold") return verdict.because === "unfinished" ? verdict.reason.contradictions : [];
  const isLimit =
    verdict.because === "paused" && verdict.reason !== "blocked" && verdict.reason !== "must-not";
  return isLimit ? contradictionsOnRecord(topFrame(loop)) : [];
}

function howToSettle(contradictions: readonly Contradiction[]): readonly string[] {
  const changed = new Set(
    contradictions.filter(({ kind }) => kind === "judge").flatMap(({ files }) => files),
  );
  if (changed.size === 0) return [];
  return [`To settle that: restore ${nameList([...changed])}, or accept the change with: loop approve`];
}

function whyContradicted(contradiction: Contradiction): string {
  if (contradiction.kind !== "judge") return contradictionHint(contradiction);
  const before = failingLine(contradiction.output ?? "");
  const changed = `it passes only because ${nameList(contradiction.files)} changed`;
  if (before !== null) return `${changed}; before that: ${before}`;
  return contradiction.detail === "" ? changed : `${changed}; before that: ${contradiction.detail}`;
}
