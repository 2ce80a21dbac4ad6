import { Argument, type Command } from "commander";
import { topFrame, type Loop } from "../../../core/loop/loop.ts";
import { failingLine } from "../../../core/output/failing-line.ts";
import { withoutStatusBlocks } from "../../../core/stop/status-block.ts";
import { DEMO_CHECKS, DEMO_SPEC, playDemo } from "../../demo/play.ts";
import type { RunNews } from "../../../views/news/news.ts";
import { dollars } from "../../../views/cost.ts";
import { completeText } from "../../../views/completion.ts";
import { iterationLine, startingLine } from "../../../views/loop-lines.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import type { Context } from "../context.ts";
import { exitCodeOf } from "../run/endings.ts";
import { interruptsOfTerminal } from "../run/attended-run.ts";
import { judgedLines } from "../../../views/terminal/criterion-lines.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";

export function addDemo(program: Command, context: Context): void {
  program
    .command("demo")
    .description(
      "Runs a complete loop on a small sample project in a temporary folder. Git, tests, engine and state are real; only the agent is scripted.",
    )
    .addArgument(
      new Argument(
        "[scene]",
        "plan: four tasks at once, with a conflict; fleet: three workers on Postgres, two of which fail",
      ).choices(["plan", "fleet"]),
    )
    .option("--keep", "keep the folder, to look at what a loop leaves behind")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop demo\n  $ loop demo plan\n  $ loop demo fleet\n  $ loop demo --keep",
    )
    .action(async (scene: "plan" | "fleet" | undefined, flags: { keep?: boolean }) => {
      if (scene === "plan") {
        const { showPlanDemo } = await import("./demo-plan.ts");
        return showPlanDemo(context, flags.keep === true);
      }
      if (scene === "fleet") {
        const { showFleetDemo } = await import("./demo-fleet.ts");
        return showFleetDemo(context, flags.keep === true);
      }
      const { terminal, machine } = context;
      let folder = "";
      const startedAt = machine.now();
      const interrupts = interruptsOfTerminal((text) => terminal.complain(`\n${text}`));
      const loop = await playDemo({
        env: machine.env,
        cli: context.cli,
        keep: flags.keep === true,
        interrupts,
        onProject: (path) => {
          folder = path;
          terminal.print(introduction(terminal, path));
        },
        tell: (news) => {
          for (const line of demoLines(terminal, news)) terminal.print(line);
        },
      });
      const code = exitCodeOf(loop, interrupts.asked(), true);
      context.endWith(code);
      if (loop.phase === "completed") {
        const seconds = Math.round((machine.now() - startedAt) / 1000);
        terminal.print(closing(terminal, loop, seconds, flags.keep === true ? folder : null));
      }
      if (interrupts.now.aborted) process.exit(code);
      return undefined;
    });
}

function introduction({ paint }: Terminal, folder: string): string {
  return [
    `${paint("bold", "A small shop whose cart forgets quantities and discounts")}  ${paint("dim", folder)}`,
    paint("dim", "Git, tests, engine and state are real. The agent is scripted, so this costs nothing."),
    "",
    `$ loop run "${oneLine(DEMO_SPEC, 56)}" \\`,
    DEMO_CHECKS.map(([name, line]) => `    -c "${name}=${line}"`).join(" \\\n"),
    "",
  ].join("\n");
}

function demoLines(terminal: Terminal, news: RunNews): readonly string[] {
  const { paint } = terminal;
  if (news.type === "began") return [startingLine(news.loop), ...judgedLines(terminal, null, news.loop)];
  if (news.type === "launched") return ["", iterationLine(news.loop)];
  if (news.type === "judged")
    return [...judgedLines(terminal, null, news.loop), ...verdictLines(terminal, news)];
  if (news.type !== "seen") return [];
  const { agentEvent } = news;
  if (agentEvent.type === "edited") return [`${paint("cyan", "agent ›")} edits ${agentEvent.path}`];
  if (agentEvent.type !== "said") return [];
  return [`${paint("cyan", "agent ›")} ${oneLine(withoutStatusBlocks(agentEvent.text), 200)}`];
}

function verdictLines(
  { paint }: Terminal,
  { loop, verdict }: RunNews & { type: "judged" },
): readonly string[] {
  const label = (style: "red" | "green" | "yellow", text: string): string =>
    `${paint(style, "loop  ›")} ${text}`;
  if (verdict.type !== "hold" || verdict.because !== "unfinished") {
    return loop.phase === "completed"
      ? [label("green", "All checks pass, and the proofs hold. Done."), completeText(loop)]
      : [];
  }
  const { sameError } = topFrame(loop).breakers;
  const { failing, contradictions } = verdict.reason;
  const [contradiction] = contradictions;
  if (contradiction !== undefined) {
    return [
      label("red", `Caught: the checks pass only because ${contradiction.files.join(", ")} changed.`),
      label("red", `With the original tests: ${quoted(contradiction.output ?? "")}`),
      paint("dim", "        Held. The agent reads what was compared, and keeps working."),
    ];
  }
  const lines = [label("red", `Not done: ${quoted(failing[0]?.evidence.outputTail ?? "")}`)];
  if (sameError.count > 1) {
    lines.push(
      label(
        "yellow",
        `The same error ${sameError.count} times in a row; at ${loop.limits.sameError} the loop pauses instead of burning money.`,
      ),
    );
  }
  return [...lines, paint("dim", "        Held. The agent sees what the check printed, and keeps working.")];
}

function quoted(output: string): string {
  return oneLine(failingLine(output) ?? "", 100);
}

function closing({ paint }: Terminal, loop: Loop, seconds: number, folder: string | null): string {
  const { iteration } = topFrame(loop);
  const kept =
    folder === null
      ? paint(
          "dim",
          "  loop demo --keep leaves the folder: journal, evidence, summary.md, a checkpoint per iteration",
        )
      : `  cd ${folder} && cat .loop/summary.md && git log --oneline --all`;
  return [
    "",
    `${iteration} iterations, ${dollars(loop.spend.usd)} (scripted), ${seconds} s. Two of the agent's claims were false: the checks caught one, the original tests caught the other.`,
    "",
    paint("bold", "Now in your own project:"),
    '  loop run "what you want" -c "tests pass=npm test"    drives Claude Code, Codex, Gemini CLI or opencode',
    '  claude plugin marketplace add "$(loop plugin path)"',
    "  claude plugin install loop@loopwright                or holds your interactive Claude Code session",
    "  loop --help                                          the rest",
    kept,
  ].join("\n");
}
