import { saysItRanNothing } from "../../core/output/ran-nothing.ts";
import type { Look } from "../../verify/checks/run-checks.ts";
import type { CriterionStatus } from "../../core/loop/criterion.ts";
import { reportWords } from "../../verify/reports/test-report.ts";
import type { AskedCriterion } from "../../engine/opening/asked-loop.ts";
import type { LookNews, Opener, OpeningPerson } from "../../engine/opening/opener.ts";
import { whereFound } from "../../engine/opening/propose-checks.ts";
import { oneLine, printable } from "../../system/text/plain-text.ts";
import { criterionLine, nameWidthOf } from "../../views/terminal/criterion-lines.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";
import { isAttended, type Context } from "./context.ts";
import { askRecall } from "./learnings.ts";
import { askAll } from "./questions/ask-all.ts";
import { choose, confirm, readAnswer } from "./questions/choose.ts";

const WIDEST_NAME = 48;

/** The terminal as an opening sees it. With JSON output, the results of checks are in the JSON. */
export function openerOf(
  context: Context,
  flags: { readonly json?: boolean; readonly shape?: string },
): Opener {
  const { machine, terminal, cli } = context;
  return {
    machine,
    cli,
    person: isAttended(context, flags) ? personAt(context, flags.shape === "tool") : null,
    tell: (sentence) => terminal.complain(`loop: ${sentence}`),
    show: flags.json === true ? () => undefined : lookView(terminal),
  };
}

/** `isTool`: a loop that asks nothing. */
function personAt(context: Context, isTool: boolean): OpeningPerson {
  const { terminal, answers } = context;
  const named = (words: string): string => `"${oneLine(words, 80)}"`;
  return {
    said: {
      addFlags: (...words) => answers.addFlags(...words),
      settleCriterion: (given, settled) => answers.settleCriterion(given, settled),
      setSpec: (spec) => answers.setSpec(spec),
    },
    usesCheck: async (words, { command }, where) =>
      confirm(terminal, `${named(words)}: \`${command}\` found${where}: use it?`, "yes"),
    isCommand: async (words, usual) => {
      const question = `Is ${named(words)} a command to run, or a statement that somebody has to vouch for?`;
      const kinds = { command: ["command"], statement: ["statement"] } as const;
      return (await choose(terminal, question, { words: kinds, usual, atEnd: "statement" })) === "command";
    },
    chooses: async (found) => {
      terminal.complain("loop: No criterion says when it is done. This project could show:");
      for (const [index, { name, command }] of found.checks.entries())
        terminal.complain(
          `  ${index + 1}  ${oneLine(name, 60)}: ${oneLine(command, 80)}${whereFound(found)}`,
        );
      return pickFrom(terminal, found.checks);
    },
    answers: async (why, questions) => askAll(terminal, why, questions),
    letsChange: async (files, words) =>
      confirm(terminal, `The spec says ${words}: may ${files} change, whatever they judge?`, "yes"),
    recalls: async (found) => (isTool ? undefined : askRecall(context, found)),
    approves: async (commands, source) => {
      terminal.complain(
        `loop: The ${source} ${source === "plan" ? "runs" : "names"} these commands as checks:`,
      );
      for (const command of commands) terminal.complain(`  ${printable(command)}`);
      return confirm(terminal, "Let them run here?", "no");
    },
  };
}

/** Enter takes the first. */
async function pickFrom<Item>(terminal: Terminal, items: readonly Item[]): Promise<readonly Item[]> {
  const question = {
    text: "Which of these should decide? Numbers such as 1 2, all, or none",
    hint: "1",
    usual: "1",
  };
  for (;;) {
    const answer = (await readAnswer(terminal, question))?.toLowerCase() ?? "none";
    if (["n", "no", "none"].includes(answer)) return [];
    if (answer === "all") return items;
    const numbers = ["", "y", "yes"].includes(answer) ? [1] : answer.split(/[\s,]+/).map(Number);
    if (numbers.every((number) => items[number - 1] !== undefined))
      return items.filter((_, index) => numbers.includes(index + 1));
    terminal.print(`  Please answer with numbers from 1 to ${items.length}, all or none.`);
  }
}

/** Each result as a line on stderr. `later`: the check that joins an open loop, which needs no heading. */
export function lookView(
  terminal: Terminal,
  later: readonly AskedCriterion[] = [],
): (news: LookNews) => void {
  let width = nameWidthOf(later, WIDEST_NAME);
  const line = (name: string, status: CriterionStatus, words: string): void =>
    terminal.complain(`  ${criterionLine(terminal, { name, status }, width, words)}`);
  return (news) => {
    switch (news.type) {
      case "looking":
        width = nameWidthOf(news.criteria, WIDEST_NAME);
        return terminal.complain("loop: Checks before any work:");
      case "looked":
        return line(news.look.name, statusOf(news.look), lookWords(news.look));
      case "later":
        return line(news.name, "unverified", "has side effects, so it runs once at the end");
    }
  };
}

function statusOf({ evidence, cannotRun }: Look): CriterionStatus {
  if (cannotRun !== null) return "unverified";
  return evidence.passed ? "met" : "unmet";
}

function lookWords({ evidence, report, cannotRun }: Look): string {
  if (cannotRun !== null) return `cannot run: ${cannotRun}`;
  const tests = report === null ? [] : [reportWords(report)];
  const green =
    saysItRanNothing(evidence.outputTail) === null ? "already passes" : "passes, and runs nothing";
  return [evidence.passed ? green : evidence.ending, ...tests].join(" · ");
}
