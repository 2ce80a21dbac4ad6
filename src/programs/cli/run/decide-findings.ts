import type { Finding } from "../../../core/stages/stages.ts";
import type { Decided, FindingPolicy } from "../../../core/questions/review/counted-findings.ts";
import { decidedByPolicy } from "../../../core/questions/review/counted-findings.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { findingHead } from "../../../views/review.ts";
import type { AskedDecision, WorkflowRequest } from "../../../engine/plan/take-workflow.ts";
import type { Choices } from "../questions/choose.ts";
import { choose } from "../questions/choose.ts";
import { readAnswer } from "../questions/read-answer.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import type { TerminalInterrupts } from "./interrupts.ts";

type Decide = WorkflowRequest["decide"];

/** Where nobody is asked. */
export function decideByPolicy(policy: FindingPolicy): Decide {
  return async ({ findings, again }) => decidedByPolicy(findings, again, policy);
}

type Choice = "task" | "approved" | "discussed" | "skipped";

const WORDS: Choices<Choice>["words"] = {
  task: ["task"],
  approved: ["approve", "accept", "keep"],
  discussed: ["discuss", "note"],
  skipped: ["skip"],
};

const LEGEND = [
  "task: an agent puts it right",
  "approve: the work is right as it is",
  "discuss: an agent puts it right, and is told what you say about it",
  "skip: leave it, without a verdict",
];

/** The person at the terminal decides on one finding after the other. */
export function decideInTerminal(terminal: Terminal, interrupts: TerminalInterrupts): Decide {
  return async (asked, lost) => {
    const signal = AbortSignal.any([interrupts.first, lost]);
    const asking = { signal, onInterrupt: interrupts.interrupt };
    const decided: Decided[] = [];
    for (const line of LEGEND) terminal.print(`  ${terminal.paint("dim", line)}`);
    for (const finding of asked.findings) {
      for (const line of findingLines(terminal, finding, asked)) terminal.print(line);
      const isBlocker = finding.severity === "BLOCKER";
      const choices: Choices<Choice> = {
        words: WORDS,
        usual: isBlocker ? "task" : "skipped",
        atEnd: isBlocker ? "task" : "skipped",
      };
      const how = await choose(terminal, `${finding.id}: approve, task, discuss or skip?`, choices, asking);
      const note =
        how === "discussed"
          ? await readAnswer(
              terminal,
              { text: "What should the task know?", hint: "a line", usual: null },
              asking,
            )
          : null;
      decided.push({ finding: finding.id, how, note: note === "" ? null : note, by: "person" });
    }
    return decided;
  };
}

function findingLines(
  { paint, width }: Terminal,
  finding: Finding,
  { again }: AskedDecision,
): readonly string[] {
  const style = finding.severity === "BLOCKER" ? "red" : "yellow";
  const detail = (label: string, text: string | null): readonly string[] =>
    text === null ? [] : [`    ${paint("dim", label)} ${oneLine(text, width - label.length - 6)}`];
  return [
    `  ${paint(style, findingHead(finding))}`,
    ...detail("problem", finding.problem),
    ...detail("line", finding.quote),
    ...detail("breaks", finding.breaks),
    ...detail(finding.failsNow ? "fails now" : "proposed command, not run", finding.command),
    ...detail("fix", finding.fix),
    ...detail("its fix was refused, which would violate", finding.refused),
    ...(again.includes(finding) ? ["    Its task changed nothing."] : []),
  ];
}
