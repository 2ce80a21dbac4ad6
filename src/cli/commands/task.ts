import type { Command } from "commander";
import { chooseLoopToRead } from "../../loops/choose-loop.ts";
import { UserError } from "../../loops/user-error.ts";
import { oneLine } from "../../text/plain-text.ts";
import { taskDetails, taskViews } from "../../views/task-view.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { taskText, tasksText } from "../task-text.ts";

interface Flags {
  readonly loop?: string;
  readonly json?: boolean;
}

export function addTask(program: Command, context: Context): void {
  const task = program
    .command("task")
    .description("Shows the tasks of a loop: their state, wave, attempts and blockers.")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop task\n  $ loop task show T-001\n  $ loop task list --json")
    .action(async (flags: Flags) => list(context, flags));
  task
    .command("list")
    .description("Shows all tasks, as `loop task` does.")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print them as JSON")
    .action(async (_: Flags, command: Command) => list(context, command.optsWithGlobals<Flags>()));
  task
    .command("show")
    .description("Shows one task: what it says, its check, and what its attempts came to.")
    .argument("<id>", "the task, such as T-001")
    .option("--loop <id>", "which loop, if several are open")
    .option("--json", "print it as JSON")
    .action(async (id: string, _: Flags, command: Command) =>
      show(context, id, command.optsWithGlobals<Flags>()),
    );
}

async function list(context: Context, flags: Flags): Promise<void> {
  const { live } = await chooseLoopToRead(context.machine, flags.loop);
  const tasks = taskViews(live.loop);
  if (flags.json) return printJson(context, { tasks });
  if (tasks.length === 0) return context.terminal.print(`The loop ${live.loop.id} has no tasks.`);
  return context.terminal.print(tasksText(context.terminal, tasks));
}

async function show(context: Context, id: string, flags: Flags): Promise<void> {
  const { live } = await chooseLoopToRead(context.machine, flags.loop);
  const tasks = taskViews(live.loop);
  const view = tasks.find((each) => each.id.toLowerCase() === id.toLowerCase());
  if (view === undefined)
    throw new UserError(
      `The loop ${live.loop.id} has no task "${oneLine(id, 40)}"; see them with: loop task`,
    );
  const details = taskDetails(live.loop, view);
  if (flags.json) return printJson(context, { task: details });
  return context.terminal.print(taskText(context.terminal, details));
}
