import { describe, expect, test } from "vitest";
import { START } from "../../../test/support/loop-builders.ts";
import {
  adopted,
  branchBegun,
  commit,
  done,
  failed,
  finished,
  mergeBegun,
  merged,
  planned,
  setback,
  started,
  workflowOver,
  workflowWith,
} from "../../../test/support/workflow-builders.ts";
import { ImpossibleEvent } from "../events/event.ts";
import { evolveWorkflow } from "./evolve-workflow.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import { attemptsOf, awaited, isSpent, lastAttempt, taskState, type Workflow } from "./workflow.ts";

const chain = [planned("T-1"), planned("T-2", ["T-1"]), planned("T-3")];
const plan = adopted(chain, { attemptLimit: 2 });
const givenUp = (task: string): WorkflowEvent => ({ type: "task.given-up", task, why: "the tests fail" });
const stateOf = (workflow: Workflow): readonly string[] =>
  workflow.plan.tasks.map((task) => taskState(workflow, task));

describe("a task of a plan", () => {
  test.each<readonly [title: string, events: readonly WorkflowEvent[], states: readonly string[]]>([
    ["is ready, or blocked by another", [], ["ready", "blocked", "ready"]],
    ["runs", [started("T-1")], ["running", "blocked", "ready"]],
    ["waits for its merge", [started("T-1"), finished("T-1")], ["merging", "blocked", "ready"]],
    ["is done once it is merged, and others are ready", done("T-1", 1), ["done", "ready", "ready"]],
    ["is ready again after a setback", [started("T-1"), failed("T-1")], ["ready", "blocked", "ready"]],
    ["is given up", [givenUp("T-3")], ["ready", "blocked", "given-up"]],
  ])("%s", (_, events, states) => {
    expect(stateOf(workflowWith(plan, ...events))).toEqual(states);
  });

  test("has had its attempts when the last one of them failed", () => {
    const once = workflowWith(plan, started("T-1"), failed("T-1"));
    const twice = evolveWorkflow(once, started("T-1", 2), START);

    expect([once, twice].map((workflow) => isSpent(workflow, "T-1"))).toEqual([false, false]);
    expect(isSpent(evolveWorkflow(twice, failed("T-1", 2), START), "T-1")).toBe(true);
  });
});

describe("an attempt", () => {
  const first = { task: "T-1", number: 1 };

  test.each<readonly [title: string, events: readonly WorkflowEvent[], isAwaited: boolean]>([
    ["that wasn't started isn't awaited", [], false],
    ["is awaited while it runs", [started("T-1")], true],
    ["has one result", [started("T-1"), finished("T-1")], false],
    ["has one setback", [started("T-1"), failed("T-1")], false],
    ["isn't awaited beside the next one", [started("T-1"), failed("T-1"), started("T-1", 2)], false],
  ])("%s", (_, events, isAwaited) => {
    expect(awaited(workflowWith(plan, ...events), first) !== null).toBe(isAwaited);
  });
});

describe("a merge", () => {
  const two = [plan, branchBegun, started("T-1"), started("T-3"), finished("T-1"), finished("T-3")];

  test("moves the branch to the last that it accepts, and sends the others back", () => {
    const workflow = workflowWith(...two, mergeBegun(1, "T-1", "T-3"), {
      ...merged(1, "T-1"),
      setBack: [{ task: "T-3", setback: setback({ kind: "red-together", carry: commit("c") }) }],
    });

    expect(workflow.branch).toMatchObject({ from: commit("0"), tip: commit("b") });
    expect(stateOf(workflow)).toEqual(["done", "ready", "ready"]);
    expect(lastAttempt(workflow, "T-3")?.state).toMatchObject({ setback: { kind: "red-together" } });
  });

  test("leaves a result that it says nothing of for the next merge", () => {
    const workflow = workflowWith(...two, mergeBegun(1, "T-1", "T-3"), merged(1, "T-1"));

    expect(stateOf(workflow)).toEqual(["done", "ready", "merging"]);
    expect(workflow).toMatchObject({ merge: null, merges: 1 });
  });

  test("without git accepts work that is in place", () => {
    const begun = { ...mergeBegun(1, "T-1"), onto: null };
    const ended = { ...merged(1), accepted: [{ task: "T-1", commit: null }] };
    const workflow = workflowWith(plan, started("T-1"), finished("T-1"), begun, ended);

    expect(stateOf(workflow)).toEqual(["done", "ready", "ready"]);
    expect(workflow.branch).toBeNull();
  });
});

test("the times of results and merges are measured, those of failures aren't", () => {
  const workflow = workflowOver(
    [0, plan],
    [0, started("T-1")],
    [0, started("T-3")],
    [10, finished("T-1")],
    [10, mergeBegun(1, "T-1")],
    [20, failed("T-3")],
    [50, merged(1, "T-1")],
  );

  expect(workflow.measured).toEqual({
    attempts: { count: 1, totalMs: 10 },
    merges: { count: 1, totalMs: 40 },
  });
});

test("a later usage limit of an agent replaces the one before", () => {
  const limited = (until: number): WorkflowEvent => ({ type: "agent.limited", agent: "codex", until });

  expect(workflowWith(plan, limited(1), limited(2)).waits).toEqual([{ agent: "codex", until: 2 }]);
});

test("a plan of 500 tasks is folded event by event", () => {
  const tasks = Array.from({ length: 500 }, (_, index) =>
    planned(`T-${index + 1}`, index === 0 ? [] : [`T-${index}`]),
  );
  const workflow = workflowWith(adopted(tasks), ...tasks.flatMap(({ id }, index) => done(id, index + 1)));

  expect(new Set(stateOf(workflow))).toEqual(new Set(["done"]));
  expect(attemptsOf(workflow, "T-500")).toHaveLength(1);
});

