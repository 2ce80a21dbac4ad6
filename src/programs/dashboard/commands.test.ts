import { expect, test } from "vitest";
import { approvedIn, commandsOf, type Target } from "./commands.ts";

const RUN: Target = { id: "fix-it-1234", wasRun: true, isPaused: true };
const SESSION: Target = { ...RUN, wasRun: false };

test("what somebody types is one word each, whatever is in it", () => {
  const say = "it's; rm -rf / --agent=x";
  expect(commandsOf({ type: "continue", budget: 2.5, iterations: 3, say }, RUN)).toEqual([
    ["continue", "--loop", "fix-it-1234", "--budget=2.5", "--iterations=3", `--say=${say}`],
  ]);
});

test("another agent drives a loop on; one that no run drove yet is given to a run first", () => {
  const agent = "codex";
  expect(commandsOf({ type: "continue", agent }, RUN)).toEqual([
    ["continue", "--loop", "fix-it-1234", "--agent=codex"],
  ]);
  expect(commandsOf({ type: "continue", agent }, { ...SESSION, isPaused: false })).toEqual([
    ["run", "--loop", "fix-it-1234", "--agent=codex"],
  ]);
  expect(commandsOf({ type: "continue", agent, budget: 4 }, SESSION)).toEqual([
    ["continue", "--loop", "fix-it-1234", "--budget=4"],
    ["run", "--loop", "fix-it-1234", "--agent=codex"],
  ]);
});

test("what an attempt changed is approved by the attempt's loop, and the plan goes on", () => {
  const approved = approvedIn(["loop approve --loop t-001-abcd", "loop continue --loop fix-it-1234"]);
  expect(approved).toBe("t-001-abcd");
  expect(
    commandsOf({ type: "approve", continues: true }, { ...RUN, ...(approved === null ? {} : { approved }) }),
  ).toEqual([
    ["approve", "--loop", "t-001-abcd", "--yes"],
    ["continue", "--loop", "fix-it-1234"],
  ]);
});

test("who refuses a change has the tests restored; a task's attempt is dropped, and another begins without it", () => {
  expect(commandsOf({ type: "refuse" }, RUN)).toEqual([
    ["continue", "--loop", "fix-it-1234", "--say=restore the original tests, then fix the source"],
  ]);
  expect(commandsOf({ type: "refuse" }, { ...RUN, approved: "t-001-abcd" })).toEqual([
    ["cancel", "--loop", "t-001-abcd"],
    ["continue", "--loop", "fix-it-1234"],
  ]);
});

test("a task that goes in circles is tried again with what it is told, and the plan goes on", () => {
  const again = { type: "retry", task: "T-002", say: "Use the other file." } as const;
  expect(commandsOf(again, RUN)).toEqual([
    ["task", "retry", "T-002", "--loop", "fix-it-1234", "--say=Use the other file."],
    ["continue", "--loop", "fix-it-1234"],
  ]);
});
