import type { Command } from "commander";
import { chooseLoopToRead } from "../../app/find-loop.ts";
import type { KeptCheckpoint } from "../../app/undo.ts";
import { changesToUndo, checkpointsOf, undoIteration } from "../../app/undo.ts";
import { UserError } from "../../app/user-error.ts";
import { oneLine } from "../../views/loop-lines.ts";
import { confirm } from "../ask.ts";
import { changeLines } from "../change-lines.ts";
import type { Context } from "../context.ts";
import { printJson } from "../context.ts";
import { parseCount } from "../options.ts";

interface Flags {
  readonly loop?: string;
  readonly list?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addUndo(program: Command, context: Context): void {
  program
    .command("undo")
    .summary("bring the files back to what they were before an iteration of a run")
    .description(
      "Brings the files of the worktree back to the checkpoint before an iteration that `loop run` drove: the last one, or the one that is named. Commits, the index and ignored files stay as they are. What is undone is kept, too, and can be brought back.",
    )
    .argument("[iteration]", "before which iteration (default: the last)", parseCount)
    .option("--list", "show the checkpoints there are")
    .option("-y, --yes", "do not ask")
    .option("--loop <id>", "which loop, if several are open; the beginning of its id is enough")
    .option("--json", "print what was done as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop undo\n  $ loop undo 2 --yes\n  $ loop undo --list")
    .action(async (iteration: number | undefined, flags: Flags) => undo(context, iteration, flags));
}

async function undo(context: Context, iteration: number | undefined, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const chosen = chooseLoopToRead(machine, flags.loop);
  const checkpoints = await checkpointsOf(chosen);
  if (flags.list) return list(context, checkpoints, flags);
  const checkpoint =
    iteration === undefined ? checkpoints.at(-1) : checkpoints.find((each) => each.iteration === iteration);
  if (checkpoint === undefined) throw new UserError(missing(checkpoints, iteration));
  const changes = await changesToUndo(machine, chosen, checkpoint);
  if (changes === null)
    throw new UserError(
      `The checkpoint before iteration ${checkpoint.iteration} cannot be read; see: git fsck`,
    );
  if (changes.length === 0) {
    return terminal.print(
      `Nothing to undo: the files are as they were before iteration ${checkpoint.iteration}.`,
    );
  }
  if (flags.yes !== true && !flags.json) {
    for (const line of changeLines(terminal, changes)) terminal.print(line);
    if (!terminal.isInteractive) throw new UserError("Nobody is here to be asked; add --yes to undo this.");
    if (!(await confirm(`Undo this, back to before iteration ${checkpoint.iteration}?`))) return undefined;
  }
  const undone = await undoIteration(machine, chosen, checkpoint);
  if (flags.json) return printJson(context, undone);
  terminal.print(
    `Back to before iteration ${undone.iteration}: ${undone.restored} files restored, ${undone.removed} removed.`,
  );
  if (undone.left.length > 0)
    terminal.print(`Left as they are: ${undone.left.map((path) => oneLine(path, 80)).join(", ")}`);
  terminal.print(
    terminal.paint("dim", `To have it back: git restore --source=${undone.before.slice(0, 12)} -- :/`),
  );
  return undefined;
}

function list(context: Context, checkpoints: readonly KeptCheckpoint[], flags: Flags): void {
  if (flags.json) return printJson(context, { checkpoints });
  if (checkpoints.length === 0) return context.terminal.print(missing(checkpoints, undefined));
  for (const { iteration, commit, at } of checkpoints) {
    context.terminal.print(
      `before iteration ${iteration}  ${commit.slice(0, 12)}  ${new Date(at).toISOString().slice(0, 19).replace("T", " ")}`,
    );
  }
  return undefined;
}

function missing(checkpoints: readonly KeptCheckpoint[], iteration: number | undefined): string {
  if (checkpoints.length === 0)
    return "There is no checkpoint: they are kept before each iteration of `loop run` in a git repository.";
  const kept = checkpoints.map((each) => each.iteration).join(", ");
  return `There is no checkpoint before iteration ${iteration}; there are: ${kept}.`;
}
