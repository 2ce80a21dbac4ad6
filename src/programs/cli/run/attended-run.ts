import { INTERRUPTED, answerSignals, type EndingSignal } from "../ending-process.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import type { GoesOn, Person, Interrupts } from "../../../engine/run/run-context.ts";
import { nextAction } from "../../../views/next-action.ts";
import { fileChangeLines } from "../../../views/terminal/file-change-lines.ts";
import { choose, readAnswer, type Choices } from "../questions/choose.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";
import { unmetNames } from "../../../views/criterion.ts";
import type { Finding } from "../../../core/stages/stages.ts";
import type { Decided, FindingPolicy } from "../../../core/questions/review/counted-findings.ts";
import { decidedByPolicy } from "../../../core/questions/review/counted-findings.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { findingHead } from "../../../views/review.ts";
import type { AskedDecision, WorkflowRequest } from "../../../engine/plan/take-workflow.ts";

type Changes = Parameters<Person["goesOn"]>[1];

const CONTINUE: Choices<GoesOn> = {
  words: {
    once: ["yes"],
    no: ["no", "q", "quit", "stop"],
    always: ["always", "all"],
  },
  meanings: { once: "continue", no: "pause here", always: "continue without asking again" },
  usual: "once",
  atEnd: "no",
  hint: " To tell it something, pause and use: loop criteria add, loop step add",
};

/** The person at the terminal: sees what an iteration changed, and says whether to go on, and whether to be asked again. */
export function colleague(terminal: Terminal, interrupts: TerminalInterrupts): Person {
  return {
    goesOn: async (loop, changes, lost) => {
      for (const line of whatChanged(terminal, loop, changes)) terminal.print(line);
      const signal = AbortSignal.any([interrupts.first, lost]);
      try {
        const answer = await choose(terminal, "Continue?", CONTINUE, {
          signal,
          onInterrupt: interrupts.interrupt,
        });
        if (answer === "always") terminal.print("loop: It won't ask again.");
        return answer;
      } catch (error) {
        if (signal.aborted) return "no";
        throw error;
      }
    },
  };
}

function whatChanged(terminal: Terminal, loop: Loop, changes: Changes): readonly string[] {
  const next = `Next: ${nextAction(loop, unmetNames(loop))}`;
  if (changes === null) return [next];
  if (changes.length === 0) return ["No file changed.", next];
  return ["Changed:", ...fileChangeLines(terminal, changes), next];
}

export interface TerminalInterrupts extends Interrupts {
  /** Aborted once the user asks for it. */
  readonly first: AbortSignal;
  /** What Ctrl-C does when nothing is running that could be finished. */
  readonly interrupt: () => void;
}

/** Ctrl-C once: finish the iteration and pause. Twice, or another signal: stop now, with everything kept. */
export function interruptsOfTerminal(say: (text: string) => void): TerminalInterrupts {
  const first = new AbortController();
  const now = new AbortController();
  answerSignals((signal: EndingSignal) => {
    // Without a terminal, a hangup doesn't end the run: that is what nohup asks for, and Node resets it.
    if (signal === "SIGHUP" && !process.stdout.isTTY && !process.stderr.isTTY) return undefined;
    // A closing terminal sends its signal more than once; only a repeated Ctrl-C is a person insisting.
    if (now.signal.aborted) return signal === "SIGINT" ? process.exit(INTERRUPTED) : undefined;
    const isSecond = first.signal.aborted;
    first.abort();
    if (isSecond || signal !== "SIGINT") return now.abort();
    return say("Finishing this iteration, then pausing. Ctrl-C again stops now; nothing is lost either way.");
  });
  return {
    asked: () => first.signal.aborted,
    first: first.signal,
    now: now.signal,
    interrupt: () => first.abort(),
  };
}

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
