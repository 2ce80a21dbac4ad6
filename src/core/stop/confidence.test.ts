import { describe, expect, test } from "vitest";
import {
  changedTest,
  checked,
  evidenceFor,
  loopWith,
  provenFor,
  ran,
  shownProof,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { Criterion } from "../loop/criterion.ts";
import type { LoopEvent } from "../events/event.ts";
import { topFrame, type Loop } from "../loop/loop.ts";
import { NOTHING_EXECUTES, type CheckChanges, type Proven, type ShownProof } from "../loop/proof.ts";
import { judgedBy } from "./confidence.ts";

const tests = loopWith({ goal: { criteria: [checked("tests")] } }, ran("tests"));
const NOBODY = "the checks pass without the work, too";
const UNKNOWN = "no check is known to fail without the work";

function why(loop: Loop, proven: Proven | null): readonly string[] {
  const judged = judgedBy(topFrame(loop), proven);
  expect(judged.confidence).toBe(judged.why.length === 0 ? "verified" : "weak");
  return judged.why;
}

/** Everything stands, but for these. */
function whyOf(changes: Partial<CheckChanges>, ...shown: readonly ShownProof[]): readonly string[] {
  const { changes: all, shown: repeats } = provenFor(tests);
  const changed: CheckChanges = {
    before: "red",
    definitions: [],
    shortfalls: [],
    altersFiles: false,
    judgesSource: false,
    ...changes,
  };
  const rest = repeats.filter(({ kind }) => !shown.some((each) => each.kind === kind));
  return why(tests, {
    changes: { ...all, checks: new Map([["tests", changed]]) },
    shown: [...rest, ...shown],
    holdouts: [],
  });
}

test("a check that was red and is green twice is verified", () => {
  expect(judgedBy(topFrame(tests), provenFor(tests))).toEqual({ confidence: "verified", why: [] });
});

test("files that could not be read make it weak, and are named", () => {
  const doubts = ["git cannot be started, so ignored files count too"];
  expect(judgedBy(topFrame(tests), provenFor(tests), doubts)).toEqual({ confidence: "weak", why: doubts });
});

test("nothing to be shown is unverified, whatever else was shown", () => {
  expect(judgedBy(topFrame(loopWith({})), null)).toEqual({
    confidence: "unverified",
    why: ["no criterion says when it is done"],
  });
});

describe("evidence is weak", () => {
  const withEvidence = (part: Partial<Criterion>): Loop => {
    const [frame] = tests.frames;
    return {
      ...tests,
      frames: [{ ...frame, criteria: frame.criteria.map((each) => ({ ...each, ...part })) }],
    };
  };

  test("where the check changes the files", () => {
    const loop = withEvidence({ evidence: evidenceFor("tests", { alteredTree: true }) });

    expect(why(loop, provenFor(loop))).toEqual(['"tests" changes the files it judges']);
  });

  test.each([
    ["the same files", "tree-0", "tree-0", true],
    ["other files", "tree-1", "tree-0", false],
    ["unknown files", null, null, false],
  ])("where %s failed before: %s", (_, failedTree, treeDigest, isFlaky) => {
    const loop = withEvidence({ failedTree, evidence: evidenceFor("tests", { treeDigest }) });

    expect(why(loop, provenFor(loop))).toEqual(
      isFlaky ? ['"tests" is flaky, or rests on ignored files: the same files failed before'] : [],
    );
  });

  test("where the check has effects, of which nothing more is shown", () => {
    const { check } = checked("deploy");
    if (check === null) throw new Error("no check");
    const loop = loopWith({ goal: { criteria: [{ name: "deploy", check: { ...check, use: "once" } }] } });

    expect(why(loop, provenFor(loop))).toEqual([
      '"deploy" has side effects: it ran once, without further proofs',
    ]);
  });

  test("where make found nothing to do, as before the work", () => {
    const loop = withEvidence({
      evidence: evidenceFor("tests", { outputTail: "make: 'test' is up to date.\n" }),
    });
    const said = `"tests" ran nothing (make: 'test' is up to date.)`;

    const proven = (before: CheckChanges["before"]): Proven => {
      const { changes, ...rest } = provenFor(loop);
      const checks = new Map([...changes.checks].map(([name, check]) => [name, { ...check, before }]));
      return { ...rest, changes: { ...changes, checks } };
    };

    expect(why(loop, proven("green"))).toContain(said);
    expect(why(loop, proven("red"))).not.toContain(said);
  });

  test("where it is somebody's guess, or nobody's word at all", () => {
    const attested: LoopEvent = {
      type: "criterion.attested",
      name: "docs",
      by: "reasoned inference",
      actor: "agent",
      note: null,
      source: "command",
    };
    const docs = { goal: { criteria: [unchecked("docs")] } };

    expect(why(loopWith(docs, attested), null)).toEqual(['"docs" rests on the agent\'s reasoned inference']);
    expect(why(loopWith(docs), null)).toEqual(['"docs" rests on nobody\'s word']);
  });
});

describe("other names of tests", () => {
  const OTHERS = { text: "1 test of the opening not executed.", isClear: false, isOfNumbers: true };
  const changes = { definitions: [changedTest("test/a.js")], shortfalls: [OTHERS] };

  test("are fine where the opening's tests all ran and passed", () => {
    expect(whyOf(changes, shownProof("judge", "tests"))).toEqual([]);
  });

  test("are told where those tests did not all run either, or nobody ran them", () => {
    const unclear = shownProof("judge", "tests", { detail: "1 test not executed." });

    expect(whyOf(changes, unclear)).toEqual(['"tests": 1 test of the opening not executed.']);
    expect(whyOf(changes)).toEqual(['"tests": 1 test of the opening not executed.']);
  });

  test("excuse nothing but numbers", () => {
    const silent = { ...changes, shortfalls: [{ ...OTHERS, text: "No report.", isOfNumbers: false }] };

    expect(whyOf(silent, shownProof("judge", "tests"))).toEqual(['"tests": No report.']);
  });
});

test("a report that cannot be read isn't missed where a failing test was noticed", () => {
  const unread = { text: "No report.", isClear: false, isOfNumbers: false, isUnread: true };
  const changes = { shortfalls: [unread] };

  expect(whyOf(changes, { ...shownProof("repeat", "tests"), hasNoticed: true })).toEqual([]);
  expect(whyOf(changes, shownProof("repeat", "tests"))).toEqual(['"tests": No report.']);
});

test("why it is unknown whether the work is noticed is told once", () => {
  const open = shownProof("revert", "tests", { result: "open", detail: "it cannot be loaded" });

  expect(whyOf({ before: "green" }, open)).toEqual([`${UNKNOWN}: it cannot be loaded`]);
  expect(whyOf({ before: "unrun" }, open)).toEqual(['"tests": it cannot be loaded', UNKNOWN]);
});

describe("proofs make it weak", () => {
  test("where they are switched off, unless nothing could have been proven", () => {
    expect(why(tests, null)).toEqual(["proofs were switched off"]);
  });

  test("where there is no opening to compare with, which is all that is said", () => {
    const { changes } = provenFor(tests);

    expect(why(tests, provenFor(tests, { changes: { ...changes, missing: "no opening was kept" } }))).toEqual(
      ["no opening was kept"],
    );
  });

  const open = { result: "open", detail: "this machine has no clean room" } as const;
  const EXEMPT = changedTest("test/snapshot.txt", { isExempt: true });

  test.each<readonly [string, Partial<CheckChanges>, readonly ShownProof[], readonly string[]]>([
    [
      "the opening's judge cannot run",
      { definitions: [changedTest("test/a.js")] },
      [shownProof("judge", "tests", open)],
      ['"tests": this machine has no clean room'],
    ],
    [
      "it cannot be run once more",
      {},
      [shownProof("repeat", "tests", { result: "open" })],
      ['"tests": it could not be shown'],
    ],
    [
      "it is flaky",
      {},
      [shownProof("repeat", "tests", { result: "fails", detail: "it failed the second time" })],
      ['"tests" is flaky: it failed the second time'],
    ],
    [
      "it is flaky, nobody knows how",
      {},
      [shownProof("repeat", "tests", { result: "fails" })],
      ['"tests" is flaky: it passes and fails'],
    ],
    [
      "a holdout cannot run",
      {},
      [shownProof("holdout", "totals", { result: "open", detail: "no room" })],
      ['"totals": no room'],
    ],
    [
      "nothing was red before, and the revert is green",
      { before: "green" },
      [shownProof("revert", "tests", { result: "fails" })],
      [NOBODY],
    ],
    ["nothing was red before, and no revert was run", { before: "green" }, [], [UNKNOWN]],
    [
      "nothing was red before, and its revert cannot be had",
      { before: "green" },
      [shownProof("revert", "tests", open)],
      [`${UNKNOWN}: this machine has no clean room`],
    ],
    [
      "it had not run before, and its revert is green",
      { before: "unrun" },
      [shownProof("revert", "tests", { result: "fails" })],
      ['"tests" also passes without the work', NOBODY],
    ],
    [
      "it had not run before, and its revert cannot be had",
      { before: "unrun" },
      [shownProof("revert", "tests", open)],
      ['"tests": this machine has no clean room', UNKNOWN],
    ],
    [
      "its tests were allowed to change, and its revert is green",
      { definitions: [EXEMPT] },
      [shownProof("revert", "tests", { result: "fails" })],
      ['"tests" also passes without the work'],
    ],
    [
      "tests are missing that may be missing by chance",
      { shortfalls: [{ text: "1 more was skipped.", isClear: false, isOfNumbers: true }] },
      [],
      ['"tests": 1 more was skipped.'],
    ],
  ])("where %s", (_, changes, shown, expected) => {
    expect(whyOf(changes, ...shown)).toEqual(expected);
  });

  test.each<readonly [string, Partial<CheckChanges>, readonly ShownProof[]]>([
    ["green before, and the revert is red", { before: "green" }, [shownProof("revert", "tests")]],
    ["not to be run before, and the revert is red", { before: "unrun" }, [shownProof("revert", "tests")]],
    [
      "judged by the opening's tests",
      { definitions: [changedTest("test/a.js")] },
      [shownProof("judge", "tests")],
    ],
    [
      "allowed to have other tests, and the revert is red",
      { definitions: [EXEMPT] },
      [shownProof("revert", "tests")],
    ],
    [
      "short of tests that were changed, and judged by the opening's",
      {
        definitions: [changedTest("test/a.js")],
        shortfalls: [{ text: "2 fewer.", isClear: true, isOfNumbers: true }],
      },
      [shownProof("judge", "tests")],
    ],
    [
      "given tests by other names, and judged by the opening's",
      {
        definitions: [changedTest("test/a.js")],
        shortfalls: [{ text: "1 not executed.", isClear: false, isOfNumbers: true }],
      },
      [shownProof("judge", "tests")],
    ],
  ])("and do not where it was %s", (_, changes, shown) => {
    expect(whyOf(changes, ...shown)).toEqual([]);
  });

  test("where only a check that the agent added was red before", () => {
    const { check } = checked("lint");
    const added: LoopEvent = { type: "criterion.added", name: "lint", check, by: "agent" };
    const loop = loopWith({ goal: { criteria: [checked("tests")] } }, added, ran("tests"), ran("lint"));
    const { changes } = provenFor(loop);
    const checks = new Map(changes.checks).set("tests", {
      before: "green",
      definitions: [],
      shortfalls: [],
      altersFiles: false,
      judgesSource: false,
    });

    expect(why(loop, provenFor(loop, { changes: { ...changes, checks } }))).toEqual([UNKNOWN]);
  });
});

describe("samples", () => {
  test("that nothing notices make it weak, and say which lines", () => {
    const detail = "no check notices line 12 of src/cart.js";
    const unnoticed = shownProof("faults", null, { result: "fails", detail });
    expect(whyOf({ before: "green" }, unnoticed)).toEqual([detail]);
  });

  test("that are noticed verify what no test noticed before", () => {
    expect(whyOf({ before: "unrun" }, shownProof("faults", null))).toEqual([]);
  });

  test("of a linter that reports a mistake in the work show that it notices it, where nothing executes it", () => {
    const stands = shownProof("violation", "tests");
    const open = (detail: string): ShownProof => shownProof("faults", null, { result: "open", detail });
    const changes = { before: "green", judgesSource: true } as const;
    expect(whyOf(changes, stands, open(NOTHING_EXECUTES))).toEqual([]);
    expect(whyOf(changes, stands, open("with faults its tests did not even begin"))).toEqual([UNKNOWN]);
  });

  test("that show another cause make it weak", () => {
    const detail = "it passes because of lib/same.js, not src/cart.js";
    expect(whyOf({}, shownProof("causes", null, { result: "fails", detail }))).toEqual([detail]);
  });

  test("of a linter that misses a mistake make it weak; those that could not be tried do not", () => {
    const missed = shownProof("violation", "tests", { result: "fails", detail: "it misses a type error" });
    expect(whyOf({ judgesSource: true }, missed)).toEqual(['"tests": it misses a type error']);
    expect(whyOf({ judgesSource: true }, shownProof("violation", "tests", { result: "open" }))).toEqual([]);
  });
});

test("what the spec asked to remove needs nobody who notices it", () => {
  const removed = (spec: string): readonly string[] => {
    const loop = loopWith({ goal: { spec, criteria: [checked("tests")] } }, ran("tests"));
    const { changes, ...rest } = provenFor(loop);
    const files = { source: [], tests: [], definitions: [], deleted: ["src/label.js", "test/label.test.js"] };
    const checks = new Map(
      [...changes.checks].map(([name, each]) => [name, { ...each, before: "green" as const }]),
    );
    return why(loop, { ...rest, changes: { ...changes, files, checks } });
  };
  expect(removed("Nobody needs label() any more: remove src/label.js with its tests")).toEqual([]);
  expect(removed("Make the cart faster")).toEqual([UNKNOWN]);
});

test("tests that may change may have other names, as long as they notice faults", () => {
  const renamed = { text: "1 test of the opening not executed.", isClear: false, isOfNumbers: true };
  const definitions = [changedTest("test/cart.test.js", { isExempt: true })];
  const noticed = shownProof("faults", null);
  expect(whyOf({ shortfalls: [renamed], definitions }, noticed)).toEqual([]);
  expect(whyOf({ shortfalls: [renamed] }, noticed)).toEqual(['"tests": 1 test of the opening not executed.']);
});
