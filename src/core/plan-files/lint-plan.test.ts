import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOrder, wavesOf, criticalPath } from "../plan/graph.ts";
import { hasErrors, lintPlan, severalTasksIn } from "./lint-plan.ts";
import { planned, LARGEST_PLAN, proposeSplit } from "./drafted-plan.ts";
import { readPlan } from "./plan-text.ts";

const lint = (text: string): readonly string[] =>
  lintPlan(readPlan(text)).map(({ line, severity, text: said }) => `${line} ${severity} ${said}`);

const checked = (id: string, blockers = ""): string =>
  `### ${id}: Do it\nverify: true\n${blockers === "" ? "" : `blocked by: ${blockers}\n`}`;

const approved = { isApproved: () => true, timeoutMs: 1000 };

describe("lint", () => {
  test("has nothing to say about a plan that is in order", () => {
    expect(lint(checked("T-001") + checked("T-002", "T-001"))).toEqual([]);
  });

  test.each([
    ["Some text", ["1 error There is no task here."]],
    ["- [x] T-001: A", ["1 error Every task here is done already."]],
    [checked("T-001", "T-009"), ['3 error T-001 is blocked by "T-009", which is not a task of this plan.']],
    [
      checked("T-001") + checked("T-002", "T-1"),
      ['5 error T-002 is blocked by "T-1", which is not a task of this plan. Is T-001 meant?'],
    ],
    [checked("T-001", "T-001"), ["3 error T-001 is blocked by itself."]],
    [checked("T-001") + checked("t-001"), ["3 error t-001 is there already, in line 1."]],
    [
      checked("T-001", "T-002") + checked("T-002", "T-001") + checked("T-001"),
      [
        "1 error A cycle, each blocked by the next: T-001 → T-002 → T-001.",
        "7 error T-001 is there already, in line 1.",
      ],
    ],
    [
      `Add it, with tests. Only src/auth.js and src/api/.\n\n${checked("T-001").replace("verify", "files: src/**, test/auth.test.js, README.md\nverify")}${checked("T-002").replace("verify", "files: src/api/a.js, src/other.js\nverify")}`,
      ['6 error T-002 changes src/other.js, but the spec says "Only src/auth.js and src/api/".'],
    ],
    [
      `Add it. Leave src/legacy/ untouched.\n\n${checked("T-001").replace("verify", "files: src/a.js, ./src/legacy/b.js\nverify")}`,
      ["3 error T-001 changes ./src/legacy/b.js, which the spec says must not change."],
    ],
    [
      checked("T_1"),
      ['1 error "T_1" is not a task\'s id; write letters, a dash and a number, such as T-001.'],
    ],
    [
      checked("end-1"),
      ["1 error end-1 is reserved for the criteria of the whole plan; write another id, such as T-001."],
    ],
    ["### T-001:\nverify: x", ["1 error T-001 has no subject; say in one sentence what it does."]],
    [
      "### T-001: Do it",
      ["1 warning T-001 has no check, so it stays unverified; add a line such as: verify: npm test"],
    ],
    [
      '[{ "id": "T-001", "subject": "Do it" }]',
      ['1 warning T-001 has no check, so it stays unverified; add a field such as: "verify": "npm test"'],
    ],
    [
      "### T-001: Add it and test it\nverify: x",
      [
        '1 warning T-001 may be more than one task: it has an "and". Split it, or say it in one sentence without "and" or ";".',
      ],
    ],
    [
      checked("T-001", "T-003") + checked("T-002", "T-001") + checked("T-003", "T-002"),
      ["1 error A cycle, each blocked by the next: T-001 → T-003 → T-002 → T-001."],
    ],
    [
      checked("T-001", "T-002") +
        checked("T-002", "T-001") +
        checked("T-003", "T-004") +
        checked("T-004", "T-003"),
      [
        "1 error A cycle, each blocked by the next: T-001 → T-002 → T-001.",
        "7 error A cycle, each blocked by the next: T-003 → T-004 → T-003.",
      ],
    ],
  ])("tells what is wrong with %j", (text, issues) => {
    expect(lint(text)).toEqual(issues);
  });

  test("a blocker that is done is known, and blocks nobody", () => {
    const draft = readPlan("- [x] T-001: A\n- [ ] T-002: B (blocked by T-001). Verify: x");
    expect(lintPlan(draft)).toEqual([]);
    expect(planned(draft, approved).tasks).toMatchObject([{ id: "T-002", blockedBy: [] }]);
  });

  test("commands are checks only once they are approved", () => {
    const draft = readPlan(checked("T-001"));
    expect(planned(draft, approved).tasks[0]).toMatchObject({
      check: { command: { kind: "shell", line: "true" }, timeoutMs: 1000, passEnv: [] },
      proposed: null,
    });
    expect(planned(draft, { ...approved, isApproved: () => false }).tasks[0]).toMatchObject({
      check: null,
      proposed: "true",
    });
  });

  test("many tasks are a warning, too many an error", () => {
    const plan = (count: number): string =>
      Array.from({ length: count }, (_, index) => checked(`T-${index}`)).join("");
    expect(lint(plan(25))).toEqual([]);
    expect(lint(plan(26))).toEqual(["1 warning 26 tasks are many for one plan; up to 25 stay in view."]);
    expect(lint(plan(5001))).toEqual(["1 error A plan has at most 5000 tasks; this one has 5001."]);
    expect(lint("- [ ] A\n".repeat(20_000))).toHaveLength(1);
  });
});

