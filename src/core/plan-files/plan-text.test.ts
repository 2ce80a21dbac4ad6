import { describe, expect, test } from "vitest";
import type { DraftedTask, DraftedPlan } from "./drafted-plan.ts";
import { readPlan, planMarkdown } from "./plan-text.ts";
import * as fc from "fast-check";
import { effort } from "../../../test/support/effort.ts";
import { hasErrors, lintPlan } from "./lint-plan.ts";

function only(text: string): DraftedTask {
  const { tasks } = readPlan(text);
  const [task] = tasks;
  if (task === undefined || tasks.length > 1) throw new Error(`${tasks.length} tasks`);
  return task;
}

const blockersOf = (text: string): readonly string[] => only(text).blockers.map(({ id }) => id);
const commandOf = (text: string): string | undefined => only(text).verify?.command;

describe("a plan in Markdown", () => {
  test("a field that is misspelt is named, and other words with a colon aren't", () => {
    const { issues } = readPlan(
      [
        "### T-001: Dig",
        "verfy: npm test",
        "- **Blockd by:** T-002",
        "depnds on: T-002",
        "Note: dig",
        "Files touched: none",
      ].join("\n"),
    );
    expect(issues.map(({ line, text }) => [line, text])).toEqual([
      [2, '"verfy:" is not a field of a task, so this line is part of the description. Is verify: meant?'],
      [
        3,
        '"blockd by:" is not a field of a task, so this line is part of the description. Is blocked by: meant?',
      ],
      [
        4,
        '"depnds on:" is not a field of a task, so this line is part of the description. Is depends on: meant?',
      ],
    ]);
  });

  test("a file with a blank in its name is in quotes", () => {
    expect(only('### T-001: Dig\nfiles: "src/größe, ünd.js", src/a.js').files).toEqual([
      "src/größe, ünd.js",
      "src/a.js",
    ]);
  });

  test.each([
    ["UTF-16", Buffer.from("\uFEFF### T-001: Dig\n", "utf16le").toString("utf8")],
    ["UTF-16 without a mark", Buffer.from("### T-001: Dig\n", "utf16le").toString("utf8")],
    ["a program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]).toString("utf8")],
  ])("%s isn't one", (_, text) => {
    expect(readPlan(text).issues).toEqual([
      { line: 1, severity: "error", text: "This is not text in UTF-8; save it as UTF-8." },
    ]);
  });

  test("has its tasks under headings, with fields and free text, each with its line", () => {
    const { source, preface, tasks, issues } = readPlan(
      [
        "# Validation",
        "",
        "Keep the API as it is.",
        "",
        "### T-001: Add the schema",
        "blocked by: none",
        "verify: npm test -- schema",
        "files: src/schema/**, `src/index.ts`",
        "estimate: 10m",
        "",
        "Use the validator that is there.",
        "",
        "#### Hint",
        "- [ ] look at zod first",
        "### T-002: Validate tokens",
        "- **Blocked by:** T-001",
        "- **Verify:** `npm test -- token`",
        "## Notes",
        "verify: nothing of a task",
      ].join("\r\n"),
    );
    expect({ source, preface, issues }).toEqual({
      source: "file",
      preface: "# Validation\n\nKeep the API as it is.",
      issues: [],
    });
    expect(tasks).toEqual([
      {
        id: "T-001",
        line: 5,
        subject: "Add the schema",
        description: "Use the validator that is there.\n\n#### Hint\n- [ ] look at zod first",
        verify: { command: "npm test -- schema", line: 7, isProposed: false },
        blockers: [],
        files: ["src/schema/**", "src/index.ts"],
        estimateMs: 600_000,
      },
      {
        id: "T-002",
        line: 15,
        subject: "Validate tokens",
        description: "",
        verify: { command: "npm test -- token", line: 17, isProposed: false },
        blockers: [{ id: "T-001", line: 16 }],
        files: [],
        estimateMs: null,
      },
    ]);
  });

  test("may be a progress file: what is checked is done, and blockers stand in brackets", () => {
    const { tasks, done, issues } = readPlan(`# Loop Progress: Add validation to auth

**Status:** Wave 2 of 4 | Iteration 3 | Cost: $2.50/$25

## ✅ Completed (Wave 1)
- [x] T-001: Add ValidationError import to auth.ts
- [x] T-002: Add ValidationError import to api.ts

## 🔄 In Progress (Wave 2)
- [ ] T-003: Create validation schema (assigned to subagent)
- [ ] T-004: Implement validateToken

## ⏳ Pending (Wave 3+)
- [ ] T-005: Implement validateUser (blocked by T-003)

## 📊 Metrics
- Tasks: 2/6 complete
- Stuck count: 0
`);
    expect(issues).toEqual([]);
    expect(done.map(({ id }) => id)).toEqual(["T-001", "T-002"]);
    expect(tasks).toMatchObject([
      { id: "T-003", line: 10, subject: "Create validation schema (assigned to subagent)", description: "" },
      { id: "T-004", subject: "Implement validateToken", blockers: [] },
      {
        id: "T-005",
        subject: "Implement validateUser",
        description: "",
        blockers: [{ id: "T-003", line: 14 }],
      },
    ]);
  });

  test.each([
    ["### T-001: A\nBlocked by T-002 and T-003.", ["T-002", "T-003"]],
    ["### T-001: A\nblocked by: T-002, T-003", ["T-002", "T-003"]],
    ["### T-001: A\nDepends on: [T-002](#t-002), `T-003` (the schema)", ["T-002", "T-003"]],
    ["- [ ] T-001: A\nblocked by T-002", ["T-002"]],
    ["- [ ] T-001: A\n  - blocked by: T-002", ["T-002"]],
    ["- [ ] T-001: A — blocked by: T-002, T-003 — verify: x", ["T-002", "T-003"]],
    ["- [ ] T-001: A blocked by T-002", ["T-002"]],
    ["- [ ] T-001: A. Verify: `x y` (blocked by T-002)", ["T-002"]],
    ["### T-001: A\nSee why T-009 is blocked by T-001.", []],
    ["### T-001: A\nIt is long. Blocked by T-002.", ["T-002"]],
    ["### T-001: A\nblocked by: soon", ["soon"]],
    ["### T-001: A\n```\nblocked by: T-002\n```", []],
    ["### T-001: A\n> blocked by: T-002", []],
    ["### T-001: A\n<!--\nblocked by: T-002\n-->\nblocked by: T-003", ["T-003"]],
  ])("says what a task is blocked by: %j", (text, ids) => {
    expect(blockersOf(text)).toEqual(ids);
  });

  test.each([
    ["### T-001: A\nverify: grep -q 'a b' x | wc -l", "grep -q 'a b' x | wc -l"],
    ["### T-001: A\nVerify: `npm test`.", "npm test"],
    ["### T-001: A\nVerify: ``echo `date` ``", "echo `date`"],
    ["### T-001: A\nVerify:\n\n```sh\nnpm ci\nnpm test\n```\nMore.", "npm ci\nnpm test"],
    ["- [ ] T-001: A (verify: test -e (x))", "test -e (x)"],
    ["- [ ] T-001: Add it to src/auth.ts. Verify: grep E src/auth.ts", "grep E src/auth.ts"],
    ["### T-001: A\nAdd the import. Verify: grep E src/auth.ts", "grep E src/auth.ts"],
    ["### T-001: A\n> He said so. Verify: rm -rf x", undefined],
    ["### T-001: A\n```\nHe said so. Verify: rm -rf x\n```", undefined],
    ["### T-001: A\nSomebody should verify: it is fine.", undefined],
  ])("says the check of a task: %j", (text, command) => {
    expect(commandOf(text)).toBe(command);
    expect(readPlan(text).issues).toEqual([]);
  });

  test.each([
    ["verify: `npm test` fails", "warning", "not only a command"],
    ["verify: `a` and `b`", "warning", "several commands"],
    ["verify:", "warning", "is empty"],
    ["verify: a\nverify: b", "error", "twice"],
    [`verify: ${"x".repeat(4001)}`, "error", "4001 characters"],
    ["verify: a\0b", "error", "NUL"],
    ["estimate: soon", "warning", "10m"],
    ["files: ../x, /etc/passwd, src", "warning", "../x, /etc/passwd"],
    ["x".repeat(10_001), "error", "10001 characters"],
    ["```\nverify: x", "warning", "never closed"],
    ["## Other\n- [ ] no id", "warning", "has no id"],
  ])("tells what it cannot read: %j", (body, severity, text) => {
    const { issues } = readPlan(`### T-001: A\n${body}`);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.severity).toBe(severity);
    expect(issues[0]?.text).toContain(text);
    expect(issues[0]?.line).toBe(/twice|has no id/.test(text) ? 3 : 2);
  });

  test.each([
    ["### **T-001**: A", "T-001", "A"],
    ["- [ ] **T-001: A**", "T-001", "A"],
    ["### Task T-001 – A ###", "T-001", "A"],
    ["### [ ] T-001: A", "T-001", "A"],
    ["### T-001 A", "T-001", "A"],
    ["* [ ] API-12: A: b", "API-12", "A: b"],
    ["1. [ ] T-001. A", "T-001", "A"],
    ["### T-001", "T-001", ""],
    ["### T1: A", "T1", "A"],
    ["### T-1a: A", "T-1a", "A"],
  ])("begins a task with %j", (text, id, subject) => {
    expect(only(text)).toMatchObject({ id, subject });
  });

  test("keeps quotations and code as they are, before the first task too, and leaves comments out", () => {
    const shown = "> quoted\n\n```\n### T-009: shown\n```";
    const { preface, tasks } = readPlan(
      `${shown}\n<!-- ### T-008: no -->\n### T-001: A\n${shown}\n<!--\nno\n-->`,
    );
    expect(preface).toBe(shown);
    expect(tasks).toMatchObject([{ id: "T-001", description: shown }]);
  });

  test("bounds what it keeps of long texts, and says so", () => {
    const { tasks, issues } = readPlan(
      `### T-001: ${"long ".repeat(100)}\n${"a line of text\n".repeat(1000)}verify: x`,
    );
    expect(tasks[0]?.subject).toHaveLength(200);
    expect(tasks[0]?.description).toHaveLength(10_000);
    expect(issues.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });
});

test("a text that says far too much is read to its end", () => {
  const many = 250_000;
  const markdown = readPlan(`### T-001: A\n${"estimate: x\n".repeat(many)}`);
  expect(markdown.issues).toHaveLength(many);
  const files = Array.from({ length: many }, (_, index) => `f${index}`);
  const json = readPlan(JSON.stringify([{ id: "T-001", subject: "A", files, blockedBy: files }]));
  expect(json.tasks[0]?.files).toHaveLength(many);
  expect(json.tasks[0]?.blockers).toHaveLength(many);
});

describe("a checklist without ids", () => {
  test("gets them by position, so that what is done leaves the others as they were", () => {
    const { source, preface, tasks, done, issues } = readPlan(
      [
        "Migrate the forms:",
        "- [x] UTF-8 names",
        "- [ ] UTF-8 addresses (verify: npm test)",
        "  Only in `src`.",
        "  - [ ] street",
        "",
        "- [ ] Fix src/form-2.ts: it crashes",
        "",
        "Thanks!",
      ].join("\n"),
    );
    expect({ source, preface, issues }).toEqual({
      source: "checklist",
      preface: "Migrate the forms:",
      issues: [],
    });
    expect(done).toMatchObject([{ id: "T-001", subject: "UTF-8 names" }]);
    expect(tasks).toMatchObject([
      {
        id: "T-002",
        line: 3,
        subject: "UTF-8 addresses",
        verify: { command: "npm test" },
        description: "Only in `src`.\n  - [ ] street",
      },
      { id: "T-003", line: 7, subject: "Fix src/form-2.ts: it crashes", description: "" },
    ]);
  });

  test("has no tasks where nothing is to be checked off", () => {
    expect(readPlan("Make it better. ### T-001 would be a task.").tasks).toEqual([]);
    expect(readPlan("```\n- [ ] T-001: shown\n```").tasks).toEqual([]);
  });
});

describe("a plan in JSON", () => {
  const text = `\uFEFF{
  "spec": "Validate",
  "tasks": [
    { "id": "T-001", "subject": "Add the schema", "done": true },
    {
      "id": "T-002",
      "subject": "Validate tokens",
      "description": "In src.\\nverify: is no field here",
      "verify": "npm test",
      "blockedBy": ["T-001"],
      "files": ["src/**"],
      "estimate": "2h",
      "wave": 1
    }
  ]
}`;

  test("says the same as Markdown, with the lines", () => {
    const { source, preface, tasks, done, issues } = readPlan(text);
    expect({ source, preface }).toEqual({ source: "file", preface: "Validate" });
    expect(done).toMatchObject([{ id: "T-001", line: 4 }]);
    expect(tasks).toEqual([
      {
        id: "T-002",
        line: 5,
        subject: "Validate tokens",
        description: "In src.\nverify: is no field here",
        verify: { command: "npm test", line: 9, isProposed: false },
        blockers: [{ id: "T-001", line: 10 }],
        files: ["src/**"],
        estimateMs: 7_200_000,
      },
    ]);
    expect(issues).toEqual([
      { line: 13, severity: "warning", text: '"wave" is not a field of a task; it is ignored.' },
    ]);
  });

  const wrongs: readonly (readonly [wrong: string, line: number, said: string])[] = [
    ['{"tasks": [\n{"id": "T-001", "subject": 7}]}', 2, '"subject" of a task should be a text.'],
    ['{"tasks": [\n\n{"subject": "x"}]}', 3, '"id" of a task is missing.'],
    ['[{"id": "T-001",\n"blockedBy": ["T-002", null]}]', 2, '"blockedBy.1" of a task'],
    ['{"tasks": [\n"T-001"]}', 2, "A task should be an object."],
    ['{\n"tasks": {}}', 1, 'a list of "tasks"'],
    ['{"tasks": [\n}', 2, "not valid JSON"],
    [
      '[{"id": "T-1"\n',
      2,
      "This is not valid JSON: a closing brace is missing, in column 1, at the end of the line.",
    ],
    ["[] []", 1, "This is not valid JSON: something follows its end, in column 4, before []."],
    ['{"tasks": [] // no\n}', 1, "not valid JSON"],
    [`[{"id":${"[".repeat(200_000)}`, 1, "not valid JSON"],
  ];
  const named = wrongs.map((each) => [JSON.stringify(each[0]).slice(0, 60), ...each] as const);
  test.each(named)("tells what is wrong, with its line: %s", (_, wrong, line, said) => {
    const { tasks, issues } = readPlan(wrong);
    expect(tasks).toEqual([]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ line, severity: "error" });
    expect(issues[0]?.text).toContain(said);
  });
});

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
  ])("and read as it was written: %j", (description) => {
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
