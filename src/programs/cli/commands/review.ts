import { Argument, type Command } from "commander";
import { DECISIONS, type FindingDecision } from "../../../core/questions/review/counted-findings.ts";
import type { PlanReview } from "../../../engine/plan/review-plan.ts";
import { reviewPlan } from "../../../engine/plan/review-plan.ts";
import { chooseLoop, chooseLoopToRead } from "../../../storage/loops/choose-loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { fileList } from "../../../views/file-list.ts";
import type { JudgementStatus, SettledFinding } from "../../../views/review.ts";
import type { ReviewedTask } from "../../../views/review-order.ts";
import { leaveNews } from "../../../storage/home/session-files.ts";
import { findingHead, panelLines, reviewLine, waveReviewLine } from "../../../views/review.ts";
import { stateWords } from "../../../views/task.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { parseCount } from "../options.ts";
import { ANSWER, answerText, howToRecord } from "../read-text.ts";
import type { Style, Terminal } from "../../../views/terminal/terminal.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

const MOST_FILES = 5;

export function addReview(program: Command, context: Context): void {
  const command = program
    .command("review")
    .description(
      "Shows what a plan came to, riskiest first: what reviewers found and what became of it, faults that no check notices, the gate's checklist; then the tasks: what nothing shows to be done, what puts back another task's work, what changes tests, what was set back, what is large. Each with its commit.",
    )
    .option("--loop <id>", "which loop, if several are open; the beginning of its id is enough")
    .option("--json", "print it as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop review\n  $ loop review --json")
    .action(async (flags: Flags) => {
      const review = await reviewPlan(context.machine, await chooseLoopToRead(context.machine, flags.loop));
      if (flags.json) return printJson(context, review);
      return context.terminal.print(reviewText(context.terminal, review));
    });
  addSessionReview(command, context);
}

interface SessionFlags extends Flags {
  readonly wave?: number;
  readonly as?: string;
  readonly of?: string;
}

const WAVE = [
  "--wave <n>",
  "a light look at what this wave merged, instead of the whole",
  parseCount,
] as const;

const AS = ["--as <name>", "one reviewer of the panel; without it, one for all points of view"] as const;

/** For fresh subagents of a session with a plan. */
function addSessionReview(review: Command, context: Context): void {
  const { machine, terminal } = context;
  review
    .command("panel")
    .description("Names the reviewers who have still to look at the merged work, each with its command.")
    .option(...WAVE)
    .action(async (_: SessionFlags, command: Command) => {
      const { missingReviewers } = await import("../../../engine/plan/session/session-review.ts");
      const { loop, wave } = command.optsWithGlobals<SessionFlags>();
      const missing = await missingReviewers(machine, await chooseLoop(machine, loop), wave ?? null);
      const what = wave === undefined ? "" : ` --wave ${wave}`;
      terminal.print(
        "Give each command to a fresh loop:reviewer subagent of its own, all in one message, and nothing else:",
      );
      for (const name of missing) terminal.print(`  loop review brief${what} --as ${name}`);
    });
  review
    .command("resolve")
    .description(
      "Settles a finding of the last review: fix makes a task of it, accept and dismiss leave the work as it is. For a BLOCKER these two are a person's.",
    )
    .argument("<id>", "the finding, such as F-1")
    .addArgument(new Argument("<decision>", "what becomes of it").choices(DECISIONS))
    .option("--note <text>", "what the task that fixes it should know")
    .action(
      async (id: string, decision: FindingDecision, flags: { readonly note?: string }, command: Command) => {
        const { resolveFinding } = await import("../../../engine/plan/session/resolve-finding.ts");
        const chosen = await chooseLoop(machine, command.optsWithGlobals<SessionFlags>().loop);
        const { finding, task, left } = await resolveFinding(machine, chosen, {
          id,
          decision,
          note: flags.note ?? null,
        });
        const became = task === null ? "stays as it is" : `becomes ${task}`;
        terminal.print(
          `${finding.id} ${became}. ${left === 0 ? "All findings are settled: stop now." : `${left} still open.`}`,
        );
      },
    );
  review
    .command("brief")
    .description("Prints what a reviewer of the merged work has to know, and the form of the answer.")
    .option(...WAVE)
    .option(...AS)
    .action(async (_: SessionFlags, command: Command) => {
      const { reviewBrief, reviewedCommit } = await import("../../../engine/plan/session/session-review.ts");
      const { loop, wave, as } = command.optsWithGlobals<SessionFlags>();
      const chosen = await chooseLoop(machine, loop);
      const what = wave === undefined ? `--of ${reviewedCommit(chosen)}` : `--wave ${wave}`;
      const who = as === undefined ? "" : ` --as ${as}`;
      terminal.print(await reviewBrief(machine, chosen, { wave: wave ?? null, as: as ?? null }));
      terminal.print(howToRecord(`loop review record ${what}${who}`));
    });
  review
    .command("record")
    .description("Records a reviewer's answer. A finding counts only if it quotes a line of the diff.")
    .argument("<answer>", ANSWER)
    .option(...WAVE)
    .option(...AS)
    .option("--of <commit>", "what the brief was about; an answer about earlier work is refused")
    .action(async (answer: string, _: SessionFlags, command: Command) => {
      const { missingReviewers, recordReview } =
        await import("../../../engine/plan/session/session-review.ts");
      const { loop, wave = null, as = null, of = null } = command.optsWithGlobals<SessionFlags>();
      const chosen = await chooseLoop(machine, loop);
      const recorded = await recordReview(machine, chosen, { wave, as, of }, answerText(context, answer));
      if (recorded === null) {
        const missing = await missingReviewers(machine, chosen, wave);
        return terminal.print(`Recorded. Still to answer: ${missing.join(", ")}.`);
      }
      const { findings, dropped } = recorded;
      const blockers = findings.filter(({ severity }) => severity === "BLOCKER").length;
      const head = wave === null ? reviewLine(recorded) : waveReviewLine(wave, recorded);
      const lines = [head, ...panelLines(recorded)];
      for (const line of lines) terminal.print(line);
      const { binding } = chosen.live.loop;
      // The reviewer reads it; its user sees it with the next thing that happens.
      if (binding !== null) leaveNews(machine.home, binding.session, lines.join("\n"));
      return terminal.print(
        `Recorded: ${findings.length} findings, ${blockers} of them blockers; ${dropped} dropped. Stop now.`,
      );
    });
}