/** Tasks of random graphs; with `backward`, blockers come only before. */
function plans(backward: boolean): fc.Arbitrary<readonly (readonly number[])[]> {
  return fc
    .integer({ min: 1, max: 60 })
    .chain((size) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, index) =>
          backward && index === 0
            ? fc.constant<number[]>([])
            : fc.uniqueArray(fc.nat({ max: backward ? index - 1 : size - 1 }), { maxLength: 3 }),
        ),
      ),
    );
}

const idOf = (index: number): string => `T-${String(index + 1).padStart(3, "0")}`;

/** Every other one before all the rest: blockers may come after those whom they block. */
function textOf(graph: readonly (readonly number[])[]): string {
  const texts = graph.map((blockers, index) => checked(idOf(index), blockers.map(idOf).join(", ")));
  return texts
    .toSorted((one, other) => (texts.indexOf(one) % 2) - (texts.indexOf(other) % 2))
    .toReversed()
    .join("");
}

/** Whether some task can reach itself, by walking from each: slow, and plainly right. */
function hasCycle(graph: readonly (readonly number[])[]): boolean {
  return graph.some((_, start) => {
    const seen = new Set<number>();
    const left = graph[start]?.filter((each) => each !== start) ?? [];
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      if (each === start) return true;
      if (!seen.has(each)) left.push(...(graph[each] ?? []));
      seen.add(each);
    }
    return false;
  });
}

