import type { Command } from "commander";
import type { AttemptWorktree, Removal } from "../../../engine/plan/attempt-worktrees.ts";
import { attemptWorktrees, removeDeadWorktrees } from "../../../engine/plan/attempt-worktrees.ts";
import { bytesText } from "../../../system/text/quantities.ts";
import { padded } from "../../../system/text/display-width.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { printJson, type Context } from "../context.ts";
import type { Style, Terminal } from "../../../views/terminal/terminal.ts";

interface Flags {
  readonly json?: boolean;
  readonly remove?: boolean;
}

export function addWorktrees(program: Command, context: Context): void {
  program
    .command("worktrees")
    .description(
      "Shows the worktrees in which `loop run --worktree` and attempts at the tasks of plans work: live (somebody works in it), resumable (loop continue resumes there) or dead, with what each takes on the disk. They are in this machine's state folder, not in the project.",
    )
    .option("--remove", "remove the dead ones whose files are all kept in a commit")
    .option("--json", "print them as JSON")
    .addHelpText("after", "\nExamples:\n  $ loop worktrees\n  $ loop worktrees --remove")
    .action(async (flags: Flags) => show(context, flags));
}

async function show(context: Context, flags: Flags): Promise<void> {
  const { machine, terminal } = context;
  const listed = await attemptWorktrees(machine);
  const removals = flags.remove === true ? await removeDeadWorktrees(machine, listed) : [];
  if (removals.some(({ refusal }) => refusal !== null)) context.endWith(1);
  if (flags.json) return printJson(context, { worktrees: listed.map((each) => viewOf(each, removals)) });
  if (listed.length === 0) return terminal.print("There are no worktrees of loops for this project.");
  if (flags.remove === true) return terminal.print(removalText(terminal, removals));
  return terminal.print(listText(terminal, listed));
}

function viewOf(worktree: AttemptWorktree, removals: readonly Removal[]): object {
  const { path, loop, name, commit, state, isThere, isLinked, use } = worktree;
  const removal = removals.find((each) => each.worktree === worktree);
  return {
    path,
    loop,
    name,
    commit,
    state,
    isThere,
    isLinked,
    bytes: use.bytes,
    isAtLeast: use.isAtLeast,
    ...(removal === undefined ? {} : { removed: removal.refusal === null, refusal: removal.refusal }),
  };
}

const STYLES: { readonly [State in AttemptWorktree["state"]]: Style } = {
  live: "cyan",
  resumable: "bold",
  dead: "dim",
};

function listText(terminal: Terminal, listed: readonly AttemptWorktree[]): string {
  const nameWidth = Math.max(...listed.map(({ name }) => name.length));
  const loopWidth = Math.max(...listed.map(({ loop }) => loop.length));
  const lines = listed.map((each) => {
    const state = terminal.paint(STYLES[each.state], padded(each.state, "resumable".length));
    return `${state}  ${padded(each.name, nameWidth)}  ${padded(each.loop, loopWidth)}  ${padded(sizeOf(each), 9)}  ${terminal.paint("dim", oneLine(each.path, 300))}`;
  });
  const dead = listed.filter(({ state }) => state === "dead");
  const hint = dead.length === 0 ? "" : `; ${dead.length} dead: loop worktrees --remove`;
  return [...lines, `${counted(listed)}, ${totalOf(listed)}${hint}`].join("\n");
}

function removalText(terminal: Terminal, removals: readonly Removal[]): string {
  if (removals.length === 0) return "No worktree is dead, so nothing was removed.";
  const { paint } = terminal;
  const removed = removals.filter(({ refusal }) => refusal === null).map(({ worktree }) => worktree);
  const lines = removals.map(({ worktree: { name, loop }, refusal }) =>
    refusal === null
      ? `${paint("green", "✓")} ${name} of ${loop} was removed`
      : `${paint("yellow", "!")} ${name} of ${loop} is left: ${oneLine(refusal, 600)}`,
  );
  return [...lines, `${counted(removed)} removed, ${totalOf(removed)}`].join("\n");
}

function counted({ length }: readonly unknown[]): string {
  return `${length} worktree${length === 1 ? "" : "s"}`;
}

function sizeOf({ use: { bytes, isAtLeast } }: Pick<AttemptWorktree, "use">): string {
  return `${isAtLeast ? "≥ " : ""}${bytesText(bytes)}`;
}

function totalOf(listed: readonly AttemptWorktree[]): string {
  const bytes = listed.reduce((sum, { use }) => sum + use.bytes, 0);
  return sizeOf({ use: { bytes, isAtLeast: listed.some(({ use }) => use.isAtLeast) } });
}
