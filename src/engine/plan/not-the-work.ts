import type { Examination } from "../../verify/checks/run-checks.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { listed } from "../../core/listed.ts";
import { runGit } from "../../system/git/run-git.ts";
import { isNamedAsExpected } from "../../verify/definitions/test-files.ts";
import { noteWritten, writtenFiles } from "../../verify/baseline/loop-openings.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { isLinked } from "../../worktrees/attempts/git-link.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";

const MOST_NAMED = 3;

/** Before any agent works: what setup and checks add to a fresh worktree, remembered and told. */
export function noteWrittenAtStart(
  { machine, project, loop }: WorkshopOptions,
  bySetup: readonly string[],
  { written }: Pick<Examination, "written">,
  tell: (sentence: string) => void,
): void {
  const byChecks = [...written.values()].flat();
  noteWritten({ home: machine.home, root: project.root, id: loop }, [...bySetup, ...byChecks]);
  if (bySetup.length > 0) tell(`Setup ${addsFiles(bySetup)}`);
  for (const [task, paths] of written) tell(`The check of ${task} ${addsFiles(paths)}`);
}

function addsFiles(paths: readonly string[]): string {
  const names = listed(
    paths.map((path) => oneLine(path, 80)),
    MOST_NAMED,
  );
  return `changes the project's files when it runs (${names}); make git ignore what it writes. Such files are left out of the tasks' commits.`;
}

/** The files that only setup and checks added, before the plan's work and in an attempt. What tests expect is work, whoever writes it. */
export function writtenIn({ machine, project, loop }: WorkshopOptions, attempt: LoopId): readonly string[] {
  const ids = [loop, attempt];
  return ids
    .flatMap((id) => writtenFiles({ home: machine.home, root: project.root, id }))
    .filter((path) => !isNamedAsExpected(path));
}

/** The files that an agent handed to git in its worktree; null: unknown. */
export async function trackedIn(root: string, worktree: string): Promise<ReadonlySet<string> | null> {
  if (!isLinked(root, worktree)) return null;
  const { ok, stdout } = await runGit({ root: worktree, args: ["ls-files", "-z"] });
  return ok ? new Set(stdout.toString("utf8").split("\0")) : null;
}
