import { join } from "node:path";
import { takeResources } from "../opening/checks-of-loop.ts";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { listed } from "../../core/listed.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { PlanChoice } from "../run/agent-choice.ts";
import { loopFolder, type Project } from "../../storage/home/project.ts";
import type { AddedWorktree } from "../../worktrees/attempts/add-worktree.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { copyFiles } from "../../worktrees/attempts/copy-files.ts";
import { detectSetup, runSetup } from "../../worktrees/attempts/setup.ts";
import type { Examination } from "../../verify/checks/run-checks.ts";
import { fileList } from "../../views/file-list.ts";
import { runGit } from "../../system/git/run-git.ts";
import { isNamedAsExpected } from "../../verify/definitions/test-files.ts";
import { noteWritten, writtenFiles } from "../../verify/baseline/loop-baselines.ts";
import { isLinked } from "../../worktrees/attempts/marker.ts";

export interface WorkspaceOptions {
  readonly machine: Machine;
  readonly project: Project;
  readonly loop: LoopId;
  /** Below the project's root: where the checks run. */
  readonly folder: string;
  /** How the plan is worked on. */
  readonly how: Pick<PlanChoice, "setup" | "copies" | "diskBytes">;
  /** What setup and checks added where the plan began, if that was on another machine: here nobody noted it. */
  readonly written?: readonly string[];
}

const SETUP_LIMIT_MS = 20 * 60_000;

/** Where checks run in a worktree that no attempt works in. */
export function siteIn(
  { machine, project, loop, folder }: WorkspaceOptions,
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): CheckSite {
  return {
    root,
    folder: join(root, folder),
    evidenceFolder: join(loopFolder(project, loop), "evidence"),
    protects: [],
    env: { ...machine.env, ...env },
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(root),
    progress: machine.progress,
    takeResources: async (until) => takeResources(machine, { project, folder }, until),
    signal,
  };
}

const MOST_NAMED = 3;

/** Why the dependencies aren't there; null: they are, or somebody stopped it. `tell`: of what was asked for and can't be had. */
export async function setUp(
  { machine, project, folder, how }: WorkspaceOptions,
  worktree: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  tell: (sentence: string) => void = () => {},
): Promise<string | null> {
  const { left } = await copyFiles({ root: project.root, worktree, named: how.copies });
  const uncopied = left.map(({ path, why }) => `${oneLine(path, 80)} (${why})`);
  if (uncopied.length > 0) tell(`Worktrees get no copy of ${listed(uncopied, MOST_NAMED)}.`);
  const { steps, missing } = detectSetup(worktree, machine.env);
  for (const program of how.setup === null ? missing : [])
    tell(
      `A lock file asks for ${program}, which isn't installed. Install it, or name what prepares a worktree: --setup COMMAND`,
    );
  const commands = how.setup ?? steps.map(({ command }) => command);
  if (commands.length === 0) return null;
  const giveBack = await takeResources(machine, { project, folder }, signal).catch((error: unknown) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (giveBack === null) return null;
  const outcome = await runSetup({
    commands,
    folder: worktree,
    env: { ...machine.env, ...env },
    passEnv: [],
    timeoutMs: SETUP_LIMIT_MS,
    signal,
    run: machine.processes.run,
  }).finally(giveBack);
  if (outcome.type === "ready") return null;
  return `\`${outcome.command}\` ${outcome.why}\n${outcome.outputTail}`;
}

export function whyNotAdded(added: Exclude<AddedWorktree, { readonly type: "there" }>): string {
  switch (added.type) {
    case "no-repository":
      return "There is no repository any more.";
    case "no-commit":
      return "The commit to start from is no longer in the repository.";
    case "in-the-way":
      return `Something else is at ${added.path}; move it away.`;
    case "failed":
      return added.why;
  }
}

/** Before any agent works: what setup and checks add to a fresh worktree, remembered and told. */
export function noteWrittenAtStart(
  { machine, project, loop }: WorkspaceOptions,
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
  return `changes the project's files when it runs (${fileList(paths)}); make git ignore what it writes. Such files are left out of the tasks' commits.`;
}

/** The files that only setup and checks of these loops added. What tests expect is work, whoever writes it. */
export function writtenIn(
  { machine, project, written = [] }: Pick<WorkspaceOptions, "machine" | "project" | "written">,
  loops: readonly LoopId[],
): readonly string[] {
  const noted = loops.flatMap((id) => writtenFiles({ home: machine.home, root: project.root, id }));
  return [...written, ...noted].filter((path) => !isNamedAsExpected(path));
}

/** The files that an agent handed to git where it works; null: unknown. */
export async function trackedIn(root: string, worktree: string): Promise<ReadonlySet<string> | null> {
  if (root !== worktree && !isLinked(root, worktree)) return null;
  const { ok, stdout } = await runGit({ root: worktree, args: ["ls-files", "-z"] });
  return ok ? new Set(stdout.toString("utf8").split("\0")) : null;
}
