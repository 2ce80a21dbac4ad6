import { expect, test } from "vitest";
import { loopWith } from "../../test/support/loop-builders.ts";
import { stagesBegun } from "../../test/support/stage-builders.ts";
import { adopted, branchBegun, commit, planned } from "../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../core/event.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { whyNone } from "./undo.ts";

function why(...events: readonly LoopEvent[]): string {
  const loop = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, ...events);
  return whyNone({ live: { loop }, workplace: { root: "/project", folder: "/project" } } as LockedLoop);
}

test("a plan has no checkpoint, and says what else leads back", () => {
  const plan = adopted([planned("T-1")]);
  const delivered = (how: "moved" | "left"): LoopEvent => ({
    type: "work.delivered",
    delivery: { how, why: null },
  });
  expect(why()).toContain("no task has begun");
  expect(why(plan)).toContain("without git none can be taken");
  expect(why(plan, branchBegun, delivered("left"))).toContain("your files are as they were");
  expect(why(plan, branchBegun, delivered("moved"))).toMatch(/git reset --keep 0{12}$/);
  const begun: LoopEvent = { type: "delivery.begun", from: commit("e") };
  expect(why(plan, branchBegun, begun)).toMatch(/A run was killed while it moved main .* git log e{12}\.\.$/);
  expect(why(plan, branchBegun, begun, delivered("moved"))).toMatch(/git reset --keep e{12}$/);
  expect(why(plan, branchBegun, begun, delivered("left"))).toContain("your files are as they were");
});
