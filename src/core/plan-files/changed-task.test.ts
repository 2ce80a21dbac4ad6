import { describe, expect, test } from "vitest";
import { adopted, planned } from "../../../test/support/workflow-builders.ts";
import { emptyTask, lintTask, nextTaskId, withWords } from "./task-draft.ts";

const { plan } = adopted([planned("T-001"), planned("T-007", ["T-001"]), planned("END-1", ["T-007"])]);
const told = (words: Parameters<typeof withWords>[1]) => withWords(emptyTask("T-008"), words, 30_000);

test("a new task takes the number after the highest one", () => {
  expect(nextTaskId(plan)).toBe("T-008");
  expect(nextTaskId({ ...plan, tasks: [] })).toBe("T-001");
  expect(nextTaskId({ ...plan, tasks: [planned("remedy")] })).toBe("T-001");
});

test("what isn't said about a task stays as it was", () => {
  const task = told({ subject: "Write the label", verify: "node --test" });
  expect(task.check).toMatchObject({ command: { kind: "shell", line: "node --test" }, timeoutMs: 30_000 });
  expect(withWords(task, { files: ["src/label.js"] }, 5_000)).toEqual({ ...task, files: ["src/label.js"] });
});

describe("a changed task", () => {
  const messages = (words: Parameters<typeof withWords>[1], spec = "Make the shop better"): string =>
    lintTask(plan, told({ subject: "Write the label", verify: "node --test", ...words }), spec)
      .map(({ text }) => text)
      .join("\n");

  test("that fits its plan has nothing wrong with it", () => {
    expect(messages({ blockedBy: ["T-007"] })).toBe("");
  });

  test.each<readonly [title: string, words: Parameters<typeof withWords>[1], message: RegExp]>([
    ["waits for a task that isn't there", { blockedBy: ["T-099"] }, /T-099/],
    ["waits for itself", { blockedBy: ["T-008"] }, /T-008/],
    ["says two things at once", { subject: "Write the label and round the total" }, /and/],
  ])("that %s is refused", (_, words, message) => {
    expect(messages(words)).toMatch(message);
  });

  test("outside of what the spec allows is refused", () => {
    expect(messages({ files: ["src/legacy.js"] }, "Fix it. Do not change src/legacy.js.")).toContain(
      "src/legacy.js",
    );
  });

  test("that closes a circle is refused, although the other half was there before", () => {
    const first = withWords(planned("T-001"), { blockedBy: ["T-007"] }, 30_000);
    expect(
      lintTask(plan, first, "")
        .map(({ text }) => text)
        .join(),
    ).toMatch(/T-001.*T-007|T-007.*T-001/);
  });
});
