import { expect, test } from "vitest";
import { failedWords, gateWord, mergedWords, objectionsTo, objectionWords } from "./gate-words.ts";

const detail = "holdout: T-001 a test that only the user can see fails; T-002 exit code 1";

test("what speaks against a plan is one sentence, without the name that reads as if it held", () => {
  expect(objectionWords({ name: "runs without errors", detail })).toBe(
    "a test that only the user can see fails (T-001); T-002 exit code 1",
  );
  expect(objectionWords({ name: "nothing orphaned", detail: null })).toBe("“nothing orphaned” does not hold");
});

test("a gate is called passed only where nothing is left unproven", () => {
  const wordOf = (passed: boolean, ...states: readonly string[]): string =>
    gateWord({ passed, items: states.map((state) => ({ state })) } as unknown as Parameters<
      typeof gateWord
    >[0]);
  expect([wordOf(true, "met", "met"), wordOf(true, "met", "weak"), wordOf(false, "met", "open")]).toEqual([
    "passed",
    "let through",
    "shut",
  ]);
});

test("a task is contradicted only by an open item that names it", () => {
  const items = [
    { name: "runs without errors", state: "open", detail },
    { name: "every task has evidence", state: "weak", detail: "T-003 is weak" },
  ];
  const judgement = { gate: { items } } as unknown as Parameters<typeof objectionsTo>[1];
  const against = ["T-001", "T-00", "T-003"].map((id) => objectionsTo({ id }, judgement).length);
  expect(against).toEqual([1, 0, 0]);
});

test("repairs aren't counted among the tasks that were planned", () => {
  const words = (...ids: readonly string[]): string =>
    mergedWords({
      tasks: ids.map((id, index) => ({ id, state: index < 3 ? "done" : "ready" })),
    } as unknown as Parameters<typeof mergedWords>[0]);
  expect(words("T-001", "T-002", "R-1", "R-2")).toBe("2 of 2 tasks, 1 of 2 repairs merged");
  expect(words("T-001", "T-002", "R-auth", "T-004")).toBe("3 of 4 tasks merged");
});

test("a task that failed and isn't tried right now is named, and one that is tried or is done isn't", () => {
  const wordsIn = (
    phase: "active" | "paused",
    ...tasks: readonly (readonly [string, string, number])[]
  ): string | null =>
    failedWords(
      {
        tasks: tasks.map(([id, state, stuckCount]) => ({ id, state, stuckCount })),
      } as unknown as Parameters<typeof failedWords>[0],
      phase,
    );
  const words = wordsIn.bind(null, "paused");
  expect(words(["T-001", "done", 0], ["T-002", "ready", 2])).toBe("T-002 failed twice");
  expect(words(["T-001", "ready", 1], ["T-002", "ready", 3])).toBe("T-001 and 1 more failed");
  expect(words(["T-001", "running", 2], ["T-002", "ready", 0])).toBeNull();
  expect(wordsIn("active", ["T-002", "ready", 2])).toBe(
    "T-002 failed twice and will be tried again by itself",
  );
});
