import { existsSync } from "node:fs";
import { join } from "node:path";
import { isFolder } from "../../system/files/folders.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { hasFolder } from "../../worktrees/integration/repository.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Check } from "../../core/loop/criterion.ts";
import type { EventOf } from "../../core/events/event.ts";
import { FINAL_PREFIX, type Plan, type PlannedTask } from "../../core/plan/plan.ts";

/** Before anything is opened, asked or paid: worktrees of the last commit have the folder to work in. Without git there are none. */
export async function expectStartable({ cwd, git }: Pick<Machine, "cwd" | "git">): Promise<void> {
  expectNoBareRepository(cwd);
  const { project, folder } = openingCallerLocation(cwd);
  if (findGitFolders(project.root) === null) return;
  const commit = await git.headCommit(project.root);
  if (commit === null)
    throw new UserError(
      "This repository has no commit yet, so no task can start from one; commit something first.",
    );
  if (await hasFolder(project.root, commit, folder)) return;
  throw new UserError(
    `The tasks start from the last commit, which has no folder ${oneLine(folder, 120)}; commit something in it, or start from a folder that is committed.`,
  );
}

/** A folder that is a repository's own has no files to work on, and what tasks write there would be in git's way. */
function expectNoBareRepository(folder: string): void {
  const isBare =
    existsSync(join(folder, "HEAD")) && ["objects", "refs"].every((name) => isFolder(join(folder, name)));
  if (isBare)
    throw new UserError(
      "This is a bare git repository, which has no files to work on; run it in a checkout of it.",
    );
}

const ATTEMPTS = 10;

interface Adopted {
  /** Of the whole job; they become the plan's last tasks. */
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly parallel: number;
  /** How many attempts a task may have; null: nobody has said. */
  readonly iterationLimit: number | null;
}

/** A plan as a loop takes it. */
export function planAdopted(
  plan: Plan,
  { criteria, parallel, iterationLimit }: Adopted,
): EventOf<"plan.adopted"> {
  return {
    type: "plan.adopted",
    plan: withFinalTasks(plan, criteria),
    parallel,
    attemptLimit: iterationLimit ?? ATTEMPTS,
    // A share of what is left, as attempts start.
    attemptUsd: null,
  };
}

/**
 * The criteria of the whole job, as tasks at the end: each is worked on only if its check fails then.
 * None waits for another, so that they are one wave, with one review.
 */
function withFinalTasks(
  plan: Plan,
  criteria: readonly { readonly name: string; readonly check: Check | null }[],
): Plan {
  const all = plan.tasks.map(({ id }) => id);
  const final = criteria.map(({ name, check }, index): PlannedTask => ({
    id: `${FINAL_PREFIX}-${index + 1}`,
    subject: name,
    description:
      "All other tasks are merged. See that this holds for the whole of it, and make it so if it doesn't.",
    check,
    proposed: null,
    blockedBy: all,
    files: [],
    estimateMs: null,
  }));
  return { ...plan, tasks: [...plan.tasks, ...final] };
}
