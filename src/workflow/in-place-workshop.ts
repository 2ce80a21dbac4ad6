import { runChecks } from "../checks/run-checks.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";
import { siteIn } from "./fresh-worktree.ts";
import { checksOfTasks } from "./plan-checks.ts";
import { workflowOf } from "./take-workflow.ts";
import { mayStart } from "./tried-checks.ts";
import type { Workshop } from "./workshop.ts";

/** Without git: one task at a time, in the project's own files. */
export function inPlaceWorkshop(options: WorkshopOptions): Workshop {
  return {
    isInPlace: true,
    pathOf: () => null,
    makeReady: async (context) => {
      const { plan, attempts } = workflowOf(context.live.loop);
      if (attempts.length > 0) return true;
      context.tell({ type: "preparing", what: "Trying every check before any work." });
      const { root } = options.project;
      const { now } = context.interrupts;
      const checks = checksOfTasks(plan.tasks).filter(({ check }) => check.use === undefined);
      const looked = await runChecks(siteIn(options, root, {}, now), checks);
      return !now.aborted && mayStart(context, plan, looked, root);
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
    siteAt: async () => {
      throw new Error("nothing is merged without git");
    },
    deliver: async () => null,
    tidy: async () => undefined,
  };
}
