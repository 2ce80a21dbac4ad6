import { expect, it } from "vitest";
import { GitWorld } from "../../../test/support/git-world.ts";
import {
  adopted,
  branchBegun,
  failed,
  finished,
  planned,
  started,
  workflowWith,
} from "../../../test/support/workflow-builders.ts";
import { createLoopId } from "../../core/loop/id.ts";
import type { WorkflowEvent } from "../../core/plan/workflow-event.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { resultRef, unfinishedRef } from "../../worktrees/attempts/list-worktrees.ts";
import { ConflictForecast } from "./conflict-forecast.ts";

const LOOP = createLoopId("a plan", "a1b2");
const TASKS = ["T-1", "T-2", "T-3", "T-4"].map((id) => planned(id));

class ConflictForecastWorld extends GitWorld {
  readonly conflictForecast = new ConflictForecast(this.repository, LOOP);

  constructor() {
    super({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b.txt": "b\n" });
  }

  workflow(...events: readonly WorkflowEvent[]): Workflow {
    return workflowWith(adopted(TASKS), { ...branchBegun, from: this.first }, ...events);
  }

  /** An attempt with a result that waits for its merge. */
  finished(task: string, files: { readonly [path: string]: string | null }): readonly WorkflowEvent[] {
    const commit = this.commitOn(this.first, files);
    this.git("update-ref", resultRef({ loop: LOOP, task, number: 1 }), commit);
    return [started(task, 1, { base: this.first }), { ...finished(task), commit }];
  }

  /** An attempt that came to nothing, of which the files are kept. */
  failed(task: string, files: { readonly [path: string]: string | null }): readonly WorkflowEvent[] {
    const commit = this.commitOn(this.first, files);
    this.git("update-ref", unfinishedRef({ loop: LOOP, task, number: 1 }), commit);
    return [started(task, 1, { base: this.first }), failed(task)];
  }

  async overlaps(workflow: Workflow, ...tasks: readonly [string, string]): Promise<boolean | null> {
    const foreseen = await this.conflictForecast.foresee(workflow);
    const [one, other] = [foreseen(...tasks), foreseen(tasks[1], tasks[0])];
    if (one !== other) throw new Error("it says two things of the same pair");
    return one;
  }
}

it("the conflict forecast knows nothing of tasks that nobody has tried", async () => {
  const world = new ConflictForecastWorld();
  expect(await world.overlaps(world.workflow(), "T-1", "T-2")).toBeNull();
  const one = world.workflow(...world.failed("T-1", { "b.txt": "x\n" }));
  expect(await world.overlaps(one, "T-1", "T-2")).toBeNull();
});

it("the conflict forecast compares the files that the last attempts changed", async () => {
  const world = new ConflictForecastWorld();
  const workflow = world.workflow(
    ...world.failed("T-1", { "b.txt": "one\n", "c.txt": "c\n" }),
    ...world.failed("T-2", { "b.txt": null }),
    ...world.failed("T-3", { "a.txt": "a\n" }),
    ...world.finished("T-4", { "c.txt": "other\n" }),
  );
  expect(await world.overlaps(workflow, "T-1", "T-2")).toBe(true);
  expect(await world.overlaps(workflow, "T-1", "T-4")).toBe(true);
  // They may still meet in files that neither has come to.
  expect(await world.overlaps(workflow, "T-1", "T-3")).toBeNull();
});

it("the conflict forecast still knows them while the next attempt runs", async () => {
  const world = new ConflictForecastWorld();
  const workflow = world.workflow(
    ...world.failed("T-1", { "b.txt": "one\n" }),
    ...world.failed("T-2", { "b.txt": "two\n" }),
    started("T-1", 2, { base: world.first }),
  );
  expect(await world.overlaps(workflow, "T-1", "T-2")).toBe(true);
});

it("the conflict forecast merges results that wait with each other: the same file is no conflict where git can merge it", async () => {
  const world = new ConflictForecastWorld();
  const top = { "a.txt": "one\n2\n3\n4\n5\n6\n7\n8\n9\n" };
  const bottom = { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\nnine\n" };
  const workflow = world.workflow(
    ...world.finished("T-1", top),
    ...world.finished("T-2", bottom),
    ...world.finished("T-3", { "a.txt": "uno\n2\n3\n4\n5\n6\n7\n8\n9\n" }),
  );
  expect(await world.overlaps(workflow, "T-1", "T-2")).toBe(false);
  expect(await world.overlaps(workflow, "T-2", "T-3")).toBe(false);
  expect(await world.overlaps(workflow, "T-1", "T-3")).toBe(true);
});

it("the conflict forecast looks again when a result has come or gone", async () => {
  const world = new ConflictForecastWorld();
  const one = world.finished("T-1", { "b.txt": "one\n" });
  const two = world.finished("T-2", { "b.txt": "two\n" });
  expect(await world.overlaps(world.workflow(...one), "T-1", "T-2")).toBeNull();
  expect(await world.overlaps(world.workflow(...one, ...two), "T-1", "T-2")).toBe(true);
});

it("the conflict forecast says nothing where what was kept is gone", async () => {
  const world = new ConflictForecastWorld();
  const workflow = world.workflow(
    ...world.finished("T-1", { "b.txt": "one\n" }),
    ...world.finished("T-2", { "b.txt": "two\n" }),
    ...world.failed("T-3", { "b.txt": "three\n" }),
  );
  for (const task of ["T-1", "T-2"])
    world.git("update-ref", "-d", resultRef({ loop: LOOP, task, number: 1 }));
  world.git("update-ref", "-d", unfinishedRef({ loop: LOOP, task: "T-3", number: 1 }));
  world.git("gc", "-q", "--prune=now");
  expect(await world.overlaps(workflow, "T-1", "T-2")).toBeNull();
  expect(await world.overlaps(workflow, "T-1", "T-3")).toBeNull();
});
