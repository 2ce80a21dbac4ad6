import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { DONE } from "./driven.ts";
import { plan, untilMerged, writes, type PlanStage, type Scripts } from "./plan-stage.ts";

const SEVEN_TEST = `import { test } from "node:test";
import assert from "node:assert";
test("seven", async () => assert.equal((await import("../lib/seven.mjs")).seven, 7));
`;

/** What is committed before the work. */
export const STORY_FILES = {
  "list.txt": "the list\n",
  "notes.md": "Notes\n",
  "lib/one.mjs": "export const one = 1;\n",
  "test/one.test.mjs": `import { test } from "node:test";
import assert from "node:assert";
test("one", async () => assert.equal((await import("../lib/one.mjs")).one, 1));
`,
  "test/seven.test.mjs": SEVEN_TEST,
};

/** Eight tasks in three levels. */
export const STORY_PLAN = plan(
  ["T-001", "test -f one.txt"],
  ["T-002", "test -f two.txt"],
  ["T-003", "grep -qx three list.txt"],
  ["T-004", "grep -qx four list.txt"],
  ["T-005", 'test -f five.limit && test "$(cat *.limit | wc -l)" -le 1', "T-001", "T-002"],
  ["T-006", "test -f six.limit", "T-001", "T-003"],
  ["T-007", "node --test", "T-001"],
  ["T-008", "test -f eight.txt", "T-004", "T-005", "T-006", "T-007"],
);

/**
 * One task fails and succeeds on its second attempt, one conflicts, one passes alone and fails after the merge, and one deletes a test.
 * The prices differ, so that the sum tells its parts.
 */
export const STORY_SCRIPTS: Scripts = {
  "T-001": [{ ...writes("one.txt"), usd: 0.01 }],
  // Fails, and is given up by itself after its turns; the second attempt succeeds.
  "T-002-1": [
    { do: [{ write: "wrong.txt", text: "wrong\n" }], say: "I cannot do it.", usd: 0.02 },
    { say: "I still cannot do it.", usd: 0 },
    { say: "No.", usd: 0 },
    { say: "No.", usd: 0 },
    { say: "No.", usd: 0 },
  ],
  "T-002-2": [{ ...writes("two.txt"), usd: 0.04 }],
  "T-003": [{ ...writes("list.txt", "the list\nthree\n"), usd: 0.08 }],
  "T-004-1": [
    {
      do: [{ run: untilMerged("T-003") }, { write: "list.txt", text: "the list\nfour\n" }],
      say: DONE,
      usd: 0.16,
    },
  ],
  "T-004-2": [
    {
      do: [{ run: "grep -q '^<<<<<<<' list.txt && printf 'the list\\nthree\\nfour\\n' > list.txt" }],
      say: DONE,
      usd: 0.32,
    },
  ],
  "T-005": [{ ...writes("five.limit", "5\n"), usd: 0.64 }],
  "T-006-1": [
    { do: [{ run: untilMerged("T-005") }, { write: "six.limit", text: "6\n" }], say: DONE, usd: 1.28 },
  ],
  // Finds the merge: the work of T-005 and its own.
  "T-006-2": [
    { do: [{ run: "test -f five.limit && grep -q 6 six.limit && : > six.limit" }], say: DONE, usd: 2.56 },
  ],
  "T-007": [
    { do: [{ delete: "test/seven.test.mjs" }], say: DONE, usd: 5.12 },
    {
      do: [
        { write: "test/seven.test.mjs", text: SEVEN_TEST },
        { write: "lib/seven.mjs", text: "export const seven = 7;\n" },
      ],
      say: DONE,
      usd: 10.24,
    },
  ],
  "T-008": [{ ...writes("eight.txt"), usd: 20.48 }],
};

/** What the user has not committed. */
export const STORY_DIRT = { "notes.md": "Notes\nnot committed\n", "untracked.txt": "mine\n" };

/** How it goes when nobody disturbs it. */
export function expectStory(stage: PlanStage): void {
  expectAccepted(stage);
  // What went back told the next attempt why.
  expect(stage.promptOf("T-002", 2)).toContain("I still cannot do it.");
  expect(stage.promptOf("T-004", 2)).toContain("Conflicts in list.txt");
  expect(stage.promptOf("T-006", 2)).toContain("-le 1` failed with exit code 1");
  // The attempt that deleted a test was held, and had to bring it back.
  const seventh = stage.eventsOf("attempt.started").filter(({ task }) => task === "T-007");
  expect(seventh).toHaveLength(1);
  expect(stage.read(`.loop/loops/${seventh[0]?.loop}/runs/2-1/prompt.md`)).toContain("test/seven.test.mjs");
}

/** The branch holds exactly the accepted work, whoever did it, and nothing is left behind. */
export function expectAccepted(stage: PlanStage): void {
  const branch = `loop/${stage.id}`;
  expect(stage.git("rev-parse", "HEAD")).toBe(stage.git("rev-parse", branch));
  expect(stage.git("symbolic-ref", "HEAD")).toBe("refs/heads/master\n");
  expect(stage.git("rev-list", "--min-parents=2", "HEAD")).toBe("");
  const tasks = stage.tasksOn("master");
  expect(tasks).toHaveLength(8);
  expect(new Set(tasks).size).toBe(8);
  expect(tasks.at(-1)).toBe("T-008");
  expect(stage.git("log", "-1", "--format=%B", "master").trimEnd()).toBe(
    `T-008: Do T-008\n\nLoop: ${stage.id}\nLoop-Task: T-008\nLoop-Attempt: 1`,
  );
  expect(stage.git("ls-files").trim().split("\n").toSorted()).toEqual(
    [
      ...["README.md", ...Object.keys(STORY_FILES)],
      ...["one.txt", "two.txt", "five.limit", "six.limit", "lib/seven.mjs", "eight.txt"],
    ].toSorted(),
  );
  expect(stage.read("list.txt")).toBe("the list\nthree\nfour\n");
  expect(stage.read("six.limit")).toBe("");
  expect(stage.read("test/seven.test.mjs")).toBe(SEVEN_TEST);

  // What the user had not committed is as it was.
  expect(stage.git("status", "--porcelain")).toBe(" M notes.md\n?? untracked.txt\n");
  for (const [path, text] of Object.entries(STORY_DIRT)) expect(stage.read(path)).toBe(text);

  expect(stage.setbacks()).toEqual(["T-002-1 failed", "T-004 conflict", "T-006 red-together"]);
  expect(stage.worktrees()).toEqual([]);
  expect(stage.folders()).toEqual([]);
}

/** The states of what is the user's that were seen while the program ran: until the end, only the one before. */
export async function statesWhile(
  stage: PlanStage,
  run: { readonly isOver: boolean },
): Promise<readonly string[]> {
  const seen = new Set<string>();
  let events = -1;
  while (!run.isOver) {
    const count = stage.workflows.length === 0 ? 0 : stage.events().length;
    const state = count === events ? null : stage.userState();
    // It may have been delivered while this looked.
    if (stage.workflows.length > 0 && stage.eventsOf("wave.ended").length === 3) break;
    if (state !== null) seen.add(state);
    events = count;
    await sleep(50);
  }
  return [...seen];
}
