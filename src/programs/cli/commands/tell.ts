import type { Command } from "commander";
import { isTaskId } from "../../../core/plan/plan.ts";
import { isDriven, type Loop } from "../../../core/loop/loop.ts";
import { tellLoop } from "../../../engine/lifecycle/pass-on-words.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { nameList } from "../../../views/shortened.ts";
import { statusView } from "../../../views/status.ts";
import { printJson, type Context } from "../context.ts";
import { readWholeText } from "../read-text.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

export function addTell(program: Command, context: Context): void {
  const { machine, terminal } = context;
  program
    .command("tell")
    .description(
      "Tells the agent of a running or paused loop something, in its next turn. In a plan, all tasks that aren't done hear it, or the one that is named first. Only a person can.",
    )
    .argument(
      "<words...>",
      "what to say, or - for standard input; in a plan, first a task's id if only that task is meant",
    )
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print the loop as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop tell 'the port is 8080, see docs/ports.md'\n  $ loop tell T-003 'keep the old endpoint, too'\n  $ loop tell - < notes.txt\n\nNever send a password this way: what looks like a secret is removed. Name a variable instead.",
    )
    .action(async (words: readonly string[], flags: Flags) => {
      const chosen = await chooseLoop(machine, flags.loop, { anySession: true });
      const [first = "", ...rest] = words;
      const task =
        chosen.live.loop.workflow !== null && isTaskId(first) ? taskId(chosen.live.loop, first) : null;
      const text = (task === null ? words : rest).join(" ");
      const { loop, reached, missed } = await tellLoop(
        machine,
        chosen,
        task,
        text === "-" ? readWholeText(context, "-") : text,
      );
      if (flags.json) return printJson(context, statusView(loop, null));
      return terminal.print(toldText(loop, task, reached, missed));
    });
}

/** As the plan writes it. */
function taskId({ workflow }: Loop, id: string): string {
  return workflow?.plan.tasks.find((task) => task.id.toLowerCase() === id.toLowerCase())?.id ?? id;
}

function toldText(
  loop: Loop,
  task: string | null,
  reached: readonly string[],
  missed: readonly string[],
): string {
  const resume = loop.phase === "paused" ? " It is paused; resume it with: loop continue" : "";
  if (loop.workflow === null)
    return `Recorded. The agent hears it ${isDriven(loop) ? "in its next turn" : "when it stops next"}.${resume}`;
  const lines = [
    `Recorded. ${task === null ? "Every attempt that starts from now on" : `Each attempt at ${task} from now on`} hears it.${resume}`,
    ...(reached.length === 0 ? [] : [`At work, and told in the next turn: ${nameList(reached)}`]),
    ...(missed.length === 0
      ? []
      : [
          `At work, and not told before another attempt: ${nameList(missed)} (it runs elsewhere, or only begins)`,
        ]),
  ];
  return lines.join("\n");
}
