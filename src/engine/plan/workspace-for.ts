import { findGitFolders } from "../../system/git/git-files.ts";
import { siteIn, type WorkspaceOptions } from "./fresh-worktree.ts";
import { gitWorkspace } from "./git-workspace.ts";
import type { Workspace } from "./workspace.ts";
import { runChecks } from "../../verify/checks/run-checks.ts";
import { checksOfTasks, openingOfPlan, openPlan } from "./plan-checks.ts";
import { workflowOf } from "./take-workflow.ts";
import { mayStart } from "./tried-checks.ts";

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
    keepCarry: async () => undefined,
    siteAt: async (_commit, signal) => ({ type: "ready", site: siteIn(options, root, {}, signal) }),
    deliver: async () => null,
    tidy: async () => undefined,
  };
}
