import { InvalidArgumentError, type Command } from "commander";
import type { KeptCheckpoint, Undone } from "../../../engine/lifecycle/undo.ts";
import {
  changesToUndo,
  checkpointsOf,
  latestOf,
  undoIteration,
  whyNone,
} from "../../../engine/lifecycle/undo.ts";
import { chooseUndoable, type Undoable } from "../../../engine/lifecycle/undoable.ts";
import { UserError } from "../../../core/user-error.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { fileChangeLines } from "../../../views/terminal/file-change-lines.ts";
import { printJson, type Context } from "../context.ts";
import { isAgreed } from "../questions/choose.ts";

interface Flags {
  readonly loop?: string;
  readonly list?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addUndo(program: Command, context: Context): void {
  program
    .command("undo")
    .description(
      "Restores the worktree to the checkpoint before an iteration of `loop run`: the last one, or the one you name. Commits, the index and ignored files stay as they are. The undone files are kept too, so you can get them back. It works from git's refs alone, also after `git clean -fdx` took the loop's journal.",
    )
    .argument("[iteration]", "before which iteration (default: the last)", parseName)
    .option("--list", "list the checkpoints")
    .option("-y, --yes", "do not ask")
    .option("--loop <id>", "which loop (default: the one driven last); the start of its id is enough")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop undo\n  $ loop undo 2 --yes\n  $ loop undo --list")
    .action(async (name: string | undefined, flags: Flags) => undo(context, name, flags));
}

/** As shown by `--list`. */
function parseName(text: string): string {
  if (/^(?:[1-9]\d*\.)?[1-9]\d*$/.test(text)) return text;
  throw new InvalidArgumentError("Expected the number of an iteration, as shown by: loop undo --list");
}

async function undo(context: Context, name: string | undefined, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const chosen = await chooseUndoable(machine, flags.loop);
  const checkpoints = await checkpointsOf(chosen);
  if (flags.list) return list(context, chosen, checkpoints, flags);
  const checkpoint =
    name === undefined ? await latestOf(chosen, checkpoints) : checkpoints.find((each) => each.name === name);
  if (checkpoint === undefined) throw new UserError(await missing(chosen, checkpoints, name));
  const changes = await changesToUndo(machine, chosen, checkpoint);
  if (changes === null)
    throw new UserError(`The checkpoint before iteration ${checkpoint.name} cannot be read; see: git fsck`);
  if (changes.length === 0) {
    const nothing = `Nothing to undo: the files are as they were before iteration ${checkpoint.name} of ${chosen.id}.`;
    const earlier = await earlierWork(context, chosen, checkpoints, checkpoint);
    const named = flags.loop === undefined ? "" : ` --loop ${chosen.id}`;
    const hint = earlier === null ? "" : ` To undo what came before it: loop undo ${earlier.name}${named}`;
    return terminal.print(`${nothing}${hint}`);
  }
  if (flags.yes !== true && !flags.json) {
    terminal.print(`All changes since iteration ${checkpoint.name} of ${chosen.id} began, yours included:`);
    for (const line of fileChangeLines(terminal, changes)) terminal.print(line);
    if (!terminal.isInteractive)
      throw new UserError("Cannot ask without a terminal; add --yes to undo this.");
    const question = `Undo this, back to before iteration ${checkpoint.name}?`;
    if (!(await isAgreed(context, flags, question))) return undefined;
  }
  const undone = await undoIteration(machine, chosen, checkpoint);
  if (flags.json) return printJson(context, undone);
  terminal.print(
    `Back to before iteration ${undone.name} of ${chosen.id}: ${countOf(undone.restored)} restored, ${undone.removed} removed.`,
  );
  if (undone.commit !== null) terminal.print(commitText(undone.commit));
  if (undone.left.length > 0)
    terminal.print(`Left as they are: ${undone.left.map((path) => oneLine(path, 80)).join(", ")}`);
  terminal.print(
    terminal.paint("dim", `To get it back: git restore --source=${undone.before.slice(0, 12)} -- :/`),
  );
  return undefined;
}

/** The last checkpoint before this one whose files differ from the present ones: an iteration may have changed nothing. */
async function earlierWork(
  { machine }: Context,
  chosen: Undoable,
  checkpoints: readonly KeptCheckpoint[],
  checkpoint: KeptCheckpoint,
): Promise<KeptCheckpoint | null> {
  for (const each of checkpoints.slice(0, checkpoints.indexOf(checkpoint)).toReversed()) {
    const changes = await changesToUndo(machine, chosen, each);
    if (changes !== null && changes.length > 0) return each;
  }
  return null;
}

function commitText({ id, branch, isTakenBack }: NonNullable<Undone["commit"]>): string {
  const commit = id.slice(0, 8);
  return isTakenBack
    ? `The commit ${commit} is no longer on ${branch}.`
    : `The commit ${commit} stays on ${branch}, which has moved since; take it back with: git revert ${commit}`;
}

function countOf(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}

async function list(
  context: Context,
  chosen: Undoable,
  checkpoints: readonly KeptCheckpoint[],
  flags: Flags,
): Promise<void> {
  if (flags.json) return printJson(context, { checkpoints });
  if (checkpoints.length === 0) return context.terminal.print(await whyNone(chosen));
  context.terminal.print(`Checkpoints of ${chosen.id}:`);
  for (const { name, commit, at } of checkpoints) {
    context.terminal.print(
      `before iteration ${name}  ${commit.slice(0, 12)}  ${new Date(at).toISOString().slice(0, 19).replace("T", " ")}`,
    );
  }
  return undefined;
}

async function missing(
  chosen: Undoable,
  checkpoints: readonly KeptCheckpoint[],
  name: string | undefined,
): Promise<string> {
  if (checkpoints.length === 0) return whyNone(chosen);
  const kept = checkpoints.map((each) => each.name).join(", ");
  return `No checkpoint before iteration ${name} of ${chosen.id}; available: ${kept}.`;
}
