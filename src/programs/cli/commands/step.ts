import type { Command } from "commander";
import { changeStep, type StepChange } from "../../../engine/lifecycle/amend.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { stepDoneLine } from "../../../views/loop-lines.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

const CHANGES: readonly (readonly [change: StepChange, description: string])[] = [
  ["add", "Adds a step at the end."],
  ["done", "Marks a step as done."],
  ["reopen", "Marks a step as not done."],
  ["remove", "Removes a step."],
];

export function addStep(program: Command, context: Context): void {
  const { machine, terminal } = context;
  const step = program
    .command("step")
    .description("Shows the steps of a loop and changes them while it runs.")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print them as JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ loop step\n  $ loop step add 'write the tests'\n  $ loop step done 'write the tests'",
    )
    .action(async (flags: Flags) => {
      const { live } = await chooseLoop(machine, flags.loop, { isRead: true });
      const { steps } = topFrame(live.loop);
      if (flags.json) return printJson(context, { steps });
      if (steps.length === 0)
        return terminal.print("No steps yet; add one with: loop step add 'write the tests'");
      return terminal.print(
        steps.map(({ name, done }) => `${done ? "✓" : "○"} ${oneLine(name, 100)}`).join("\n"),
      );
    });
  for (const [change, description] of CHANGES) {
    step
      .command(change)
      .description(description)
      .argument("<name>", "the step")
      .option("--loop <id>", "which loop, if several are open")
      .action(async (name: string, _flags: Flags, command: Command) => {
        const loop = await changeStep(
          machine,
          await chooseLoop(machine, command.optsWithGlobals<Flags>().loop),
          change,
          name,
        );
        const { steps } = topFrame(loop);
        const done = steps.filter((each) => each.done).length;
        terminal.print(change === "done" ? stepDoneLine(loop, name) : `Steps: ${done}/${steps.length} done.`);
      });
  }
}
