import { describe, expect, test } from "vitest";
import {
  changedTest,
  START,
  checked,
  launched,
  loopWith,
  provenFor,
  ran,
  sessionId,
  settle,
  shownProof,
  stopFacts,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { Settled, World } from "../../../test/support/loop-builders.ts";
import type { LoopEvent, OpenedGoal } from "../events/event.ts";
import { evolveAll } from "../events/evolve.ts";
import { topFrame, type Loop } from "../loop/loop.ts";
import type { CheckChanges, Proven, ShownProof } from "../loop/proof.ts";
import { SAID_NOTHING, type DrivenTurn } from "./facts.ts";

const done = stopFacts({ said: { ...SAID_NOTHING, claims: [{ type: "exit", source: "command" }] } });

const RUN = sessionId("run-1");
const RUN_BEGAN: LoopEvent = {
  type: "run.began",
  run: RUN,
  driver: "codex",
  model: null,
  process: { pid: 4711, startedAt: "1", boot: "b" },
};
const TURN: DrivenTurn = {
  id: "1-1",
  outcome: "finished",
  cappedItself: false,
  claimsDone: false,
  said: null,
  reportedUsd: null,
  reportedTokens: null,
  denials: [],
};

const withTests = { goal: { criteria: [checked("tests")] } };
const opened = loopWith(withTests);

function judgeFails(...files: readonly string[]): World {
  const definitions = files.map((path) => changedTest(path));
  const shown = shownProof("judge", "tests", {
    result: "fails",
    detail: "1 of 3 tests failed",
    files,
    output: "not ok 1 - total",
  });
  return world({ definitions }, shown);
}

function world(changes: Partial<CheckChanges>, ...shown: readonly ShownProof[]): World {
  const proven: Proven = provenFor(opened);
  const red: CheckChanges = {
    before: "red",
    definitions: [],
    shortfalls: [],
    altersFiles: false,
    judgesSource: false,
  };
  return {
    proven: {
      changes: { ...proven.changes, checks: new Map([["tests", { ...red, ...changes }]]) },
      shown: [...proven.shown, ...shown],
      holdouts: shown.flatMap(({ kind, name }) => (kind === "holdout" && name !== null ? [name] : [])),
    },
  };
}

function reasonOf({ verdict }: Settled) {
  if (verdict.type !== "hold" || verdict.because !== "unfinished") throw new Error("not held");
  return verdict.reason;
}

describe("the opening's judge", () => {
  test("holds once, with what failed and which files changed", () => {
    const settled = settle(opened, done, judgeFails("test/cart.test.js"));

    expect(settled.types).toEqual([
      "exit.signalled",
      "check.ran",
      "proof.shown",
      "proof.shown",
      "proof.shown",
      "breakers.counted",
      "iteration.held",
    ]);
    expect(reasonOf(settled)).toMatchObject({
      unmet: ["tests"],
      lacksSignal: false,
      failing: [],
      contradictions: [
        {
          kind: "judge",
          name: "tests",
          detail: "1 of 3 tests failed",
          files: ["test/cart.test.js"],
          output: "not ok 1 - total",
        },
      ],
    });
    expect(topFrame(settled.loop).exitSignal).toBe(false);
  });

  test("pauses blocked when it fails again for the same files, and says how to go on", () => {
    const held = settle(opened, done, judgeFails("test/cart.test.js"));
    const again = settle(held.loop, done, judgeFails("test/cart.test.js"));

    expect(again.verdict).toMatchObject({ because: "paused", reason: "blocked" });
    expect(again.loop).toMatchObject({
      phase: "paused",
      detail:
        '"tests" fails with the original tests: not ok 1 - total (changed since: test/cart.test.js); if the change is right: loop approve',
    });
  });

  test("says when it pauses what is wrong where nothing ran that could be quoted", () => {
    const gone = "tests inside source files are gone or skipped";
    const shown = shownProof("judge", "tests", { result: "fails", detail: gone, files: ["cart.py"] });
    const skipped = world({ definitions: [changedTest("cart.py")] }, shown);
    const held = settle(opened, done, skipped);

    expect(settle(held.loop, done, skipped).loop).toMatchObject({
      detail: `"tests" fails with the original tests: ${gone} (changed since: cart.py); if the change is right: loop approve`,
    });
  });

  test("names a few of many files when it pauses", () => {
    const files = ["a", "b", "c", "d", "e", "f", "g"];
    const held = settle(opened, done, judgeFails(...files));

    expect(settle(held.loop, done, judgeFails(...files)).loop).toMatchObject({
      detail: expect.stringContaining("(changed since: a, b, c, d, e and 2 more)"),
    });
  });

  test("holds again for other files", () => {
    const held = settle(opened, done, judgeFails("test/cart.test.js", "test/tax.test.js"));
    const again = settle(held.loop, done, judgeFails("test/tax.test.js"));

    expect(reasonOf(again).contradictions).toMatchObject([{ files: ["test/tax.test.js"] }]);
    expect(topFrame(again.loop).iteration).toBe(2);
  });

  test("holds again for the same files where it stood in between", () => {
    const held = settle(opened, done, judgeFails("test/cart.test.js"));
    const stood = loopWith(withTests, ...held.events, ran("tests"), {
      type: "proof.shown",
      name: "tests",
      proof: { kind: "judge", result: "stands", detail: null, files: [] },
    });

    expect(settle(stood, done, judgeFails("test/cart.test.js")).verdict).toMatchObject({ type: "hold" });
  });

  test("holds again for the same files once a person approved them", () => {
    const held = settle(opened, done, judgeFails("test/cart.test.js"));
    const approved = loopWith(withTests, ...held.events, {
      type: "opening.approved",
      names: ["test/cart.test.js"],
    });

    expect(settle(approved, done, judgeFails("test/cart.test.js")).verdict).toMatchObject({ type: "hold" });
  });

  test("lets go when the opening's tests pass as well", () => {
    const stands = world({ definitions: [changedTest("test/a.js")] }, shownProof("judge", "tests"));

    expect(settle(opened, done, stands).verdict).toMatchObject({
      because: "completed",
      confidence: "verified",
    });
  });
});

test("fewer tests that nothing explains hold, each time", () => {
  const fewer = world({
    shortfalls: [{ text: "2 tests fewer than at the opening.", isClear: true, isOfNumbers: true }],
  });
  const held = settle(opened, done, fewer);
  const again = settle(held.loop, done, fewer);

  for (const settled of [held, again])
    expect(reasonOf(settled)).toMatchObject({
      unmet: ["tests"],
      contradictions: [{ kind: "counts", name: "tests", detail: "2 tests fewer than at the opening." }],
    });
});

test("a holdout that fails holds with its name alone", () => {
  const hidden = { result: "fails", detail: "total() of nothing", output: "expected 0, got NaN" } as const;
  const settled = settle(opened, done, world({}, shownProof("holdout", "totals", hidden)));

  expect(reasonOf(settled)).toMatchObject({
    unmet: ["totals"],
    contradictions: [{ kind: "holdout", name: "totals", detail: "", files: [], output: null }],
  });
  expect(JSON.stringify(settled)).not.toContain("NaN");
  expect(JSON.stringify(settled.loop)).not.toContain("of nothing");
});

test("what contradicts the claim pauses, too, when it goes on and on", () => {
  const fewer = world({ shortfalls: [{ text: "2 tests fewer.", isClear: true, isOfNumbers: true }] });
  let loop = opened;
  const reasons: unknown[] = [];
  for (let stop = 0; stop < 6; stop += 1) {
    const { verdict, loop: after } = settle(loop, done, fewer);
    reasons.push(verdict.because);
    loop = after;
  }

  expect(reasons).toEqual([...Array<string>(5).fill("unfinished"), "paused"]);
  expect(loop).toMatchObject({ phase: "paused", reason: "stuck" });
});

describe("weak evidence", () => {
  const green = world({ before: "green" }, shownProof("revert", "tests", { result: "fails" }));

  test("completes, and says why it is weak", () => {
    const { verdict, loop } = settle(opened, done, green);

    const why = ["the checks pass without the work, too"];
    expect(verdict).toEqual({ type: "let-go", because: "completed", confidence: "weak", why });
    expect(loop).toMatchObject({ phase: "completed", why, changed: { source: ["src/cart.js"] } });
  });

  test("holds where the user is strict, with all of its reasons", () => {
    const settled = settle(loopWith({ ...withTests, proof: "strict" }), done, green);

    expect(reasonOf(settled)).toMatchObject({
      unmet: [],
      lacksSignal: false,
      contradictions: [{ kind: "strict", name: null, detail: "the checks pass without the work, too" }],
    });
  });

  test("pauses where the user is strict and it stays the same", () => {
    let loop = loopWith({ ...withTests, proof: "strict" });
    for (let stop = 0; stop < 6; stop += 1) loop = settle(loop, done, green).loop;

    expect(loop).toMatchObject({ phase: "paused", reason: "stuck" });
  });

  test("is none where everything was shown, however strict the user is", () => {
    expect(settle(loopWith({ ...withTests, proof: "strict" }), done).verdict).toMatchObject({
      confidence: "verified",
    });
  });
});

test("without proofs nothing is asked for, and it is weak", () => {
  const { asked, verdict, types } = settle(loopWith({ ...withTests, proof: "off" }), done);

  expect(asked.map(({ type }) => type)).toEqual(["tree", "checks"]);
  expect(types).not.toContain("proof.shown");
  expect(verdict).toMatchObject({ confidence: "weak", why: ["proofs were switched off"] });
});

test("without proofs an attestation is as good as with them", () => {
  const loop = loopWith(
    { proof: "off", goal: { criteria: [unchecked("docs")] } },
    {
      type: "criterion.attested",
      name: "docs",
      by: "observation",
      actor: "person",
      note: null,
      source: "command",
    },
  );

  expect(settle(loop, done).verdict).toMatchObject({ confidence: "verified", why: [] });
});

describe("a check with effects", () => {
  const once = (name: string): OpenedGoal["criteria"][number] => {
    const { check } = checked(name);
    return { name, check: check === null ? null : { ...check, use: "once" } };
  };
  const criteria = [once("deploy"), checked("tests")];
  const deploying = loopWith({ goal: { criteria } });
  const asked = (loop: Loop, given: World = {}) =>
    settle(loop, done, given).asked.map((need) => (need.type === "checks" ? need.names.join() : need.type));

  test("is run last, after the proofs", () => {
    expect(asked(deploying)).toEqual(["tree", "tests", "proofs", "deploy"]);
  });

  test.each<readonly [string, World]>([
    ["another check fails", { checks: { tests: { passed: false } } }],
    ["a proof contradicts the claim", judgeFails("test/cart.test.js")],
  ])("is not run when %s", (_, given) => {
    expect(asked(deploying, given)).not.toContain("deploy");
  });

  test("is not run where nothing is claimed, though checks are run at each end of a driven turn", () => {
    const began = evolveAll(deploying, [RUN_BEGAN, launched("1-1", 1)], START);
    const { asked: needs } = settle(began, stopFacts({ session: RUN, turn: TURN }));

    expect(needs).toContainEqual({ type: "checks", names: ["tests"] });
    expect(JSON.stringify(needs)).not.toContain("deploy");
  });

  test("holds when it fails", () => {
    expect(reasonOf(settle(deploying, done, { checks: { deploy: { passed: false } } }))).toMatchObject({
      unmet: ["deploy"],
      failing: [{ name: "deploy" }],
    });
  });

  test("makes it weak", () => {
    expect(settle(deploying, done).verdict).toMatchObject({
      confidence: "weak",
      why: ['"deploy" has side effects: it ran once, without further proofs'],
    });
  });

  test("is not what a strict user is held up by, and waits for what is", () => {
    const strict = loopWith({ proof: "strict", goal: { criteria } });
    const weak = world({ before: "green" }, shownProof("revert", "tests", { result: "fails" }));

    expect(settle(strict, done).verdict).toMatchObject({ because: "completed", confidence: "weak" });
    expect(asked(strict, weak)).toEqual(["tree", "tests", "proofs"]);
    expect(settle(strict, done, weak).verdict).toMatchObject({ type: "hold" });
    const alone = loopWith({ proof: "strict", goal: { criteria: [once("deploy")] } });
    expect(settle(alone, done).verdict).toMatchObject({ because: "completed", confidence: "weak" });
  });
});

test("a check that fails and passes on the same files is flaky, whoever saw it fail", () => {
  const red = ran("tests", { passed: false });
  const why = ['"tests" is flaky, or rests on ignored files: the same files failed before'];

  expect(settle(loopWith(withTests, red), done).verdict).toMatchObject({ confidence: "weak", why });
  expect(settle(loopWith(withTests, red, ran("tests")), done).verdict).toMatchObject({
    confidence: "weak",
    why,
  });
  expect(settle(loopWith(withTests, red), done, { tree: "tree-1" }).verdict).toMatchObject({
    confidence: "verified",
  });
});
