import type { Command } from "commander";
import { UserError } from "../../../core/user-error.ts";
import { commitLater } from "../../../engine/run/commit-of-loop.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import { commitLines } from "../../../views/commit-message.ts";
import { statusView } from "../../../views/status.ts";
import { printJson, type Context } from "../context.ts";
import type { PlanFlags } from "./task-options.ts";

export interface CommitFlags {
  readonly worktree?: boolean;
  readonly commit?: boolean;
}

/** Where the work ends up. */
export function addCommitOptions(command: Command): Command {
  return command
    .option("--worktree", "work in a worktree and on a branch of its own, and commit there at the end")
    .option("--commit", "commit verified work on your branch at the end, and nothing of yours with it");
}

/** A plan has worktrees and commits anyway. */
export function expectCommitFlags(
  { worktree, commit, plan, setup, copy }: CommitFlags & PlanFlags,
  hasTasks: boolean,
): void {
  const flag = worktree === true ? "--worktree" : commit === true ? "--commit" : null;
  if (flag !== null && hasTasks)
    throw new UserError(
      `${plan === undefined ? "A workflow" : "A plan"} works in worktrees and commits by itself; leave out ${flag}.`,
    );
  if (worktree !== true && !hasTasks && (setup !== undefined || copy !== undefined))
    throw new UserError("--setup and --copy prepare worktrees; add --worktree, or leave them out.");
}

/** The last step of a run that was killed. */
export async function commitNow(
  context: Context,
  chosen: KnownLoop,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { terminal, machine } = context;
  const why = await commitLater(machine, chosen);
  const { loop } = chosen.live;
  if (flags.json === true) printJson(context, statusView(loop, null));
  else for (const line of commitLines(loop)) terminal.print(`[LOOP] ${line}`);
  if (why !== null) terminal.complain(`loop: Not committed: ${why}.`);
  context.endWith(why === null && loop.commit?.made?.why == null ? 0 : 1);
}
