import { describe, expect, test } from "vitest";
import { loopWith, MINUTE, START } from "../../../test/support/loop-builders.ts";
import { counselGiven, stagesBegun } from "../../../test/support/stage-builders.ts";
import {
  adopted,
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
import type { Stages } from "../stages/stages.ts";
import { failureText } from "./shown-task.ts";
import type { PlannedTask } from "./plan.ts";
import { missingUsd, needsAttempt } from "./budget.ts";
import { schedule } from "./schedule.ts";
import type { Facts, Step } from "./step.ts";
import type { WorkflowEvent } from "./workflow-event.ts";
import type { Workflow } from "./workflow.ts";

const FACTS: Facts = {
  now: START,
  budgetUsd: null,
  spentUsd: 0,
  tokenLimit: null,
  spentTokens: 0,
  turnUsd: 0,
  areCapped: true,
  agents: ["codex"],
  overlap: () => false,
  isGit: true,
  underWay: new Set(),
};
/** That many attempts at T-1, each of which failed in this way. */
const failing = (...details: readonly string[]): readonly WorkflowEvent[] =>
  details.flatMap((detail, index) => [started("T-1", index + 1), failed("T-1", index + 1, { detail })]);
const waveBegun: WorkflowEvent = { type: "wave.begun", wave: 1 };

const steps = (workflow: Workflow, facts: Partial<Facts> = {}): readonly Step[] =>
  schedule(workflow, null, { ...FACTS, ...facts });
const stepsOf = <Type extends Step["type"]>(
  type: Type,
  ...args: Parameters<typeof steps>
): readonly Extract<Step, { type: Type }>[] =>
  steps(...args).filter((step): step is Extract<Step, { type: Type }> => step.type === type);
const startsOf = (...args: Parameters<typeof steps>): readonly string[] =>
  stepsOf("start", ...args).map(({ task }) => task);

/** `T-1` to `T-5`, which wait for nothing. */
const five = ["T-1", "T-2", "T-3", "T-4", "T-5"].map((id) => planned(id));
const sharing =
  (...tasks: readonly string[]) =>
  (task: string, other: string): boolean =>
    tasks.includes(task) && tasks.includes(other);

describe("what starts", () => {
  test("as many as may run at once, each with a slot of its own", () => {
    const workflow = workflowWith(adopted(five, { parallel: 3 }), waveBegun, started("T-2", 1, { slot: 2 }));

    expect(stepsOf("start", workflow)).toMatchObject([
      { task: "T-1", number: 1, slot: 1, agent: "codex", reservedUsd: null, reservedTokens: null },
      { task: "T-3", slot: 3 },
    ]);
    expect(startsOf(workflow, { parallel: 2 })).toEqual(["T-1"]);
    expect(startsOf(workflow, { parallel: 1 })).toEqual([]);
    expect(startsOf(workflow, { parallel: 4 })).toEqual(["T-1", "T-3", "T-4"]);
  });

  test("a task as soon as its blockers are merged, whatever else its wave does", () => {
    const tasks = [planned("T-1"), planned("T-2"), planned("T-3", ["T-1"])];
    const finishedOne = [adopted(tasks), waveBegun, started("T-2"), started("T-1"), finished("T-1")];

    expect(startsOf(workflowWith(...finishedOne))).toEqual([]);
    expect(steps(workflowWith(...finishedOne, mergeBegun(1, "T-1"), merged(1, "T-1")))).toMatchObject([
      { type: "announce", wave: 2 },
      { type: "start", task: "T-3" },
    ]);
  });

  test.each<readonly [title: string, tasks: readonly PlannedTask[], first: string]>([
    [
      "by what the plan says",
      [planned("T-1", [], { estimateMs: 5 }), planned("T-2", [], { estimateMs: 9 })],
      "T-2",
    ],
    [
      "by the number of tasks where it says nothing",
      [planned("T-1"), planned("T-2"), planned("T-3", ["T-2"])],
      "T-2",
    ],
    [
      "by the mean of what it says where it says nothing of one",
      [planned("T-1"), planned("T-2", [], { estimateMs: 9 }), planned("T-3", [], { estimateMs: 1 })],
      "T-2",
    ],
  ])("first the task with the longest way to the end, %s", (_, tasks, first) => {
    expect(startsOf(workflowWith(adopted(tasks, { parallel: 1 })))).toEqual([first]);
  });

  test("by what attempts took, where the plan says nothing of one", () => {
    const tasks = [planned("T-1"), planned("T-2"), planned("T-3", [], { estimateMs: 7 })];
    const after = (ms: number): Workflow =>
      workflowOver(
        [0, adopted(tasks, { parallel: 1 })],
        [0, started("T-1")],
        [ms, finished("T-1")],
        [ms, mergeBegun(1, "T-1")],
        [ms, merged(1, "T-1")],
      );

    expect([startsOf(after(5)), startsOf(after(9))]).toEqual([["T-3"], ["T-2"]]);
  });

  test("another attempt, after one that was set back", () => {
    const workflow = workflowWith(
      adopted([planned("T-1")]),
      started("T-1"),
      failed("T-1", 1, { kind: "conflict", carry: commit("c") }),
    );

    expect(stepsOf("start", workflow)).toMatchObject([{ task: "T-1", number: 2 }]);
  });

  test("without git one at a time, and not before the last one is accepted", () => {
    const one = workflowWith(adopted(five), started("T-1", 1, { base: null, worktree: null }));
    const over = workflowWith(adopted(five), started("T-1"), finished("T-1"));

    expect(startsOf(workflowWith(adopted(five)), { isGit: false })).toEqual(["T-1"]);
    expect(startsOf(one, { isGit: false })).toEqual([]);
    expect(steps(over, { isGit: false })).toEqual([{ type: "merge", tasks: ["T-1"] }]);
  });
});

describe("tasks that touch the same files", () => {
  const two = [planned("T-1"), planned("T-2"), planned("T-3")];

  test("don't start side by side while there is another", () => {
    const workflow = workflowWith(adopted(two));

    expect(startsOf(workflow, { overlap: sharing("T-1", "T-2") })).toEqual(["T-1", "T-3"]);
  });

  test("start side by side when there is no other choice", () => {
    const workflow = workflowWith(adopted(two.slice(0, 2)), started("T-1"));

    expect(startsOf(workflow, { overlap: sharing("T-1", "T-2") })).toEqual(["T-2"]);
  });

  test("wait for one that is being merged", () => {
    const workflow = workflowWith(
      adopted(two.slice(0, 2)),
      started("T-1"),
      finished("T-1"),
      mergeBegun(1, "T-1"),
    );

    expect(startsOf(workflow, { overlap: sharing("T-1", "T-2") })).toEqual([]);
  });

  test("wait for one that ends before half of their own work is done", () => {
    const timed = [
      planned("T-1", [], { estimateMs: 10 * MINUTE }),
      planned("T-2", [], { estimateMs: 8 * MINUTE }),
    ];
    const workflow = workflowWith(adopted(timed), started("T-1"));
    const at = (minutes: number): readonly string[] =>
      startsOf(workflow, { now: START + minutes * MINUTE, overlap: sharing("T-1", "T-2") });

    // After its ten minutes nobody knows when it ends.
    expect([at(5), at(6), at(9), at(10)]).toEqual([["T-2"], [], [], ["T-2"]]);
  });
});

describe("room on the disk", () => {
  const three = [planned("T-1"), planned("T-2"), planned("T-3")];
  const room = (attempts: number): Partial<Facts> => ({ room: { attempts, why: "the disk is full" } });

  test("is for so many attempts more", () => {
    const workflow = workflowWith(adopted(three, { parallel: 3 }));
    expect(startsOf(workflow, room(2))).toEqual(["T-1", "T-2"]);
    expect(startsOf(workflow, room(9))).toEqual(["T-1", "T-2", "T-3"]);
  });

  test("is waited for while something runs that may leave some", () => {
    expect(steps(workflowWith(adopted(three), started("T-1")), room(0))).toEqual([]);
    const merging = workflowWith(adopted(three), started("T-1"), finished("T-1"));
    expect(steps(merging, room(0))).toEqual([{ type: "merge", tasks: ["T-1"] }]);
  });

  test("pauses with what to do when nothing else is left", () => {
    expect(steps(workflowWith(adopted(three)), room(0))).toEqual([
      { type: "pause", reason: "blocked", detail: "the disk is full" },
    ]);
  });

  test("isn't needed by a plan that is done", () => {
    expect(
      steps(workflowWith(adopted([three[0] ?? planned("T-1")]), waveBegun, ...done("T-1", 1)), room(0)),
    ).toEqual([{ type: "wave-done", wave: 1 }]);
  });
});

describe("money", () => {
  const reserved = (...args: Parameters<typeof steps>): readonly (number | null)[] =>
    stepsOf("start", ...args).map(({ reservedUsd }) => reservedUsd);

  test("is promised to attempts as far as it goes", () => {
    const plan = adopted(five, { parallel: 4, attemptUsd: 2 });

    expect(reserved(workflowWith(plan), { budgetUsd: 7 })).toEqual([2, 2, 2]);
    expect(reserved(workflowWith(plan), { budgetUsd: null })).toEqual([2, 2, 2, 2]);
    expect(
      reserved(workflowWith(plan, started("T-1", 1, { reservedUsd: 2 })), { budgetUsd: 7, spentUsd: 2 }),
    ).toEqual([2]);
  });

  test("is shared where no attempt has a limit of its own, with as much again for those that come after", () => {
    const plan = adopted(five, { parallel: 2 });

    expect(reserved(workflowWith(plan), { budgetUsd: 8 })).toEqual([2, 2]);
    expect(reserved(workflowWith(plan, started("T-1", 1, { reservedUsd: 2 })), { budgetUsd: 8 })).toEqual([
      2,
    ]);
    expect(reserved(workflowWith(adopted(five.slice(0, 1), { parallel: 2 })), { budgetUsd: 8 })).toEqual([8]);
  });

  test("is not shared among so many that none could come to anything: fewer begin", () => {
    const many = Array.from({ length: 100 }, (_, index) => planned(`T-${index + 1}`));
    const workflow = workflowWith(adopted(many, { parallel: 100 }));
    const starts = reserved(workflow, { budgetUsd: 20 });

    expect(new Set(starts)).toEqual(new Set([1]));
    expect(starts).toHaveLength(20);
    expect(reserved(workflow, { budgetUsd: 2 })).toEqual(Array(8).fill(0.25));
    expect(reserved(workflow, { budgetUsd: 400 })).toHaveLength(100);
  });

  test("goes to no attempt that couldn't do with it what the others did", () => {
    const plan = adopted(five, { parallel: 3 });
    const workflow = workflowWith(plan, ...done("T-1", 1));

    expect(reserved(workflow, { budgetUsd: 9, spentUsd: 4 })).toEqual([4]);
    expect(steps(workflow, { budgetUsd: 7, spentUsd: 4 })).toEqual([
      { type: "pause", reason: "budget", detail: "$4.00 of $7.00 spent, and an attempt needs $4.00" },
    ]);
  });

  test("that is too little for the next attempt has to be added to, by what is missing", () => {
    const plan = adopted(five, { parallel: 3 });
    const facts = { budgetUsd: 7, spentUsd: 4 };
    const one = workflowWith(plan, ...done("T-1", 1));
    expect(needsAttempt(one)).toBe(true);
    expect(missingUsd(one, facts, 1)).toBe(1);
    expect(missingUsd(one, { ...facts, budgetUsd: 8 }, 1)).toBe(0);
    expect(missingUsd(one, { ...facts, budgetUsd: null }, 1)).toBe(0);
    expect(needsAttempt(workflowWith(plan, ...done("T-1", 1), started("T-2")))).toBe(false);
    const all = workflowWith(adopted(five.slice(0, 1)), ...done("T-1", 1));
    expect([needsAttempt(all), missingUsd(all, facts, 1)]).toEqual([false, 0]);
  });

  test("lets agents that can't be capped work side by side only while each share covers the dearest turn", () => {
    const plan = adopted(five, { parallel: 3 });
    const nothingEnded = workflowWith(plan);
    const one = workflowWith(plan, ...done("T-1", 1));
    const beside = workflowWith(plan, ...done("T-1", 1), started("T-2", 1, { reservedUsd: 4 }));
    const free = { areCapped: false, turnUsd: 3 };

    expect(reserved(nothingEnded, { areCapped: false, budgetUsd: 12 })).toEqual([5, 5]);
    expect(reserved(nothingEnded, { areCapped: false, budgetUsd: 4 })).toEqual([4]);
    expect(reserved(one, { ...free, budgetUsd: 11, spentUsd: 3 })).toEqual([3, 3]);
    expect(reserved(one, { ...free, areCapped: true, budgetUsd: 11, spentUsd: 1 })).toEqual([2.5, 2.5, 2.5]);
    expect(reserved(beside, { ...free, budgetUsd: 9, spentUsd: 3 })).toEqual([]);
  });

  test("that is out pauses, once nothing is under way", () => {
    const plan = adopted(five, { attemptUsd: 2 });
    const facts = { budgetUsd: 3, spentUsd: 0 };

    expect(steps(workflowWith(plan, waveBegun, started("T-1", 1, { reservedUsd: 2 })), facts)).toEqual([]);
    expect(steps(workflowWith(plan, waveBegun), { ...facts, spentUsd: 3 })).toEqual([
      { type: "pause", reason: "budget", detail: "$3.00 of $3.00 spent, and an attempt needs $2.00" },
    ]);
  });
});

describe("tokens", () => {
  const reserved = (...args: Parameters<typeof steps>): readonly (number | null)[] =>
    stepsOf("start", ...args).map(({ reservedTokens }) => reservedTokens);
  const plan = adopted(five, { parallel: 2 });

  test("are shared as money is: what runs at once never has more than what is left", () => {
    expect(reserved(workflowWith(plan), { tokenLimit: 8_001 })).toEqual([2_000, 2_000]);
    expect(reserved(workflowWith(plan), { tokenLimit: null })).toEqual([null, null]);
    const beside = workflowWith(plan, started("T-1", 1, { reservedTokens: 7_500 }));
    expect(reserved(beside, { tokenLimit: 8_000 })).toEqual([500]);
  });

  test("start nothing beside others that couldn't do with them what the others did, but the last may use the rest", () => {
    const one = workflowWith(plan, ...done("T-1", 1));
    const beside = workflowWith(plan, ...done("T-1", 1), started("T-2", 1, { reservedTokens: 400 }));
    const facts = { tokenLimit: 1_500, spentTokens: 1_000 };
    expect(reserved(one, facts)).toEqual([500]);
    expect(reserved(beside, facts)).toEqual([]);
  });

  test("that are used up pause, once nothing is under way", () => {
    const facts = { tokenLimit: 1_000, spentTokens: 1_000 };
    expect(steps(workflowWith(plan, waveBegun, started("T-1")), facts)).toEqual([]);
    expect(steps(workflowWith(plan, waveBegun), facts)).toEqual([
      { type: "pause", reason: "budget", detail: "1000 of 1000 tokens used" },
    ]);
  });
});

describe("an agent at its usage limit", () => {
  const limited = (agent: string, minutes: number): WorkflowEvent => ({
    type: "agent.limited",
    agent,
    until: START + minutes * MINUTE,
  });
  const workflow = workflowWith(adopted(five), limited("codex", 60), limited("claude", 30));

  test("is replaced by the next one that isn't", () => {
    const agents = ["codex", "claude", "gemini"];

    expect(stepsOf("start", workflow, { agents }).map(({ agent }) => agent)).toEqual(["gemini", "gemini"]);
  });

  test("is waited for, the first that is free", () => {
    const facts = { agents: ["codex", "claude"] };

    expect(steps(workflow, facts)).toEqual([{ type: "wait", agent: "claude", until: START + 30 * MINUTE }]);
    expect(startsOf(workflow, { ...facts, now: START + 30 * MINUTE })).toEqual(["T-1", "T-2"]);
  });
});

describe("the merge queue", () => {
  const results = ["T-1", "T-2", "T-3"].flatMap((task) => [started(task), finished(task)]);

  test("merges one result at a time, and that first which others wait for", () => {
    const tasks = [...five.slice(0, 4), planned("T-5", ["T-2"])];
    const workflow = workflowWith(adopted(tasks), ...results);

    expect(stepsOf("merge", workflow)).toEqual([{ type: "merge", tasks: ["T-2"] }]);
    expect(stepsOf("merge", workflowWith(adopted(tasks), ...results, mergeBegun(1, "T-2")))).toEqual([]);
  });

  test.each([
    [30, ["T-2"]],
    [31, ["T-2", "T-3", "T-4"]],
  ])("merges several when results come faster: after a merge of %i ms", (ms, together) => {
    const workflow = workflowOver(
      [0, adopted(five, { parallel: 2 })],
      [0, started("T-1")],
      [60, finished("T-1")],
      [60, mergeBegun(1, "T-1")],
      [60 + ms, merged(1, "T-1")],
      ...["T-2", "T-3", "T-4"].flatMap((task) => [
        [100, started(task)] as const,
        [160, finished(task)] as const,
      ]),
    );

    expect(stepsOf("merge", workflow)).toEqual([{ type: "merge", tasks: together }]);
  });

  test("merges fewer together the more of them have been red", () => {
    const tasks = Array.from({ length: 12 }, (_, index) => planned(`T-${index + 1}`));
    const names = tasks.map(({ id }) => id);
    const slow = (red: readonly string[]): Workflow =>
      workflowOver(
        [0, adopted(tasks)],
        ...names.map((task) => [0, started(task)] as const),
        ...names.map((task) => [1, finished(task)] as const),
        [1, mergeBegun(1, ...names)],
        [
          MINUTE,
          {
            ...merged(1),
            setBack: red.map((task) => ({ task, setback: setback({ kind: "red-together" }) })),
          },
        ],
      );
    const together = (...red: readonly string[]): number => stepsOf("merge", slow(red))[0]?.tasks.length ?? 0;

    expect([together(), together("T-1"), together("T-1", "T-2", "T-3", "T-4", "T-5")]).toEqual([5, 2, 1]);
  });

  test("doesn't merge several that touch the same files together", () => {
    const workflow = workflowOver(
      [0, adopted(five)],
      ...done("T-4", 1).map((event, index) => [index, event] as const),
      ...results.map((event) => [3, event] as const),
    );

    expect(stepsOf("merge", workflow, { overlap: sharing("T-1", "T-3") })).toEqual([
      { type: "merge", tasks: ["T-1", "T-2"] },
    ]);
  });
});

describe("giving up", () => {
  const tasks = [planned("T-1"), planned("T-2", ["T-1"]), planned("T-3", ["T-2"]), planned("T-4")];
  const spent = [adopted(tasks, { attemptLimit: 1 }), waveBegun, started("T-1"), failed("T-1")];
  const allGivenUp = ["T-1", "T-2", "T-3"].map((task): WorkflowEvent => ({
    type: "task.given-up",
    task,
    why: "x",
  }));

  test("ends a task after its attempts, and all that wait for it; the others go on", () => {
    expect(steps(workflowWith(...spent))).toEqual([
      { type: "give-up", task: "T-1", why: "the tests fail" },
      { type: "give-up", task: "T-2", why: "blocked by T-1, which was given up" },
      { type: "give-up", task: "T-3", why: "blocked by T-1, which was given up" },
      expect.objectContaining({ type: "start", task: "T-4" }),
    ]);
  });

  test("says the same when only the first was written down", () => {
    const workflow = workflowWith(...spent, { type: "task.given-up", task: "T-1", why: "x" });

    expect(stepsOf("give-up", workflow)).toEqual([
      { type: "give-up", task: "T-2", why: "blocked by T-1, which was given up" },
      { type: "give-up", task: "T-3", why: "blocked by T-1, which was given up" },
    ]);
  });

  test("pauses when the others are done", () => {
    const workflow = workflowWith(...spent, ...allGivenUp, ...done("T-4", 1), {
      type: "wave.ended",
      wave: 1,
    });

    expect(steps(workflow)).toEqual([
      { type: "pause", reason: "iterations", detail: "3 of 4 tasks given up: T-1, T-2, T-3" },
    ]);
  });
});

describe("the end", () => {
  const one = [adopted([planned("T-1")]), waveBegun, ...done("T-1", 1)];

  test("of a wave comes before that of the plan", () => {
    expect(steps(workflowWith(...one))).toEqual([{ type: "wave-done", wave: 1 }]);
    expect(steps(workflowWith(...one, { type: "wave.ended", wave: 1 }))).toEqual([{ type: "finish" }]);
  });

  test("of a plan without tasks is its beginning", () => {
    expect(steps(workflowWith(adopted([])))).toEqual([{ type: "finish" }]);
  });

  test("isn't reached while something is under way", () => {
    expect(steps(workflowWith(adopted([planned("T-1")]), waveBegun, started("T-1")))).toEqual([]);
    expect(
      steps(
        workflowWith(
          adopted([planned("T-1")]),
          waveBegun,
          started("T-1"),
          finished("T-1"),
          mergeBegun(1, "T-1"),
        ),
      ),
    ).toEqual([]);
  });
});

describe("a task that goes in circles", () => {
  const LIMIT = { stuck: { limit: 2, since: START } };
  const PLAN = adopted([planned("T-1"), planned("T-2", ["T-1"])], { attemptLimit: 9 });
  const failure = (said: string, line: string): string =>
    failureText({
      why: "It paused: same-error.",
      said: [said],
      checks: [{ name: "T-1", ending: "failed", output: line }],
    });
  const same = [failure("I did it.", "not ok 1"), failure("Now!", "not ok 1"), failure("Sure.", "not ok 1")];

  test("is given up after more equal failures than the stuck limit, with those that wait for it", () => {
    const workflow = workflowWith(PLAN, waveBegun, ...failing(...same));
    expect(stepsOf("give-up", workflow, LIMIT)).toMatchObject([{ task: "T-1" }, { task: "T-2" }]);
    expect(startsOf(workflow, LIMIT)).toEqual([]);
    const givenUp = (task: string): WorkflowEvent => ({ type: "task.given-up", task, why: "" });
    const ended = workflowWith(PLAN, waveBegun, ...failing(...same), givenUp("T-1"), givenUp("T-2"), {
      type: "wave.ended",
      wave: 1,
    });
    expect(steps(ended, LIMIT)).toEqual([
      {
        type: "pause",
        reason: "iterations",
        detail: "2 of 2 tasks given up: T-1, T-2, after failing in the same way each time (--stuck-limit)",
      },
    ]);
  });

  test.each<[string, readonly string[], Partial<Facts>]>([
    ["few failures", same.slice(0, 2), LIMIT],
    ["another failure among them", [...same.slice(0, 2), failure("", "not ok 2")], LIMIT],
    ["the limit switched off", same, { stuck: { limit: 0, since: START } }],
    ["a resume since then", same, { stuck: { limit: 2, since: START + 1 } }],
    ["no limit", same, {}],
  ])("is tried again: %s", (_, details, facts) => {
    const workflow = workflowWith(PLAN, waveBegun, ...failing(...details));
    expect(stepsOf("give-up", workflow, facts)).toEqual([]);
    expect(startsOf(workflow, facts)).toEqual(["T-1"]);
  });

  test("is tried again while a model knows another approach", () => {
    const workflow = workflowWith(PLAN, waveBegun, ...failing(...same));
    const advised = (agent: string | null): Stages => {
      const loop = loopWith({ goal: { exitRule: "tasks" } }, stagesBegun, PLAN, {
        ...counselGiven("T-1", 2),
        agent,
      });
      if (loop.stages === null) throw new Error("no stages");
      return loop.stages;
    };
    const typesOf = (agent: string | null): readonly string[] =>
      schedule(workflow, advised(agent), { ...FACTS, ...LIMIT }).map(({ type }) => type);
    expect(typesOf("codex")).toEqual(["counsel"]);
    expect(typesOf(null)).toEqual(["give-up", "give-up"]);
  });
});
