import { describe, expect, test } from "vitest";
import { finding, workReviewed } from "../../../../test/support/stage-builders.ts";
import { shellCheck } from "../../../../test/support/loop-builders.ts";
import { commit, planned } from "../../../../test/support/workflow-builders.ts";
import type { Kind } from "../../stages/stages.ts";
import type { GateFacts } from "./checklist.ts";
import { gateItems, gateRemediations } from "./judge-gate.ts";

const FACTS: GateFacts = {
  kind: "build",
  tasks: [{ id: "T-1", confidence: "verified", doubts: [] }],
  review: { ...workReviewed(1), resolved: [] },
  tip: commit("b"),
  checks: { run: 2, red: [] },
  doubts: null,
  refuted: [],
  mustNots: { held: 0, unseen: 0, violated: [], flaky: [] },
  boundaries: [],
  spoken: [],
  setupFailure: null,
  changed: { testsAdded: ["test/a.test.js"], testsCut: [], deleted: [], manifests: [], locks: [] },
  mutants: null,
};
const changed = FACTS.changed as NonNullable<GateFacts["changed"]>;
const states = (part: Partial<GateFacts>): { readonly [name: string]: string } =>
  Object.fromEntries(gateItems({ ...FACTS, ...part }).map(({ name, state }) => [name, state]));

test.each<readonly [kind: Kind, items: { readonly [name: string]: string }]>([
  ["build", { "runs without errors": "met", "edge cases tried": "met", "dependencies verified": "met" }],
  [
    "debug",
    {
      "root cause shown": "met",
      "fix resolves the symptom": "met",
      "a guard added": "met",
      "same class checked": "weak",
    },
  ],
  [
    "refactor",
    { "tests unchanged and passing": "met", "behaviour identical": "met", "nothing orphaned": "weak" },
  ],
])("%s has a checklist of its own", (kind, items) => {
  expect(states({ kind })).toEqual({
    "thorough review passed": "met",
    "every task has evidence": "met",
    ...items,
  });
});

