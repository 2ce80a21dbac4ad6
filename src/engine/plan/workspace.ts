import type { CheckSite } from "../../verify/checks/check-site.ts";
import { type NamedCheck, runChecks } from "../../verify/checks/run-checks.ts";
import type { Confidence } from "../../core/loop/loop.ts";
import type { Delivery, Setback, Workflow } from "../../core/plan/workflow.ts";
import type { Room } from "./attempt-worktrees.ts";
import type { Merged } from "./merge-results.ts";
import type { AttemptEnvelope, AttemptOutcome } from "./executor.ts";
import type { Foreseen } from "./conflict-forecast.ts";
import { type WorkflowContext, workflowOf } from "./take-workflow.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { siteIn, type WorkspaceOptions } from "./fresh-worktree.ts";
import { gitWorkspace } from "./git-workspace.ts";
import { checksOfTasks, openingOfPlan, openPlan } from "./plan-checks.ts";
import { mayStart } from "./tried-checks.ts";

/** What an attempt finds when it begins to work. */
type Prepared =
  /** `release` when the attempt is over: its slot is free for others. */
  | { readonly type: "ready"; readonly env: NodeJS.ProcessEnv; readonly release: () => void }
  | { readonly type: "failed"; readonly setback: Setback }
  | Extract<AttemptOutcome, { readonly type: "stopped" | "paused" }>;

type SiteOfMerge =
  | { readonly type: "ready"; readonly site: CheckSite }
  /** The merged files can't be set up: their own fault. */
  | { readonly type: "no-setup"; readonly why: string }
  | { readonly type: "failed"; readonly why: string };

/** Where attempts work and their results go: worktrees and a branch of their own, or without git the project itself. */
export interface Workspace {
  readonly isInPlace: boolean;
  readonly pathOf: (task: string, number: number) => string | null;
  /** Before anybody is paid: the branch, and setup and checks tried once. False: it can't begin, and the journal says why. */
  readonly makeReady: (context: WorkflowContext) => Promise<boolean>;
  /** How many more attempts there is room for on the disk; null: as many as there may be. */
  readonly room: (workflow: Workflow) => Promise<Room | null>;
  /** What the attempts so far show of the files that tasks touch. */
  readonly foresee: (workflow: Workflow) => Promise<Foreseen>;
  /** `isOpened`: an earlier process has come as far as to open the attempt's loop. */
  readonly prepare: (
    envelope: AttemptEnvelope,
    how: { readonly isOpened: boolean },
    signal: AbortSignal,
  ) => Promise<Prepared>;
  /** Puts the files of the commit that the attempt carries on into its worktree; null: they are there, or somebody has worked there since. */
  readonly layOver: (
    envelope: AttemptEnvelope,
    how: { readonly ifUntouched: boolean },
  ) => Promise<Extract<AttemptOutcome, { readonly type: "set-back" | "paused" }> | null>;
  /** Keeps the result before anything else happens to it. `checked`: digests of the files that its checks ran on. */
  readonly keepResult: (
    envelope: AttemptEnvelope,
    shown: { readonly confidence: Confidence; readonly checked: readonly string[] },
  ) => Promise<AttemptOutcome>;
  /** Keeps the files of an attempt that came to nothing; null: they are kept. */
  readonly keepUnfinished: (envelope: AttemptEnvelope) => Promise<AttemptOutcome | null>;
  /** Whether the attempt itself ran all of these checks on the very files that its merge has. */
  readonly wasChecked: (
    workflow: Workflow,
    merged: Merged,
    checks: readonly NamedCheck[],
  ) => Promise<boolean>;
  /** The files that commits of the loop's branch changed, by commit; null: git doesn't say. */
  readonly touched: (commits: readonly string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>> | null>;
  /** Keeps a commit while it is checked whether it may be on the loop's branch; one at a time. False: git can't. */
  readonly keepMerging: (merge: { readonly commit: string; readonly onto: string }) => Promise<boolean>;
  /** Keeps a commit that is about to be on the loop's branch no longer, and that attempts may have started from. */
  readonly keepUndone: (merges: number, commit: string) => Promise<void>;
  /** Keeps a commit that the next attempt starts with. */
  readonly keepCarry: (task: string, number: number, commit: string) => Promise<void>;
  /**
   * A worktree with the files of a commit, for checks after a merge; or why it can't be had. Ignored files of earlier checks stay
   * there, such as dependencies. `isFresh`: they don't. Without git there is no commit, and it is the project itself.
   */
  readonly siteAt: (
    commit: string | null,
    signal: AbortSignal,
    how?: { readonly isFresh?: boolean },
  ) => Promise<SiteOfMerge>;
  /** What becomes of the loop's branch at the end; null where there is none. `begin` is called before the user's own is moved from that commit. */
  readonly deliver: (
    workflow: Workflow,
    begin: (from: string) => Promise<boolean>,
  ) => Promise<Delivery | null>;
  /**
   * Removes worktrees that nobody needs any more and whose files are all kept. `isOver`: nobody needs any of them. `isCancelled`: nor
   * a branch without work on it.
   */
  readonly tidy: (
    workflow: Workflow,
    how: { readonly isOver: boolean; readonly isCancelled?: boolean },
  ) => Promise<void>;
}

/** Worktrees where there is a repository; without one, the project itself. */
export function workspaceFor(options: WorkspaceOptions): Workspace {
  return findGitFolders(options.project.root) === null ? inPlaceWorkspace(options) : gitWorkspace(options);
}

/** Without git: one task at a time, in the project's own files. */
function inPlaceWorkspace(options: WorkspaceOptions): Workspace {
  const { machine, project, loop, folder } = options;
  const { root } = project;
  return {
    isInPlace: true,
    pathOf: () => null,
    makeReady: async (context) => {
      const { plan, attempts } = workflowOf(context.live.loop);
      if (attempts.length > 0) return true;
      context.tell({ type: "preparing", what: "Trying every check before any work." });
      const { now: signal } = context.interrupts;
      const all = checksOfTasks(plan.tasks);
      const checks = all.filter(({ check }) => check.use === undefined);
      const looked = await runChecks(siteIn(options, root, {}, signal), checks);
      if (signal.aborted) return false;
      const which = openingOfPlan(machine.home, root, loop);
      await openPlan(which, { worktree: root, folder, now: machine.now() }, all, looked);
      return mayStart(context, plan, looked, root);
    },
    room: async () => null,
    foresee: async () => () => null,
    prepare: async () => ({ type: "ready", env: {}, release: () => undefined }),
    layOver: async () => null,
    keepResult: async (_envelope, { confidence }) => ({
      type: "finished",
      commit: null,
      confidence,
      doubts: [],
    }),
    keepUnfinished: async () => null,
    wasChecked: async () => true,
    touched: async () => null,
    keepMerging: async () => true,
    keepUndone: async () => undefined,
    keepCarry: async () => undefined,
    siteAt: async (_commit, signal) => ({ type: "ready", site: siteIn(options, root, {}, signal) }),
    deliver: async () => null,
    tidy: async () => undefined,
  };
}
