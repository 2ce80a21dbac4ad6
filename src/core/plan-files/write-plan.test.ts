import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effort } from "../../../test/support/effort.ts";
import type { DraftedPlan, DraftedTask } from "./drafted-plan.ts";
import { hasErrors, lintPlan } from "./lint-plan.ts";
import { readPlan } from "./read-plan.ts";
import { planMarkdown } from "./write-plan.ts";

/** What a plan says, wherever in the text it says it. */
function saying({ preface, tasks, done }: DraftedPlan): unknown {
  const task = ({ line: _line, verify, blockers, ...rest }: DraftedTask): unknown => ({
    ...rest,
    verify: verify === null ? null : [verify.command, verify.isProposed],
    blockers: blockers.map(({ id }) => id),
  });
  return { preface, tasks: tasks.map(task), done: done.map(task) };
}

const PLAN = `# Validate tokens

Keep the API.

### T-001: Add the schema
verify: npm test -- schema
files: src/schema/**, src/index.ts
estimate: 90m

Use the validator that is there.

\`\`\`ts
verify: not a field
### T-9: not a task
\`\`\`

### [x] T-002: Look around

### T-003: Validate tokens
blocked by: T-001, T-002
verify:
\`\`\`
\`which npm\` test
\`\`\`

### T-004: Measure it
verify (proposed): npm run bench

### T-005: Show it
verify (proposed):
\`\`\`
\`which npm\` start
\`\`\`
`;

test("a plan is written as it was read, with the marks of a model's commands", () => {
  const draft = readPlan(PLAN);
  expect(draft.tasks.map(({ verify }) => verify?.isProposed)).toEqual([false, false, true, true]);
  expect(planMarkdown(draft)).toBe(PLAN);
  expect(saying(readPlan(planMarkdown(draft)))).toEqual(saying(draft));
});

describe("a text that would be read as something else is quoted", () => {
  test.each([
    "### T-002: Another task",
    "- [ ] T-002: Another task",
    "verify: rm -rf /",
    "Do it. Verify: rm -rf /",
    "It is (blocked by T-002)",
    "```\nnever closed",
    "<!-- nobody reads this",
    "# A heading above the task",
  ])("%j", (description) => {
    const tasks = [{ id: "T-001", subject: "Dig", description, verify: "true" }];
    const draft = readPlan(JSON.stringify({ spec: "", tasks: [...tasks, { id: "T-003", subject: "Fill" }] }));
    const read = readPlan(planMarkdown(draft));
    expect(read.issues).toEqual([]);
    expect(read.tasks).toMatchObject([
      { id: "T-001", verify: { command: "true" }, description: description.replace(/^/gm, "> ") },
      { id: "T-003", description: "" },
    ]);
  });
});

const piece = fc.constantFrom(
  ..."### T-002: x|- [ ] a|verify: true|Verify: `x`.|blocked by: T-001|(blocked by T-001)|files: a|estimate: 5m|```|~~~|- ```|<!--|-->|> q| |\n|\r\n|\t|#|##|[x]|**|__|`|T-001|none|-|,|and|é|\u2028|end".split(
    "|",
  ),
);
const text = fc.oneof(
  fc.string(),
  fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
);
const IDS = ["T-001", "T-002", "API-12", "T-3"];
const anyTasks = fc.array(
  fc.record({
    subject: text.map((words) => `Do ${words}`),
    description: text,
    verify: fc.option(fc.oneof(fc.constantFrom("npm test", "`a` b", "x ``` y", "a | b"), text)),
    isBlocked: fc.boolean(),
    files: fc.array(fc.oneof(fc.constantFrom("src/**", "a b", "none", "../x", "a,b", "`c`"), text), {
      maxLength: 3,
    }),
    estimate: fc.option(fc.constantFrom("10m", "1.5h", "90 s", "0.001s", "3d", "soon")),
    done: fc.boolean(),
  }),
  { maxLength: 4 },
);

test("whatever somebody says, the plan in Markdown is read as the plan that was written", () => {
  fc.assert(
    fc.property(text, anyTasks, (spec, tasks) => {
      const named = tasks.map(({ isBlocked, ...task }, index) => ({
        ...task,
        id: IDS[index],
        blockedBy: isBlocked ? IDS.slice(0, index) : [],
      }));
      const draft = readPlan(JSON.stringify({ spec, tasks: named }));
      fc.pre(!hasErrors(lintPlan(draft)));
      fc.pre(draft.tasks.every(({ verify }) => verify === null || !/[\r\n]/.test(verify.command)));
      const once = readPlan(planMarkdown(draft));
      expect(saying(readPlan(planMarkdown(once)))).toEqual(saying(once));
      const commands = (plan: DraftedPlan): unknown =>
        plan.tasks.map(({ id, verify, blockers, estimateMs }) => [
          id,
          verify?.command,
          blockers.map((each) => each.id),
          estimateMs,
        ]);
      expect(commands(once)).toEqual(commands(draft));
    }),
    { numRuns: effort(200, 3_000) },
  );
});
