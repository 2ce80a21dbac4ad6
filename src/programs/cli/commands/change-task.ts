import type { Command } from "commander";
import type { TaskWords } from "../../../core/plan-files/task-draft.ts";
import type { Loop } from "../../../core/loop/loop.ts";
import { UserError } from "../../../core/user-error.ts";
import type { ChangedPlan } from "../../../engine/plan/change-plan.ts";
import { livingDriver, type KnownLoop } from "../../../storage/loops/known-loop.ts";
import { chooseLoop } from "../../../storage/loops/choose-loop.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { taskDetails, taskViews } from "../../../views/task.ts";
import { printJson, type Context } from "../context.ts";
import { collect } from "../options.ts";

interface Flags extends TaskWords {
  readonly loop?: string;
  readonly json?: boolean;
  readonly id?: string;
  readonly say?: string;
}

/** What a person changes in a plan, while it is worked on or paused. */
export function addTaskChanges(task: Command, context: Context): void {
  withWordOptions(task.command("add"))
    .description(
      "Adds a task to a plan that is worked on or paused. The criteria of the whole plan wait for it, too.",
    )
    .argument("<subject...>", "what to do, in one sentence")
    .option("--id <id>", "its id (default: the next number)")
    .action(async (subject: readonly string[], _: Flags, command: Command) => {
      const { addTask } = await import("../../../engine/plan/change-plan.ts");
      const flags = command.optsWithGlobals<Flags>();
      const words = { ...wordsIn(flags), subject: subject.join(" ") };
      await show(context, flags, "is added", async (chosen) =>
        addTask(context.machine, chosen, flags.id ?? null, words),
      );
    });
  withWordOptions(task.command("edit"))
    .description("Changes a task that isn't done. An attempt at it ends, and the next one begins anew.")
    .argument("<id>", "the task, such as T-001")
    .option("--subject <text>", "what to do, in one sentence")
    .action(async (id: string, _: Flags, command: Command) => {
      const { editTask } = await import("../../../engine/plan/change-plan.ts");
      const flags = command.optsWithGlobals<Flags>();
      const words = wordsIn(flags);
      if (Object.keys(words).length === 0)
        throw new UserError(
          "Say what to change: --subject, --description, --verify, --blocked-by or --files.",
        );
      await show(context, flags, "is changed", async (chosen) =>
        editTask(context.machine, chosen, asWritten(chosen, id), words),
      );
    });
  task
    .command("skip")
    .description("Leaves a task out. Tasks that wait for it no longer do.")
    .argument("<id>", "the task, such as T-001")
    .argument("[reason...]", "why")
    .action(async (id: string, reason: readonly string[], _: Flags, command: Command) => {
      const { skipTask } = await import("../../../engine/plan/change-plan.ts");
      const why = reason.length === 0 ? "a person left it out" : reason.join(" ");
      await show(context, command.optsWithGlobals<Flags>(), "is left out", async (chosen) =>
        skipTask(context.machine, chosen, asWritten(chosen, id), why),
      );
    });
  task
    .command("retry")
    .description("Has a task that was given up or left out tried once more.")
    .argument("<id>", "the task, such as T-001")
    .option("--say <text>", "tell its next attempt this")
    .action(async (id: string, _: Flags, command: Command) => {
      const { retryTask } = await import("../../../engine/plan/change-plan.ts");
      const flags = command.optsWithGlobals<Flags>();
      await show(context, flags, "is tried again", async (chosen) =>
        retryTask(context.machine, chosen, asWritten(chosen, id), flags.say ?? null),
      );
    });
}

function withWordOptions(command: Command): Command {
  return command
    .option("--description <text>", "what else to know about it")
    .option("--verify <command>", "the check that shows that it is done")
    .option("--blocked-by <id>", "a task that has to be done first (repeatable)", collect)
    .option("--files <glob>", "files that it changes (repeatable)", collect);
}

function wordsIn({ subject, description, verify, blockedBy, files }: Flags): TaskWords {
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(description === undefined ? {} : { description }),
    ...(verify === undefined ? {} : { verify }),
    ...(blockedBy === undefined ? {} : { blockedBy }),
    ...(files === undefined ? {} : { files }),
  };
}

async function show(
  context: Context,
  flags: Flags,
  what: string,
  change: (chosen: KnownLoop) => Promise<ChangedPlan>,
): Promise<void> {
  const { machine, terminal } = context;
  const { loop, task, notices } = await change(await chooseLoop(machine, flags.loop, { anySession: true }));
  for (const notice of notices) terminal.complain(`loop: ${oneLine(notice, 300)}`);
  if (flags.json) {
    const view = taskViews(loop).find(({ id }) => id === task.id);
    return printJson(context, view === undefined ? {} : { task: taskDetails(loop, view, new Map()) });
  }
  return terminal.print(`${task.id} ${what}.${nextText(loop)}`);
}

function nextText(loop: Loop): string {
  if (loop.phase === "paused") return ` Resume: loop continue --loop ${loop.id}`;
  return livingDriver(loop) === null ? "" : " Its run continues with that.";
}

/** As the plan writes it: people type ids in any case. */
function asWritten({ live: { loop } }: KnownLoop, id: string): string {
  const tasks = loop.workflow?.plan.tasks ?? [];
  return tasks.find((task) => task.id.toLowerCase() === id.toLowerCase())?.id ?? oneLine(id, 40);
}
