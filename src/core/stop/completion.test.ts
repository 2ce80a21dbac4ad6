import { describe, expect, test } from "vitest";
import {
  START,
  checked,
  evidenceFor,
  loopWith,
  ran,
  settle,
  shellCheck,
  stopFacts,
  task,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { World } from "../../../test/support/loop-builders.ts";
import { VERIFICATION_TYPES, type Evidence, type VerificationType } from "../loop/criterion.ts";
import type { Actor, LoopEvent } from "../events/event.ts";
import { topFrame, type Confidence, type Loop } from "../loop/loop.ts";
import { decide } from "./decide.ts";
import { SAID_NOTHING } from "./facts.ts";

const done = stopFacts({
  said: { ...SAID_NOTHING, claims: [{ type: "exit", source: "status-block" }] },
});
const withTests = { goal: { criteria: [checked("tests")] } };

function attested(name: string, by: VerificationType, actor: Actor = "agent"): LoopEvent {
  return { type: "criterion.attested", name, by, actor, note: null, source: "command" };
}

describe("evidence", () => {
  test.each([
    ["on the present tree", {}],
    ["on another tree", { treeDigest: "tree-before" }],
  ])("on record that passed %s is asked for again: anybody may have run that check", (_where, part) => {
    const { asked, verdict } = settle(loopWith(withTests, ran("tests", part)), done);

    expect(asked).toEqual([{ type: "tree" }, { type: "checks", names: ["tests"] }, { type: "proofs" }]);
    expect(verdict).toMatchObject({ because: "completed", confidence: "verified" });
  });

  test("that failed is never used again, not even for the same tree", () => {
    const { asked, verdict } = settle(loopWith(withTests, ran("tests", { passed: false })), done);

    expect(asked).toContainEqual({ type: "checks", names: ["tests"] });
    expect(verdict).toMatchObject({ because: "completed" });
  });

  test("is asked for of every check, first of those that failed last time", () => {
    const criteria = [checked("lint"), checked("types"), checked("tests")];
    const loop = loopWith({ goal: { criteria } }, ran("lint"), ran("tests", { passed: false }));

    const names = ["tests", "lint", "types"];
    expect(settle(loop, done).asked).toContainEqual({ type: "checks", names });
  });

  test.each<readonly [title: string, loop: Loop, world: World]>([
    ["for another tree", loopWith(withTests), { checks: { tests: { treeDigest: "tree-9" } } }],
    ["for no known tree", loopWith(withTests), { checks: { tests: { treeDigest: null } } }],
    [
      "obtained after a protected path changed",
      loopWith({ ...withTests, protects: ["test/**"], protectedDigest: "locked" }),
      { checks: { tests: { protectedDigest: "altered" } } },
    ],
    [
      "obtained without a look at the protected paths",
      loopWith({ ...withTests, protects: ["test/**"], protectedDigest: "locked" }),
      { checks: { tests: { protectedDigest: null } } },
    ],
  ])("%s never counts as passing", (_, loop, world) => {
    const { verdict, loop: after } = settle(loop, done, world);

    expect(verdict).toMatchObject({ type: "hold", reason: { unmet: ["tests"] } });
    expect(after.phase).toBe("active");
  });

  test.each<readonly [title: string, loop: Loop]>([
    ["", loopWith(withTests)],
    [" as it was then", loopWith(withTests, ran("tests", { treeDigest: null }))],
  ])("on a tree that is unknown now%s pauses, since no iteration can mend that", (_, loop) => {
    const { verdict } = settle(loop, done, { tree: null });
    expect(verdict).toMatchObject({
      because: "paused",
      reason: "blocked",
      detail: expect.stringContaining("reading the project's files took too long") as string,
    });
    const failing = settle(loop, done, { tree: null, checks: { tests: { passed: false } } });
    expect(failing.verdict).toMatchObject({ type: "hold", reason: { unmet: ["tests"] } });
  });

  test("that is void is named as void", () => {
    const loop = loopWith({ ...withTests, protects: ["test/**"], protectedDigest: "locked" });
    const { verdict } = settle(loop, done, { checks: { tests: { protectedDigest: "altered" } } });

    expect(verdict).toMatchObject({ reason: { voided: ["tests"] } });
  });

  test("that was void counts once a person approved the protected paths", () => {
    const loop = loopWith(
      { ...withTests, protects: ["test/**"], protectedDigest: "locked" },
      ran("tests", { protectedDigest: "altered" }),
      { type: "protection.approved", digest: "altered" },
    );

    const world: World = { checks: { tests: { protectedDigest: "altered" } } };
    expect(settle(loop, done, world).verdict).toMatchObject({ because: "completed", confidence: "verified" });
  });

  test("obtained before a person approved another state of the protected paths is void", () => {
    const loop = loopWith(
      { ...withTests, protects: ["test/**"], protectedDigest: "locked" },
      ran("tests", { protectedDigest: "locked" }),
      { type: "protection.approved", digest: "approved" },
    );

    expect(settle(loop, done).asked).toContainEqual({ type: "checks", names: ["tests"] });
  });

  test("of this stop is written down, whether it passes or fails", () => {
    const loop = loopWith({ goal: { criteria: [checked("lint"), checked("tests")] } });
    const { loop: after } = settle(loop, done, { checks: { tests: { passed: false } } });

    expect(topFrame(after).criteria.map(({ name, evidence }) => [name, evidence?.passed])).toEqual([
      ["lint", true],
      ["tests", false],
    ]);
  });

  test("of this stop outweighs what was known, also when it is worse", () => {
    const loop = loopWith(withTests, ran("tests"));
    const checks = new Map([["tests", evidenceFor("tests", { passed: false })]]);
    const { verdict } = settle(loop, { ...done, findings: { tree: "tree-0", checks } });

    expect(verdict).toMatchObject({ type: "hold" });
  });

  test("of a criterion that was removed while its check ran is left out", () => {
    const checks = new Map<string, Evidence>([["gone", evidenceFor("gone")]]);
    const { types } = settle(loopWith({}), { ...done, findings: { tree: "tree-0", checks } });

    expect(types).toEqual(["exit.signalled", "loop.completed"]);
  });

  test("of a check that was replaced while it ran decides nothing", () => {
    const loop = loopWith(withTests, {
      type: "criterion.amended",
      name: "tests",
      check: shellCheck("run more tests"),
      by: "person",
    });
    const checks = new Map([["tests", evidenceFor("tests")]]);
    const decision = decide({ type: "loop", loop }, { ...done, findings: { tree: "tree-0", checks } });

    expect(decision).toEqual({ type: "needs", needs: [{ type: "checks", names: ["tests"] }] });
  });

  test("that was written down for a check that was replaced meanwhile decides nothing", () => {
    const loop = loopWith(
      withTests,
      { type: "criterion.amended", name: "tests", check: shellCheck("run more tests"), by: "person" },
      ran("tests"),
    );
    const decision = decide({ type: "loop", loop }, { ...done, findings: { tree: "tree-0" } });

    expect(decision).toEqual({ type: "needs", needs: [{ type: "checks", names: ["tests"] }] });
  });
});

describe("confidence", () => {
  const altered = { checks: { tests: { alteredTree: true } } };
  const cases: readonly (readonly [string, Loop, World, Confidence, readonly string[]])[] = [
    ["no criteria", loopWith({}), {}, "unverified", ["no criterion says when it is done"]],
    ["a passing check", loopWith(withTests), {}, "verified", []],
    [
      "a passing check that altered the tree it judged",
      loopWith(withTests),
      altered,
      "weak",
      ['"tests" changes the files it judges'],
    ],
    [
      "a passing check beside a weak word",
      loopWith(
        { goal: { criteria: [checked("tests"), unchecked("docs")] } },
        attested("docs", "code review"),
      ),
      {},
      "weak",
      ['"docs" rests on the agent\'s code review'],
    ],
    [
      "a passing check beside a person's observation",
      loopWith(
        { goal: { criteria: [checked("tests"), unchecked("docs")] } },
        attested("docs", "observation", "person"),
      ),
      {},
      "verified",
      [],
    ],
    [
      "a passing check beside the agent's own observation",
      loopWith(
        { goal: { criteria: [checked("tests"), unchecked("docs")] } },
        attested("docs", "observation"),
      ),
      {},
      "weak",
      ['"docs" rests on the agent\'s observation'],
    ],
    [
      "finished tasks without criteria",
      loopWith({ goal: { exitRule: "tasks" } }, task("1", "completed")),
      {},
      "unverified",
      ["no criterion says when it is done"],
    ],
  ];

  test.each(cases)("of %s", (_, loop, world, confidence, why) => {
    expect(settle(loop, done, world).verdict).toEqual({
      type: "let-go",
      because: "completed",
      confidence,
      why,
    });
  });

  const expected: { readonly [Type in VerificationType]: Confidence | "held" } = {
    "execution output": "verified",
    observation: "verified",
    measurement: "verified",
    "code review": "weak",
    "reasoned inference": "weak",
    assumption: "held",
  };

  const confidenceOf = (by: VerificationType, actor: Actor): Confidence | "held" => {
    const loop = loopWith({ goal: { criteria: [unchecked("docs")] } }, attested("docs", by, actor));
    const { verdict } = settle(loop, done);
    return verdict.because === "completed" ? verdict.confidence : "held";
  };

  test.each(VERIFICATION_TYPES)("of a person's word by %s", (by) => {
    expect(confidenceOf(by, "person")).toBe(expected[by]);
  });

  test.each(VERIFICATION_TYPES)("of the agent's own word by %s, at most weak", (by) => {
    expect(confidenceOf(by, "agent")).toBe(expected[by] === "verified" ? "weak" : expected[by]);
  });

  test("a word for a criterion with a check counts for nothing", () => {
    const loop = loopWith(withTests, attested("tests", "execution output"));
    const { verdict } = settle(loop, done, { checks: { tests: { passed: false } } });

    expect(verdict).toMatchObject({ type: "hold" });
  });

  test("a word that was taken back counts no more", () => {
    const loop = loopWith({ goal: { criteria: [unchecked("docs")] } }, attested("docs", "observation"), {
      type: "criterion.disclaimed",
      name: "docs",
      source: "command",
    });

    expect(settle(loop, done).verdict).toMatchObject({ type: "hold", reason: { unattested: ["docs"] } });
  });
});

describe("checks that outlast the host's patience", () => {
  const two = loopWith({ goal: { criteria: [checked("lint"), checked("tests")] } });

  test("hold without counting an iteration, and keep the exit signal", () => {
    const { verdict, types, loop } = settle(two, done, { outlasting: ["tests"] });

    expect(verdict).toEqual({ type: "hold", because: "checks-running", names: ["tests"] });
    expect(types).toEqual(["exit.signalled", "check.ran", "wait.began"]);
    expect(topFrame(loop)).toMatchObject({ iteration: 0, exitSignal: true });
  });

  test("complete the loop at the next stop, once they have passed on the present tree", () => {
    const { loop } = settle(two, done, { outlasting: ["tests"] });
    const checkedMeanwhile = loopWith(
      { goal: { criteria: [checked("lint"), checked("tests")] } },
      ...settle(two, done, { outlasting: ["tests"] }).events,
      ran("tests", { at: START + 1 }),
    );

    expect(loop.phase).toBe("active");
    expect(settle(checkedMeanwhile, stopFacts()).verdict).toMatchObject({ because: "completed" });
  });

  test("give way to a failure that is known already", () => {
    const { verdict, types } = settle(two, done, {
      outlasting: ["tests"],
      checks: { lint: { passed: false } },
    });

    expect(verdict).toMatchObject({ because: "unfinished", reason: { failing: [{ name: "lint" }] } });
    expect(types).toContain("iteration.held");
  });

  test("are not asked for a second time beside those that still have to run", () => {
    const loop = loopWith({ goal: { criteria: [checked("a"), checked("b"), checked("c")] } });
    const checks = new Map([["a", evidenceFor("a", { passed: false })]]);
    const findings = { tree: "tree-0", checks, outlasting: ["b"] };

    expect(decide({ type: "loop", loop }, { ...done, findings })).toEqual({
      type: "needs",
      needs: [{ type: "checks", names: ["c"] }],
    });
  });
});