describe("an item", () => {
  const red = { name: "T-1", detail: "failed", check: shellCheck("npm test") };
  const weakTask = [{ id: "T-1", confidence: "weak", doubts: [] }] as const;

  test.each<readonly [title: string, part: Partial<GateFacts>, name: string, state: string | undefined]>([
    [
      "is open when a check is red at the end",
      { checks: { run: 2, red: [red] } },
      "runs without errors",
      "open",
    ],
    ["is weak without any check", { checks: { run: 0, red: [] } }, "runs without errors", "weak"],
    ["is open when setup fails", { setupFailure: "npm ci" }, "dependencies verified", "open"],
    [
      "is weak when no test was added",
      { changed: { ...changed, testsAdded: [] } },
      "edge cases tried",
      "weak",
    ],
    [
      "is met by mutants that are all noticed",
      { changed: { ...changed, testsAdded: [] }, mutants: { tried: 4, killed: 4 } },
      "edge cases tried",
      "met",
    ],
    [
      "is weak when one survives",
      { mutants: { tried: 4, killed: 3 } },
      "faults in changed lines noticed",
      "weak",
    ],
    [
      "is weak when dependencies change and their lock doesn't",
      { changed: { ...changed, manifests: ["package.json"] } },
      "dependencies verified",
      "weak",
    ],
    [
      "is weak when a review has no answer",
      { review: { ...workReviewed(1, { failure: "no JSON" }), resolved: [] } },
      "thorough review passed",
      "weak",
    ],
    [
      "is weak when a blocker was accepted",
      { review: { ...workReviewed(1, { findings: [finding("F-1")] }), resolved: [] } },
      "thorough review passed",
      "weak",
    ],
    [
      "is weak when the last changes weren't reviewed",
      { tip: commit("c") },
      "thorough review passed",
      "weak",
    ],
    ["isn't there without a review", { review: null }, "thorough review passed", undefined],
    ["is weak when a task is", { tasks: weakTask }, "every task has evidence", "weak"],
    [
      "is weak when nobody could look at a must-not",
      { mustNots: { held: 1, unseen: 1, violated: [], flaky: [] } },
      "must-nots hold",
      "weak",
    ],
    [
      "is weak when a must-not failed and held on the same files",
      { mustNots: { held: 1, unseen: 0, violated: [], flaky: ["run: lint"] } },
      "must-nots hold",
      "weak",
    ],
    [
      "is met when the work stayed within its boundary",
      { boundaries: [{ words: "Only src/a.js", isMustNot: false, outside: [] }] },
      "scope kept",
      "met",
    ],
    [
      "is weak when it left a scope",
      { boundaries: [{ words: "Only src/a.js", isMustNot: false, outside: ["src/b.js"] }] },
      "scope kept",
      "weak",
    ],
    [
      "is open when it changed what it must not",
      { boundaries: [{ words: "Must not …", isMustNot: true, outside: ["src/b.js"] }] },
      "boundary kept",
      "open",
    ],
    [
      "is weak when nothing watches a limit",
      { spoken: [{ id: "M-1", text: "the public API must not change" }] },
      "limits in words kept",
      "weak",
    ],
    ["is met when checks mean what they meant", { doubts: [] }, "checks mean what they meant", "met"],
    [
      "is weak when a check was bent on the way",
      { doubts: ["look.sh was changed"] },
      "checks mean what they meant",
      "weak",
    ],
    [
      "is open when a must-not is violated",
      {
        mustNots: {
          held: 1,
          unseen: 0,
          violated: [{ name: "path:docs/**", detail: "docs/a.md was changed", check: null }],
          flaky: [],
        },
      },
      "must-nots hold",
      "open",
    ],
    [
      "is open when a refactoring deleted tests that nothing replaces",
      {
        kind: "refactor",
        tasks: weakTask,
        changed: { ...changed, testsCut: ["a.test.js"], deleted: ["a.test.js"] },
      },
      "tests unchanged and passing",
      "open",
    ],
    [
      "is met when the earlier tests pass, whatever changed in them",
      { kind: "refactor", changed: { ...changed, testsCut: ["a.test.js"] } },
      "tests unchanged and passing",
      "met",
    ],
    [
      "is weak when nothing failed before",
      { kind: "debug", tasks: weakTask },
      "fix resolves the symptom",
      "weak",
    ],
  ])("%s", (_, part, name, state) => {
    expect(states(part)[name]).toBe(state);
  });
});

describe("a gate that is shut", () => {
  const plan = { source: "file", tasks: [planned("T-1")] } as const;
  const remedies = (part: Partial<GateFacts>) => {
    const facts = { ...FACTS, ...part };
    return gateRemediations(facts, gateItems(facts), { demands: [], plan });
  };

  test("asks for the red check to pass", () => {
    const check = shellCheck("npm run lint");
    expect(remedies({ checks: { run: 1, red: [{ name: "T-1", detail: "failed", check }] } })).toMatchObject([
      { subject: "Make the check of T-1 pass", check },
    ]);
  });

  test("makes a task for whatever else is open, with a check that exists", () => {
    expect(remedies({ setupFailure: "npm ci fails" })[0]).toMatchObject({ check: shellCheck("test T-1") });
  });

  test("makes nothing when it is open", () => {
    expect(remedies({})).toEqual([]);
  });
});

test("what isn't shown for one task is said of that task alone", () => {
  const tasks = [
    { id: "T-1", confidence: "verified", doubts: [] },
    { id: "T-2", confidence: "unverified", doubts: ["it has no check"] },
  ] as const;
  const details = gateItems({ ...FACTS, kind: "debug", tasks }).map(({ name, detail }) => [name, detail]);
  const lacking = "not for every task: T-2 is unverified: it has no check";
  expect(details).toContainEqual(["root cause shown", lacking]);
  expect(details).toContainEqual(["fix resolves the symptom", lacking]);
});

test("evidence that isn't enough is named with its doubt", () => {
  const tasks = [
    { id: "T-1", confidence: "weak", doubts: ["its check is flaky", "more"] },
    { id: "T-2", confidence: "unverified", doubts: [] },
  ] as const;
  const item = gateItems({ ...FACTS, tasks }).find(({ name }) => name === "every task has evidence");
  expect(item?.detail).toBe("T-1 is weak: its check is flaky, T-2 is unverified");
});
