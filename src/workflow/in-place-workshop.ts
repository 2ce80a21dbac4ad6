import type { WorkshopOptions } from "./fresh-worktree.ts";
import { siteIn } from "./fresh-worktree.ts";
import { checksOfTasks } from "./plan-checks.ts";
import { openingOfPlan, openPlan } from "./plan-opening.ts";
import { workflowOf } from "./take-workflow.ts";
import type { Workshop } from "./workshop.ts";

/** Without git: one task at a time, in the project's own files. */
export function inPlaceWorkshop(options: WorkshopOptions): Workshop {
  const { machine, project, loop, folder } = options;
  const { root } = project;
  return {
    isInPlace: true,
    pathOf: () => null,
    makeReady: async ({ live }) => {
      const { attempts, plan } = workflowOf(live.loop);
      if (attempts.length > 0) return true;
      // Each attempt looks at its own check before it begins.
      await openPlan(
        openingOfPlan(machine.home, root, loop),
        { worktree: root, folder, now: machine.now() },
        checksOfTasks(plan.tasks),
        {
          tree: await machine.git.readTree(root),
          evidence: new Map(),
          reports: new Map(),
          unrun: new Map(),
          written: new Map(),
        },
      );
      return true;
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
