import { expect, test } from "vitest";
import { reviewOrder, type TaskResult } from "./review-order.ts";

const NOTHING = { source: [], tests: [], definitions: [], deleted: [] };

function result(id: string, part: Partial<TaskResult> = {}): TaskResult {
  return {
    id,
    subject: `Do ${id}`,
    state: "done",
    confidence: "verified",
    doubts: [],
    setbacks: [],
    commit: "c".repeat(40),
    kept: null,
    files: [{ path: "a.js", added: 1, removed: 1 }],
    reverts: [],
    changed: NOTHING,
    ...part,
  };
}

test("many setbacks of one kind are counted", () => {
  const [many] = reviewOrder([result("T-1", { setbacks: ["failed", "conflict", "failed", "failed"] })]);
  expect(many?.risks).toEqual(["4 setbacks: failed 3 times, conflict"]);
});

test("the riskiest task is reviewed first, whatever order the plan has", () => {
  const riskiestFirst = [
    result("T-1", { state: "given-up", confidence: null, commit: null, files: [] }),
    result("T-2", { confidence: "unverified" }),
    result("T-3", { confidence: "weak", setbacks: ["failed"] }),
    result("T-4", { confidence: "weak" }),
    result("T-5", { reverts: [{ path: "a.js", of: "T-9" }] }),
    result("T-6", { changed: { ...NOTHING, deleted: ["test/a.test.js"] } }),
    result("T-7", { changed: { ...NOTHING, tests: ["test/a.test.js"] }, setbacks: ["failed", "failed"] }),
    result("T-8", { setbacks: ["conflict"] }),
    result("T-9", { files: [{ path: "a.js", added: 90, removed: null }] }),
    result("T-10"),
    result("T-11"),
  ];
  const ids = riskiestFirst.map(({ id }) => id);
  expect(reviewOrder(riskiestFirst.toReversed()).map(({ id }) => id)).toEqual([
    ...ids.slice(0, -2),
    // Alike: as the plan has them.
    "T-11",
    "T-10",
  ]);
});

test("the first task to review says why it is first, and how large it is", () => {
  const [task] = reviewOrder([
    result("T-1", {
      confidence: "weak",
      doubts: ["its check also passes without the work"],
      setbacks: ["conflict", "red-together"],
      reverts: [{ path: "src/cart.js", of: "T-2" }],
      changed: {
        source: ["src/cart.js"],
        tests: ["1", "2", "3", "4", "5", "6"],
        definitions: ["package.json"],
        deleted: ["old.test.js"],
      },
      files: [
        { path: "src/cart.js", added: 300, removed: 100 },
        { path: "logo.png", added: null, removed: null },
      ],
    }),
  ]);
  expect(task?.lines).toBe(400);
  expect(task?.risks).toEqual([
    "shown on weak evidence only: its check also passes without the work",
    "puts src/cart.js back to what it was before T-2",
    "deletes old.test.js",
    "changes what its check means: package.json",
    "changes tests: 1, 2, 3, 4 and 2 more",
    "2 setbacks: conflict, red-together",
    "400 lines",
  ]);
});

test("a small verified task is no risk that could be named", () => {
  expect(reviewOrder([result("T-1")])[0]?.risks).toEqual([]);
});
