import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  finished,
  mergeBegun,
  merged,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import { unfinishedLeftOut } from "./step.ts";

const PLAN = [planned("T-1"), planned("T-2"), planned("T-3", ["T-2"])];
const DONE = [branchBegun, started("T-1"), finished("T-1"), mergeBegun(1, "T-1"), merged(1, "T-1")];

test("of a plan that is partly done, all that isn't is left out by the person who delivers the rest", () => {
  const { workflow } = loopWith({ goal: { exitRule: "tasks" } }, adopted(PLAN), ...DONE);
  expect(unfinishedLeftOut(workflow)).toEqual(
    ["T-2", "T-3"].map((task) => ({
      type: "task.skipped",
      task,
      why: "it was not done when the rest was delivered",
      by: "person",
    })),
  );
});

test("nothing is left out where nothing is done, or where there is no plan", () => {
  expect(unfinishedLeftOut(loopWith({ goal: { exitRule: "tasks" } }, adopted(PLAN)).workflow)).toBeNull();
  expect(unfinishedLeftOut(null)).toBeNull();
});
