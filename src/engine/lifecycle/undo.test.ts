import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import { stagesBegun } from "../../../test/support/stage-builders.ts";
import { adopted, branchBegun, commit, done, planned } from "../../../test/support/workflow-builders.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { whyNone } from "./undo.ts";

async function why(...events: readonly LoopEvent[]): Promise<string> {
  const loop = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, ...events);
  const known = { live: { loop, project: { root: "/project" } } } as KnownLoop;
  return whyNone({ id: loop.id, root: "/project", known });
}

test("a plan has no checkpoint, and says what else leads back", async () => {
  const plan = adopted([planned("T-1")]);
  const work = [branchBegun, ...done("T-1", 1)];
  const delivered = (how: "moved" | "left"): LoopEvent => ({
    type: "work.delivered",
    delivery: { how, why: null },
  });
  expect(await why()).toContain("no task has begun");
  expect(await why(plan)).toContain("without git none can be taken");
  expect(await why(plan, ...work, delivered("left"))).toContain("your files are as they were");
  expect(await why(plan, ...work, delivered("moved"))).toMatch(/git reset --keep 0{12}$/);
  // Nothing was merged.
  expect(await why(plan, branchBegun, delivered("moved"))).toContain("your files are as they were");
  const begun: LoopEvent = { type: "delivery.begun", from: commit("e") };
  expect(await why(plan, ...work, begun)).toMatch(
    /A run was killed while it moved main .* git log e{12}\.\.$/,
  );
  expect(await why(plan, ...work, begun, delivered("moved"))).toMatch(/git reset --keep e{12}$/);
  expect(await why(plan, ...work, begun, delivered("left"))).toContain("your files are as they were");
});