describe("an event that no workflow can have produced", () => {
  const fresh = workflowWith(plan);
  const running = workflowWith(plan, started("T-1"));
  const result = workflowWith(plan, started("T-1"), finished("T-1"));
  const merging = workflowWith(plan, started("T-1"), finished("T-1"), mergeBegun(1, "T-1"));
  const integrated = workflowWith(plan, ...done("T-1", 1));
  const waved = workflowWith(plan, { type: "wave.begun", wave: 1 }, { type: "wave.ended", wave: 1 });

  test.each<readonly [title: string, workflow: Workflow | null, event: WorkflowEvent]>([
    ["anything before the plan", null, branchBegun],
    ["a second plan", fresh, plan],
    ["a plan with two tasks of one id", null, adopted([planned("T-1"), planned("T-1")])],
    ["a plan that goes round", null, adopted([planned("T-1", ["T-2"]), planned("T-2", ["T-1"])])],
    ["a plan with a blocker that it doesn't have", null, adopted([planned("T-1", ["T-9"])])],
    ["a second branch", workflowWith(plan, branchBegun), branchBegun],
    ["a wave that is left out", fresh, { type: "wave.begun", wave: 2 }],
    ["a wave that begins twice", waved, { type: "wave.begun", wave: 1 }],
    ["a wave that ends before it began", fresh, { type: "wave.ended", wave: 1 }],
    ["a wave that ends twice", waved, { type: "wave.ended", wave: 1 }],
    ["an attempt at a task that isn't there", fresh, started("T-9")],
    ["an attempt at a task that is blocked", fresh, started("T-2")],
    ["an attempt at a task that was given up", workflowWith(plan, givenUp("T-1")), started("T-1")],
    ["a second attempt beside the first", running, started("T-1", 2)],
    ["an attempt after a result", result, started("T-1", 2)],
    ["an attempt after the task is done", integrated, started("T-1", 2)],
    ["an attempt that is left out", fresh, started("T-1", 2)],
    ["an attempt that is repeated", workflowWith(plan, started("T-1"), failed("T-1")), started("T-1", 1)],
    ["the end of an attempt that wasn't begun", fresh, finished("T-1")],
    ["the end of another attempt", running, finished("T-1", 2)],
    ["the end of an attempt that has ended", result, failed("T-1")],
    ["a merge of nothing", result, mergeBegun(1)],
    ["a merge of one result twice", result, mergeBegun(1, "T-1", "T-1")],
    ["a merge of a task that still runs", running, mergeBegun(1, "T-1")],
    ["a merge of a task that is done", integrated, mergeBegun(2, "T-1")],
    ["a merge whose number is left out", result, mergeBegun(2, "T-1")],
    ["a merge beside another one", merging, mergeBegun(2, "T-1")],
    ["the end of a merge that wasn't begun", result, merged(1, "T-1")],
    ["the end of another merge", merging, merged(2, "T-1")],
    ["a merge that accepts what it didn't merge", merging, merged(1, "T-3")],
    [
      "a merge that accepts and sends back",
      merging,
      { ...merged(1, "T-1"), setBack: [{ task: "T-1", setback: setback() }] },
    ],
    ["giving up a task that isn't there", fresh, givenUp("T-9")],
    ["giving up a task twice", workflowWith(plan, givenUp("T-1")), givenUp("T-1")],
    ["giving up a task that runs", running, givenUp("T-1")],
    ["giving up a task that has a result", result, givenUp("T-1")],
    ["giving up a task that is done", integrated, givenUp("T-1")],
  ])("is refused: %s", (_, workflow, event) => {
    expect(() => evolveWorkflow(workflow, event, START)).toThrow(ImpossibleEvent);
  });
});

describe("merges that are undone", () => {
  const plan = adopted([planned("T-1"), planned("T-2")]);
  const both = [
    ...[started("T-1"), finished("T-1"), started("T-2", 1, { slot: 2 }), finished("T-2")],
    ...[mergeBegun(1, "T-1"), merged(1, "T-1"), mergeBegun(2, "T-2"), merged(2, "T-2")],
  ];
  const undone = (...tasks: readonly string[]): WorkflowEvent => ({
    ...{ type: "merge.undone", to: commit("0"), tasks, suspects: ["T-1"] },
  });

  test("leave their results waiting as they were, and the branch where it was", () => {
    const before = workflowWith(plan, branchBegun, ...both);
    const after = workflowWith(plan, branchBegun, ...both, undone("T-2"));
    const waiting = workflowWith(plan, branchBegun, ...both.slice(0, 4));
    expect(lastAttempt(after, "T-2")).toEqual(lastAttempt(waiting, "T-2"));
    expect(after).toMatchObject({
      branch: { tip: commit("0") },
      unproven: [{ task: "T-1" }],
      suspects: ["T-1"],
      undone: { from: before.branch?.tip, to: commit("0") },
    });
  });

  test("are none that all checks have passed on since, and none while another merge runs", () => {
    const checked: WorkflowEvent = { type: "work.checked", commit: commit("a") };
    expect(() => workflowWith(plan, branchBegun, ...both, checked, undone("T-2"))).toThrow(ImpossibleEvent);
    expect(() => workflowWith(plan, branchBegun, ...both.slice(0, 7), undone("T-1"))).toThrow(
      ImpossibleEvent,
    );
    expect(() => workflowWith(plan, branchBegun, ...both.slice(0, 4), undone("T-1"))).toThrow(
      ImpossibleEvent,
    );
  });
});
