import { describe, expect, test } from "vitest";
import {
  NOTHING_TRIED,
  changedTest,
  checked,
  loopWith,
  proofShown,
  shownProof,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { Criterion } from "../loop/criterion.ts";
import type { LoopEvent } from "../events/event.ts";
import { topFrame, type Frame } from "../loop/loop.ts";
import type { CheckChanges, DefinitionChanged, Proven, ShownProof } from "../loop/proof.ts";
import { standingReason } from "./hold-reason.ts";
import { contradictionsOf, eventsOfProofs, isNoticed, nextProofs } from "./proofs.ts";

const CHANGED = changedTest("test/cart.test.js");
const NEW_TEST = changedTest("test/new.test.js", { change: "added" });
const NEW_CONFIG = changedTest(".npmrc", { change: "added", isTest: false });
const EXEMPT = changedTest("test/snapshot.txt", { isExempt: true });

function frameOf(...names: readonly string[]): Frame {
  return topFrame(loopWith({ goal: { criteria: [...names.map(checked), unchecked("docs")] } }));
}

function used(frame: Frame, use: NonNullable<NonNullable<Criterion["check"]>["use"]>): Frame {
  const criteria = frame.criteria.map((each) =>
    each.check === null ? each : { ...each, check: { ...each.check, use } },
  );
  return { ...frame, criteria };
}

interface Shown {
  readonly checks?: { readonly [name: string]: Partial<CheckChanges> };
  readonly shown?: readonly ShownProof[];
  readonly holdouts?: readonly string[];
  readonly missing?: string;
}

/** Each check failed before and its tests are as they were, unless it says otherwise; nothing was run yet. */
function proven({ checks = {}, shown = [], holdouts = [], missing }: Shown = {}): Proven {
  const red: CheckChanges = {
    before: "red",
    definitions: [],
    shortfalls: null,
    altersFiles: false,
    judgesSource: false,
  };
  const entries = Object.entries({ tests: {}, lint: {}, ...checks });
  return {
    changes: {
      missing: missing ?? null,
      isWorkThere: true,
      checks: new Map(entries.map(([name, part]) => [name, { ...red, ...part }])),
      files: null,
    },
    shown,
    holdouts,
  };
}

/** Where samples had nothing to try. */
function asked(frame: Frame, { shown = [], ...rest }: Shown): readonly string[] {
  return askedFirst(frame, { ...rest, shown: [...shown, ...NOTHING_TRIED] });
}

function askedFirst(frame: Frame, shown: Shown): readonly string[] {
  return nextProofs(frame, proven(shown)).map(({ kind, name }) => `${kind} ${name}`);
}

const tests = frameOf("tests");
const repeated = [shownProof("repeat", "tests")];

describe("what is run next", () => {
  test("is one repeat of each check where only source changed, and then nothing", () => {
    const both = frameOf("tests", "lint");

    expect(asked(both, {})).toEqual(["repeat tests", "repeat lint"]);
    expect(asked(both, { shown: repeated })).toEqual(["repeat lint"]);
    expect(asked(both, { shown: [...repeated, shownProof("repeat", "lint")] })).toEqual([]);
  });

  test("comes in the order judge, holdouts, repeat, the reverts that are due, and one that notices", () => {
    const frame = frameOf("tests", "lint", "build");
    const checks = {
      tests: { before: "unrun", definitions: [CHANGED] },
      lint: { before: "green" },
      build: { before: "green" },
    } as const;
    const holdouts = ["totals"];
    const rounds: (readonly string[])[] = [];
    const shown: ShownProof[] = [];
    for (let round = 0; round < 10; round += 1) {
      const next = nextProofs(frame, proven({ checks, holdouts, shown }));
      rounds.push(next.map(({ kind, name }) => `${kind} ${name}`));
      const result = (kind: string) => (["revert", "faults"].includes(kind) ? "fails" : "stands");
      shown.push(...next.map(({ kind, name }) => shownProof(kind, name, { result: result(kind) })));
    }

    expect(rounds).toEqual([
      ["judge tests"],
      ["holdout totals"],
      ["repeat tests", "repeat lint", "repeat build"],
      ["faults null"],
      ["revert tests"],
      ["revert lint"],
      ["revert build"],
      ["causes null"],
      [],
      [],
    ]);
  });

  test("is nothing but holdouts where there is no opening to compare with", () => {
    const missing = "no opening was kept";
    const shown = [shownProof("holdout", "totals")];

    expect(asked(tests, { missing })).toEqual([]);
    expect(asked(tests, { missing, holdouts: ["totals"] })).toEqual(["holdout totals"]);
    expect(asked(tests, { missing, holdouts: ["totals"], shown })).toEqual([]);
  });

  test.each([
    ["the opening's judge", { shown: [shownProof("judge", "tests", { result: "fails" })] }],
    ["a holdout", { shown: [shownProof("holdout", "totals", { result: "fails" })] }],
    [
      "the counts",
      { checks: { tests: { shortfalls: [{ text: "2 tests fewer.", isClear: true, isOfNumbers: true }] } } },
    ],
  ])("is nothing once %s contradicts the claim", (_, shown) => {
    expect(asked(tests, shown)).toEqual([]);
  });

  test("never is of a check that has effects, nor of one that nobody runs", () => {
    expect(asked(used(tests, "once"), { checks: { tests: { definitions: [CHANGED] } } })).toEqual([]);
    expect(asked(frameOf(), {})).toEqual([]);
  });

  test("is asked for once, also where it could not be had", () => {
    const open = [shownProof("judge", "tests", { result: "open" }), ...repeated];

    expect(asked(tests, { checks: { tests: { definitions: [CHANGED] } }, shown: open })).toEqual([]);
  });
});

describe("the opening's judge", () => {
  test.each<readonly [string, CheckChanges["before"], readonly DefinitionChanged[], boolean]>([
    ["no test changed", "red", [], false],
    ["a test changed", "red", [CHANGED], true],
    ["a test was removed", "green", [changedTest("test/a.js", { change: "removed" })], true],
    ["a definition changed", "green", [changedTest("scripts.test", { isTest: false })], true],
    ["a test is new", "red", [NEW_TEST], true],
    ["a test is new where none could run", "unrun", [NEW_TEST], false],
    ["a definition is new where none could run", "unrun", [NEW_TEST, NEW_CONFIG], true],
    ["a test changed where none could run", "unrun", [NEW_TEST, CHANGED], true],
    ["nobody knows how it was before", "unknown", [CHANGED], true],
    ["what changed was allowed to", "red", [EXEMPT], false],
    ["one of two was allowed to", "red", [EXEMPT, CHANGED], true],
  ])("when %s", (_, before, definitions, isAsked) => {
    const next = asked(tests, { checks: { tests: { before, definitions } } });

    expect(next.includes("judge tests")).toBe(isAsked);
  });

  test.each<readonly [CheckChanges["before"], boolean]>([
    ["unrun", false],
    ["unknown", false],
    ["red", true],
    ["green", true],
  ])("of a check that was to come, and was %s before", (before, isAsked) => {
    const next = asked(used(tests, "not-yet"), { checks: { tests: { before, definitions: [CHANGED] } } });

    expect(next.includes("judge tests")).toBe(isAsked);
  });
});

describe("the revert", () => {
  test.each<readonly [string, Partial<CheckChanges>, boolean]>([
    ["was red before", { before: "red" }, false],
    ["had not run before", { before: "unrun" }, true],
    ["was green before", { before: "green" }, true],
    ["was never looked at before", { before: "unknown" }, true],
    ["was red before, with tests that were allowed to change", { definitions: [EXEMPT] }, true],
  ])("is asked for of a check that %s: %j", (_, changes, isAsked) => {
    expect(asked(tests, { checks: { tests: changes }, shown: repeated })).toEqual(
      isAsked ? ["revert tests"] : [],
    );
  });

  const three = frameOf("tests", "lint", "build");
  const green = {
    tests: { before: "green" },
    lint: { before: "green" },
    build: { before: "green" },
  } as const;
  const repeats = ["tests", "lint", "build"].map((name) => shownProof("repeat", name));
  const revert = (name: string, result: ShownProof["result"]) => shownProof("revert", name, { result });

  test("of checks that were green before is run one at a time, until one notices", () => {
    const after = (...reverts: readonly ShownProof[]) =>
      asked(three, { checks: green, shown: [...repeats, ...reverts] });

    expect(after()).toEqual(["revert tests"]);
    expect(after(revert("tests", "fails"))).toEqual(["revert lint"]);
    expect(after(revert("tests", "open"))).toEqual(["revert lint"]);
    expect(after(revert("tests", "fails"), revert("lint", "stands"))).toEqual([]);
  });

  test("of a check that was green before is not due where another one was red", () => {
    expect(asked(three, { checks: { ...green, lint: { before: "red" } }, shown: repeats })).toEqual([]);
  });

  test("of a check that the agent added is never due", () => {
    const { check } = checked("lint");
    const added: LoopEvent = { type: "criterion.added", name: "lint", check, by: "agent" };
    const frame = topFrame(loopWith({ goal: { criteria: [checked("tests")] } }, added));
    const shown = [...repeats, revert("tests", "fails")];

    expect(
      asked(frame, { checks: { tests: { before: "green" }, lint: { before: "green" } }, shown }),
    ).toEqual([]);
  });
});

describe("the work is noticed", () => {
  const lint: LoopEvent = {
    type: "criterion.added",
    name: "lint",
    check: checked("lint").check,
    by: "agent",
  };
  const withAgents = topFrame(loopWith({ goal: { criteria: [checked("tests")] } }, lint));
  const withPersons = topFrame(
    loopWith({ goal: { criteria: [checked("tests")] } }, { ...lint, by: "person" }),
  );
  const green = { tests: { before: "green" }, lint: { before: "red" } } as const;
  const redRevert = shownProof("revert", "tests");

  test.each<readonly [string, boolean, Frame, Shown]>([
    ["by a check that was red", true, tests, {}],
    ["by no check that was green", false, tests, { checks: green }],
    ["by no check that could not run", false, tests, { checks: { tests: { before: "unrun" } } }],
    ["by no check that nobody looked at", false, tests, { checks: { tests: { before: "unknown" } } }],
    ["by a red revert", true, tests, { checks: green, shown: [redRevert] }],
    ["by no green revert", false, tests, { checks: green, shown: [{ ...redRevert, result: "fails" }] }],
    [
      "by no revert that could not be had",
      false,
      tests,
      { checks: green, shown: [{ ...redRevert, result: "open" }] },
    ],
    ["by no check with effects", false, used(tests, "once"), {}],
    ["by no check that the agent added", false, withAgents, { checks: green }],
    [
      "by no revert of such a check",
      false,
      withAgents,
      { checks: green, shown: [shownProof("revert", "lint")] },
    ],
    ["by a check that a person added", true, withPersons, { checks: green }],
    ["by nothing at all", false, frameOf(), {}],
  ])("%s: %s", (_, isSeen, frame, shown) => {
    expect(isNoticed(frame, proven(shown))).toBe(isSeen);
  });
});

describe("what contradicts a claim", () => {
  const short = { shortfalls: [{ text: "2 tests fewer.", isClear: true, isOfNumbers: true }] };
  const kinds = (frame: Frame, shown: Shown) =>
    contradictionsOf(frame, proven(shown)).map(({ kind }) => kind);

  test("is the judge of the opening, with its words, its files and the end of its output", () => {
    const judge = { result: "fails", detail: "2 failed", files: ["test/a.js"], output: "not ok 1" } as const;

    expect(contradictionsOf(tests, proven({ shown: [shownProof("judge", "tests", judge)] }))).toEqual([
      {
        kind: "judge",
        name: "tests",
        detail: "2 failed",
        files: ["test/a.js"],

        output: "not ok 1",
      },
    ]);
  });

  test("is a holdout by its name alone", () => {
    const shown = shownProof("holdout", "totals", {
      result: "fails",
      detail: "total() of nothing",
      files: ["hidden.test.js"],
      output: "expected 0",
    });

    expect(contradictionsOf(tests, proven({ shown: [shown] }))).toEqual([
      { kind: "holdout", name: "totals", detail: "", files: [], output: null },
    ]);
  });

  test("is neither a green revert nor a flaky check: those make it weak", () => {
    const shown = (["revert", "repeat"] as const).map((kind) =>
      shownProof(kind, "tests", { result: "fails" }),
    );

    expect(kinds(tests, { shown })).toEqual([]);
  });

  test("is nothing that was shown of a criterion that was removed meanwhile", () => {
    const shown = [shownProof("judge", "removed", { result: "fails" })];

    expect(kinds(tests, { shown })).toEqual([]);
    expect(eventsOfProofs(tests, proven({ shown }))).toEqual([]);
  });

  test.each<readonly [string, Partial<CheckChanges>, boolean]>([
    ["no change of tests explains", short, true],
    ["only new tests go with", { ...short, definitions: [NEW_TEST] }, true],
    ["a changed test explains, which the opening's judge", { ...short, definitions: [CHANGED] }, false],
    [
      "may be chance",
      { shortfalls: [{ text: "1 more was skipped.", isClear: false, isOfNumbers: true }] },
      false,
    ],
    ["are none", { shortfalls: [], altersFiles: false }, false],
    ["nobody reports", { shortfalls: null, altersFiles: false }, false],
  ])("are fewer tests that %s: %#", (_, changes, isContradicted) => {
    expect(kinds(tests, { checks: { tests: changes } })).toEqual(isContradicted ? ["counts"] : []);
  });

  test("tells of fewer tests all that is clear", () => {
    const shortfalls = [
      { text: "2 tests fewer.", isClear: true, isOfNumbers: true },
      { text: "1 more was skipped.", isClear: false, isOfNumbers: true },
      { text: "The report is cut short.", isClear: true, isOfNumbers: true },
    ];

    expect(contradictionsOf(tests, proven({ checks: { tests: { shortfalls } } }))[0]?.detail).toBe(
      "2 tests fewer. The report is cut short.",
    );
  });
});

test("what contradicts a claim is told again from the record", () => {
  const judged = proofShown("tests", { kind: "judge", result: "fails", files: ["test/a.js"] });
  const counts = proofShown("tests", { kind: "counts", result: "fails", detail: "2 tests fewer." });
  const flaky = proofShown("tests", { kind: "repeat", result: "fails" });
  const hidden = proofShown(null, { kind: "holdout", result: "fails", detail: "totals" });
  const stands = proofShown(null, { kind: "holdout", detail: "taxes" });
  const loop = loopWith({ goal: { criteria: [checked("tests")] } }, judged, counts, flaky, hidden, stands);
  const nothing = { detail: "", files: [], output: null };

  expect(standingReason(loop, 1)).toMatchObject({
    lacksSignal: false,
    contradictions: [
      { ...nothing, kind: "judge", name: "tests", files: ["test/a.js"] },
      { ...nothing, kind: "counts", name: "tests", detail: "2 tests fewer." },
      { ...nothing, kind: "holdout", name: "totals" },
    ],
  });
});

describe("what is written down", () => {
  const about = (shown: Shown) =>
    eventsOfProofs(tests, proven(shown)).map((event) =>
      event.type === "proof.shown"
        ? [event.name, event.proof.kind, event.proof.result, event.proof.detail]
        : [],
    );

  const judged = shownProof("judge", "tests");
  const FEWER: Partial<CheckChanges> = {
    shortfalls: [{ text: "2 tests fewer.", isClear: true, isOfNumbers: true }],
    definitions: [CHANGED],
  };

  test.each<readonly [string, Partial<CheckChanges>, readonly unknown[]]>([
    ["that nobody reports", { shortfalls: null, altersFiles: false }, []],
    ["that lack nothing", { shortfalls: [], altersFiles: false }, [["tests", "counts", "stands", null]]],
    [
      "that lack something clear",
      { shortfalls: [{ text: "2 tests fewer.", isClear: true, isOfNumbers: true }] },
      [["tests", "counts", "fails", "2 tests fewer."]],
    ],
    ["that lack something which nobody judged", FEWER, [["tests", "counts", "open", "2 tests fewer."]]],
    [
      "that may lack something",
      { shortfalls: [{ text: "other names", isClear: false, isOfNumbers: true }] },
      [["tests", "counts", "open", "other names"]],
    ],
  ])("of counts %s", (_, changes, expected) => {
    expect(about({ checks: { tests: changes } })).toEqual(expected);
  });

  test("of counts that lack something is that they stand, where the opening's tests all ran", () => {
    expect(about({ checks: { tests: FEWER }, shown: [judged] })[0]).toEqual([
      ...["tests", "counts", "stands", "2 tests fewer."],
    ]);
  });

  test("of a holdout is its name, and that of no criterion", () => {
    const shown = [shownProof("holdout", "tests", { detail: "hidden words", files: ["hidden.test.js"] })];

    expect(eventsOfProofs(tests, proven({ shown }))).toEqual([
      {
        type: "proof.shown",
        name: null,
        proof: { kind: "holdout", result: "stands", detail: "tests", files: [] },
      },
    ]);
  });

  test("of a run is what it showed, without its output", () => {
    const shown = [
      shownProof("judge", "tests", { result: "open", detail: "no room", files: ["a.js"], output: "x" }),
    ];

    expect(eventsOfProofs(tests, proven({ shown }))).toEqual([
      {
        type: "proof.shown",
        name: "tests",
        proof: { kind: "judge", result: "open", detail: "no room", files: ["a.js"] },
      },
    ]);
  });
});

describe("faults in the changed lines", () => {
  test.each<readonly [string, Partial<CheckChanges>, readonly string[]]>([
    ["are due where the tests passed before", { before: "green" }, ["faults null"]],
    ["are due where no test ran before", { before: "unrun" }, ["faults null"]],
    ["are due where tests may change", { before: "red", definitions: [EXEMPT] }, ["faults null"]],
    ["are not due where a test failed before the work", { before: "red" }, ["causes null"]],
  ])("%s", (_, changes, expected) => {
    const checks = { tests: changes };
    const judged = [...repeated, shownProof("judge", "tests")];
    expect(askedFirst(tests, { checks, shown: judged })).toEqual(expected);
  });

  test("that a check notices make a revert unnecessary", () => {
    const shown = [...repeated, shownProof("faults", null)];
    const checks = { tests: { before: "unrun" } } as const;

    expect(askedFirst(tests, { checks, shown })).toEqual(["causes null"]);
    expect(isNoticed(tests, proven({ checks, shown }))).toBe(true);
  });
});

test("a mistake is put into what a linter sees, and not into what tests see", () => {
  const checks = { tests: { judgesSource: true }, lint: {} };
  const both = frameOf("tests", "lint");
  const shown = [...repeated, shownProof("repeat", "lint")];

  expect(askedFirst(both, { checks, shown })).toEqual(["violation tests"]);
});

test("a sample that had nothing to try is not recorded, and one that says why is", () => {
  const recorded = (shown: readonly ShownProof[]): readonly string[] =>
    eventsOfProofs(tests, proven({ shown })).map((event) =>
      event.type === "proof.shown" ? event.proof.kind : event.type,
    );

  expect(recorded(NOTHING_TRIED)).toEqual([]);
  expect(recorded([shownProof("causes", null, { files: ["src/cart.js"] })])).toEqual(["causes"]);
});