describe("for any graph", () => {
  test("a cycle is named exactly where there is one, and each of its tasks is blocked by the next", () => {
    fc.assert(
      fc.property(plans(false), (graph) => {
        const cycles = lint(textOf(graph)).filter((text) => text.includes("A cycle"));
        expect(cycles.length > 0).toBe(hasCycle(graph));
        for (const text of cycles) {
          const names = text.replace(/^.*: |\.$/g, "").split(" → ");
          if (names.includes("…")) continue;
          for (const [index, name] of names.slice(0, -1).entries())
            expect(graph[Number(name.slice(2)) - 1]?.map(idOf)).toContain(names[index + 1]);
          expect(names.at(-1)).toBe(names[0]);
        }
      }),
    );
  });

  test("waves come after their blockers', and no later than they must", () => {
    fc.assert(
      fc.property(plans(true), (graph) => {
        const { tasks } = planned(readPlan(textOf(graph)), approved);
        const waves = wavesOf(tasks);
        for (const { id, blockedBy } of tasks)
          expect(waves.get(id)).toBe(1 + Math.max(0, ...blockedBy.map((each) => waves.get(each) ?? 0)));
        const order = inOrder(tasks).map(({ id }) => id);
        for (const { id, blockedBy } of tasks)
          for (const each of blockedBy) expect(order.indexOf(each)).toBeLessThan(order.indexOf(id));
      }),
    );
  });

  test("the critical path is a chain of blockers as long as there are waves", () => {
    fc.assert(
      fc.property(plans(true), (graph) => {
        const { tasks } = planned(readPlan(textOf(graph)), approved);
        const { ids, estimateMs } = criticalPath(tasks);
        expect(estimateMs).toBe(null);
        expect(ids).toHaveLength(Math.max(...wavesOf(tasks).values()));
        for (const [index, id] of ids.slice(1).entries())
          expect(tasks.find((task) => task.id === id)?.blockedBy).toContain(ids[index]);
      }),
    );
  });

  test("a split has every task once, at most 25 in a plan, and none waits for a later plan", () => {
    fc.assert(
      fc.property(plans(true), (graph) => {
        const { tasks } = planned(readPlan(textOf(graph)), approved);
        const split = proposeSplit(tasks);
        expect(split === null).toBe(tasks.length <= LARGEST_PLAN);
        const parts = split ?? [tasks.map(({ id }) => id)];
        expect(parts.flat().toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
        for (const part of parts) expect(part.length).toBeLessThanOrEqual(LARGEST_PLAN);
        const partOf = (id: string): number => parts.findIndex((part) => part.includes(id));
        for (const { id, blockedBy } of tasks)
          for (const each of blockedBy) expect(partOf(each)).toBeLessThanOrEqual(partOf(id));
      }),
    );
  });

  test("no text makes reading or lint throw", () => {
    const words = fc.constantFrom(
      "### T-001: A",
      "- [ ] ",
      "- [x] T-002: B",
      "blocked by: T-001",
      "verify: `x",
      "```",
      "<!--",
      "-->",
      "> ",
      "{",
      "[{",
      "\t",
      "T-",
      "\u0000",
      " and ",
      "\n",
      "\n",
      "\r\n",
      ";",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }), (parts) => {
        const draft = readPlan(parts.join(""));
        const issues = lintPlan(draft);
        const ordered = hasErrors(issues) ? draft.tasks : [...wavesOf(planned(draft, approved).tasks)];
        expect(ordered).toHaveLength(draft.tasks.length);
      }),
      { numRuns: 500 },
    );
  });
});

test("estimates weigh the critical path; a task without one counts as the average", () => {
  const sized = (id: string, estimateMs: number | null, ...blockedBy: readonly string[]) => ({
    id,
    estimateMs,
    blockedBy,
  });
  expect(criticalPath([sized("a", 10), sized("b", 10, "a"), sized("c", 100), sized("d", null, "b")])).toEqual(
    { ids: ["c"], estimateMs: 100 },
  );
  expect(criticalPath([sized("a", 40), sized("b", null, "a"), sized("c", 60)])).toEqual({
    ids: ["a", "b"],
    estimateMs: 90,
  });
});

test("what hangs together stays in one plan as far as it fits", () => {
  const chain = (letter: string, length: number) =>
    Array.from({ length }, (_, index) => ({
      id: `${letter}-${index}`,
      blockedBy: index === 0 ? [] : [`${letter}-${index - 1}`],
    }));
  const split = proposeSplit([...chain("A", 30), ...chain("B", 15), ...chain("C", 10), ...chain("D", 4)]);
  expect(split?.map((part) => part.map((id) => id.charAt(0)).join(""))).toEqual([
    "A".repeat(25),
    `${"A".repeat(5)}${"B".repeat(15)}${"D".repeat(4)}`,
    "C".repeat(10),
  ]);
});

test.each([
  "Add the validator and write its tests",
  "Create the schema and update the docs",
  "Add the parser and write tests",
  "Add login and logout",
  "Read and parse the file",
  "Add the parser and tests for it",
  "Remove a, b, and c",
  "Add the parser; test it",
  "Add the parser. Then use it",
  "Add the parser & wire it up",
])("the spec %s describes more than one task", (subject) => {
  expect(severalTasksIn(subject)).not.toBe(null);
});

test.each([
  "Add read and write access to the store",
  "Support import and export buttons",
  "Support import and export",
  "Fix client and server code",
  'Rename "Save and close" to Done',
  "Rename `a; b` to c",
  "Show the Terms and Conditions",
  "Convert between JSON and YAML",
  "Use both old and new names",
  "Handle e.g. UTF-8 names",
  "Bump to v2.0 Beta",
  "Expand the band",
  "Don't show the user's name",
])("the spec %s describes one task", (subject) => {
  expect(severalTasksIn(subject)).toBe(null);
});