function reviewText(terminal: Terminal, { tasks, branch, from, tip, loop, judgement }: PlanReview): string {
  const { paint } = terminal;
  const risky = tasks.filter(({ risks }) => risks.length > 0).length;
  const head = `${paint("bold", loop)}: ${tasks.length} task${tasks.length === 1 ? "" : "s"}, riskiest first; ${risky === 0 ? "none" : risky} with something to look at`;
  const whole =
    branch === null || from === null || tip === null || tip === from
      ? []
      : [paint("dim", `All of it: git diff ${from.slice(0, 12)} ${tip.slice(0, 12)}`)];
  const judged = judgement === null ? [] : judgementParts(terminal, judgement, tasks);
  return [head, ...judged, ...tasks.map((task) => taskText(terminal, task)), ...whole].join("\n\n");
}

function judgementParts(
  terminal: Terminal,
  { findings, gate }: JudgementStatus,
  tasks: readonly ReviewedTask[],
): readonly string[] {
  const { paint } = terminal;
  const survivors = (gate?.survivors ?? []).map(
    ({ file, line, change }) =>
      `${paint("yellow", "!")} no check notices ${oneLine(file, 120)}:${line}: ${change}`,
  );
  const items = (gate?.items ?? []).map(
    ({ name, state, detail }) =>
      `${paint(GATE_STYLES[state], GATE_MARKS[state])} ${name}${detail === null ? "" : paint("dim", `  ${oneLine(detail, terminal.width - name.length - 6)}`)}`,
  );
  const done = new Set(tasks.filter(({ state }) => state === "done").map(({ id }) => id));
  return [
    ...findings.map((each) => findingText(terminal, each, done)),
    ...(survivors.length === 0 ? [] : [survivors.join("\n")]),
    ...(items.length === 0
      ? []
      : [[paint("bold", `Gate: ${gate?.passed === true ? "passed" : "shut"}`), ...items].join("\n")]),
  ];
}

const GATE_MARKS = { met: "✓", weak: "○", open: "✗" } as const;
const GATE_STYLES = { met: "green", weak: "yellow", open: "red" } as const;
const SEVERITY_STYLES = { BLOCKER: "red", WARNING: "yellow", SUGGESTION: "dim" } as const;

/** `done`: the ids of the tasks that are. */
function findingText({ paint, width }: Terminal, finding: SettledFinding, done: ReadonlySet<string>): string {
  const { severity, problem, quote, breaks, fix, refused, command, failsNow, resolution, task, round } =
    finding;
  const part = (label: string, text: string | null): readonly string[] =>
    text === null ? [] : [`  ${paint("dim", label)} ${oneLine(text, width - label.length - 4)}`];
  const how =
    task !== null && done.has(task)
      ? `put right by ${task}`
      : `${resolution ?? "not decided"}${task === null ? "" : ` ${task}`}`;
  const became = `review ${round}, ${how}`;
  return [
    `${paint(SEVERITY_STYLES[severity], findingHead(finding))}  ${paint("dim", became)}`,
    `  ${oneLine(problem, width - 4)}`,
    ...part("line", quote),
    ...part("breaks", breaks),
    ...part(failsNow ? "fails now" : "proposed command, not run", command),
    ...part("fix", fix),
    ...part("fix refused: it would violate", refused),
  ].join("\n");
}

const STYLES: { readonly [Confidence in NonNullable<ReviewedTask["confidence"]>]: Style } = {
  unverified: "red",
  weak: "yellow",
  verified: "green",
};

function taskText({ paint, width }: Terminal, task: ReviewedTask): string {
  const { id, subject, confidence, commit, kept, risks, state } = task;
  const sure = confidence === null ? paint("red", stateWords(state)) : paint(STYLES[confidence], confidence);
  return [
    `${id}  ${oneLine(subject, width - 30)}  ${sure}`,
    ...risks.map((risk) => `  ${paint("yellow", "!")} ${oneLine(risk, width - 6)}`),
    `  ${paint("dim", changesText(task))}`,
    ...(commit === null ? [] : [`  git show ${commit.slice(0, 12)}`]),
    ...(kept === null ? [] : [`  what its last attempt left: ${kept}`]),
  ].join("\n");
}

function changesText({ files, commit, state }: ReviewedTask): string {
  if (commit === null) return state === "done" ? "no commit of its own" : "nothing of it is merged";
  const added = files.reduce((sum, each) => sum + (each.added ?? 0), 0);
  const removed = files.reduce((sum, each) => sum + (each.removed ?? 0), 0);
  const paths = files.map(({ path }) => path);
  return `+${added} −${removed} in ${files.length} file${files.length === 1 ? "" : "s"}: ${fileList(paths, MOST_FILES)}`;
}
