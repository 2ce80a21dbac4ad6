import { expect, test } from "vitest";
import { loopWith, task as listedEvent } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  done,
  failed,
  planned,
  started,
} from "../../../test/support/workflow-builders.ts";
import type { FoundTask } from "../compat/task-list.ts";
import type { LoopEvent } from "../../core/events/event.ts";
import type { Loop } from "../../core/loop/loop.ts";
import type { PlanSource } from "../../core/plan/plan.ts";
import { mirroredTasks, newTaskOf, notesOn } from "./plan-mirror.ts";

const TASKS = [
  planned("T-001"),
  planned("T-002", ["T-001"], { check: null }),
  planned("END-1", ["T-001", "T-002"]),
];

function loopOf(source: PlanSource, ...events: readonly LoopEvent[]): Loop {
  const plan = adopted(TASKS, { plan: { source, tasks: TASKS } });
  return loopWith({ goal: { exitRule: "tasks" } }, plan, branchBegun, ...events);
}

const EXTENDED: LoopEvent = { type: "plan.extended", tasks: [planned("R-1", ["END-1"])], why: "a finding" };

/** A task of the list; with `mirrors`, one that this loop wrote. */
function found(id: string, subject: string, loop: Loop | null = null, mirrors = ""): FoundTask {
  const { task } = listedEvent(id, "pending");
  return {
    task: { ...task, subject },
    description: "",
    mirrors: loop === null ? null : { loopId: loop.id, task: mirrors },
  };
}

test("says of each task its wave, how it is verified, and how often it failed until it is done", () => {
  const facts = (loop: Loop) =>
    mirroredTasks(loop).map(({ status, metadata: { task, wave, verification, stuckCount } }) =>
      [task, status, wave, verification, stuckCount].join(),
    );
  expect(facts(loopOf("agent", started("T-001"), failed("T-001")))).toEqual([
    "T-001,pending,1,execution output,1",
    "T-002,,2,reasoned inference,0",
    "END-1,,3,execution output,0",
  ]);
  expect(facts(loopOf("agent", ...done("T-001", 1)))[0]).toBe("T-001,completed,1,execution output,0");
});

test("there is nothing to show before there is a plan", () => {
  expect(mirroredTasks(loopWith({ goal: { exitRule: "tasks" } }))).toEqual([]);
});

test("a task is new with its check and what it is called while somebody works on it", () => {
  const [first] = mirroredTasks(loopOf("agent"));
  expect(first && newTaskOf(first)).toMatchObject({
    subject: "Do T-001",
    description: "Verify: test T-001",
    activeForm: "Working on: Do T-001",
  });
});

test("tasks are found by their metadata, whatever their number, and linked both ways", () => {
  const loop = loopOf("agent", EXTENDED);
  const listed = [
    found("1", "Do T-001"),
    found("5", "Renamed", loop, "T-001"),
    found("7", "Do T-002", loop, "T-002"),
    found("8", "Do END-1", loop, "END-1"),
    found("9", "Do R-1", loop, "R-1"),
  ];
  const links = [...notesOn(listed, mirroredTasks(loop))].map(([id, { blocks, blockedBy }]) => [
    id,
    blocks,
    blockedBy,
  ]);
  expect(links).toEqual([
    ["5", ["7", "8"], []],
    ["7", ["8"], ["5"]],
    ["8", ["9"], ["5", "7"]],
    ["9", [], ["8"]],
  ]);
});

test("what was read from a list keeps its number there, and R-1 isn't task 1", () => {
  const loop = loopOf("task-list", EXTENDED);
  const tasks = mirroredTasks(loop);
  expect(tasks.map(({ number }) => number)).toEqual(["1", "2", null, null]);
  const listed = [found("1", "Do T-001"), found("2", "Do T-002"), found("3", "Do R-1", loop, "R-1")];
  const notes = notesOn(listed, tasks);
  expect([...notes.keys()]).toEqual(["1", "2", "3"]);
  // What blocks what is the list's own word; END-1 was deleted there.
  expect(notes.get("2")).toMatchObject({ blockedBy: [], blocks: [] });
  expect(notes.get("3")).toMatchObject({ metadata: { task: "R-1" }, blockedBy: [] });
});
