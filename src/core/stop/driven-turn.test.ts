import { describe, expect, test } from "vitest";
import {
  START,
  checked,
  launched,
  loopWith,
  sessionId,
  settle,
  stopFacts,
  unchecked,
} from "../../../test/support/loop-builders.ts";
import type { Settled, World } from "../../../test/support/loop-builders.ts";
import { DEFAULT_LIMITS } from "../loop/limits.ts";
import type { LoopEvent } from "../events/event.ts";
import { evolve, evolveAll } from "../events/evolve.ts";
import { topFrame, type Loop } from "../loop/loop.ts";
import { SAID_NOTHING, type DrivenTurn, type Said, type StopFacts } from "./facts.ts";
import { launchLimit } from "./limits.ts";

const RUN = sessionId("run-1");
const DONE: Said = { ...SAID_NOTHING, claims: [{ type: "exit", source: "status-block" }] };

const began: LoopEvent = {
  type: "run.began",
  run: RUN,
  driver: "codex",
  model: null,
  process: { pid: 4711, startedAt: "1", boot: "b" },
};

function turnOf(iteration: number, part: Partial<DrivenTurn> = {}): DrivenTurn {
  return {
    id: `${iteration}-1`,
    outcome: "finished",
    said: "words",
    reportedUsd: null,
    reportedTokens: null,
    cappedItself: false,
    claimsDone: false,
    denials: [],
    ...part,
  };
}

/** One turn of a driven loop: begun, then judged. */
function take(
  loop: Loop,
  iteration: number,
  facts: Partial<StopFacts> = {},
  world: World = {},
  turn: Partial<DrivenTurn> = {},
): Settled {
  const running = evolve(loop, launched(`${iteration}-1`, iteration), START);
  return settle(running, stopFacts({ session: RUN, turn: turnOf(iteration, turn), ...facts }), world);
}

const FAILS: World = { checks: { tests: { passed: false } } };

function driven(part: Parameters<typeof loopWith>[0] = {}): Loop {
  return loopWith({ ...part, goal: { criteria: [checked("tests")], ...part?.goal } }, began);
}

describe("the decision on a turn that was driven from outside", () => {
  test("takes the end of an agent without words for its claim, where a check can contradict it", () => {
    const claiming = { claimsDone: true };
    const { verdict, types } = take(driven(), 1, {}, FAILS, claiming);
    expect(verdict).toMatchObject({ type: "hold" });
    expect(types).toContain("exit.signalled");
    expect(take(driven(), 1, {}, { checks: { tests: { passed: true } } }, claiming).verdict).toMatchObject({
      because: "completed",
    });
    const unchecking = driven({ goal: { criteria: [unchecked("docs")] } });
    expect(take(unchecking, 1, {}, {}, claiming).types).not.toContain("exit.signalled");
    const attempt = driven({
      attemptOf: { loop: unchecking.id, task: "T-1", number: 1 },
      goal: { criteria: [] },
    });
    expect(take(attempt, 1, {}, {}, claiming).types).toContain("exit.signalled");
    expect(take(driven({ goal: { criteria: [] } }), 1, {}, {}, claiming).types).not.toContain(
      "exit.signalled",
    );
    const words: Said = { ...SAID_NOTHING, claims: [{ type: "no-exit", source: "status-block" }] };
    expect(take(driven(), 1, { said: words }, FAILS, claiming).types).not.toContain("exit.signalled");
  });

  test("runs the checks without a claim, and tells what failed", () => {
    const { verdict, asked, types } = take(driven(), 1, {}, FAILS);

    expect(asked).toContainEqual({ type: "checks", names: ["tests"] });
    expect(verdict).toMatchObject({ type: "hold", reason: { failing: [{ name: "tests" }] } });
    expect(types).toContain("check.ran");
  });

  test("is not satisfied by passing checks alone, and says what is missing", () => {
    const { verdict } = take(driven(), 1);

    expect(verdict).toMatchObject({ type: "hold", reason: { lacksSignal: true, unmet: [] } });
  });

  test("completes on a claim that the checks confirm, and charges the turn in the same record", () => {
    const spent = { usd: 0.5, tokens: 10, priced: true, cursor: null };
    const { loop, types } = take(driven(), 1, { said: DONE, spent });

    expect(loop).toMatchObject({ phase: "completed", spend: { usd: 0.5 }, driven: { turn: null } });
    expect(types.slice(0, 2)).toEqual(["cost.charged", "turn.ended"]);
    expect(types).not.toContain("transcript.read");
  });

  test("runs checks although somebody has to vouch for the rest", () => {
    const loop = driven({ goal: { criteria: [unchecked("docs"), checked("tests")] } });
    const { verdict } = take(loop, 1, { said: DONE }, FAILS);

    expect(verdict).toMatchObject({
      type: "hold",
      reason: { failing: [{ name: "tests" }], unattested: ["docs"] },
    });
  });

  test("counts the same error without any claim", () => {
    let loop = driven();
    for (let iteration = 1; iteration <= 2; iteration += 1) loop = take(loop, iteration, {}, FAILS).loop;
    expect(loop.phase).toBe("active");
    expect(take(loop, 3, {}, FAILS).loop).toMatchObject({ phase: "paused", reason: "same-error" });
  });

  test("makes at most as many turns as there are iterations", () => {
    let loop = driven({ goal: { iterationLimit: 2 } });
    loop = take(loop, 1, {}, FAILS).loop;
    expect(topFrame(loop).iteration).toBe(2);
    expect(launchLimit(loop, START)).toBeNull();
    loop = take(loop, 2, {}, FAILS).loop;
    expect(loop).toMatchObject({ phase: "paused", reason: "iterations" });
  });

  test("tells of a denial and goes on, and pauses when the same one comes again", () => {
    const denied = { denials: ["Bash(npm test:*)"] };
    const told = take(driven(), 1, {}, FAILS, denied);
    expect(told.verdict).toMatchObject({ type: "hold", reason: { denied: denied.denials } });

    const other = take(told.loop, 2, {}, FAILS, { denials: ["WebFetch"] });
    expect(other.verdict).toMatchObject({ type: "hold", reason: { denied: ["WebFetch"] } });
    expect(take(other.loop, 3, {}, FAILS, denied).loop).toMatchObject({
      phase: "paused",
      reason: "blocked",
      detail: "permission is missing: Bash(npm test:*)",
    });
    // Another run may be allowed more.
    const anew = evolve(told.loop, began, START);
    expect(take(anew, 2, {}, FAILS, denied).verdict).toMatchObject({ type: "hold" });
    expect(take(told.loop, 2, { said: DONE }, {}, denied).loop.phase).toBe("completed");
  });

  test("never judges a turn of another run", () => {
    const running = evolve(driven(), launched("1-1", 1), START);
    const { verdict, events } = settle(running, stopFacts({ turn: turnOf(1) }));

    expect(verdict).toMatchObject({ because: "other-session" });
    expect(events).toEqual([]);
  });

  test("hands back to the person of a tool under review when something major is done, and only then", () => {
    const loop = driven({ shape: "tool-review" });

    expect(take(loop, 1, { personPresent: true }, FAILS).verdict).toMatchObject({ type: "hold" });
    expect(take(loop, 1, { personPresent: true }).verdict).toMatchObject({ because: "handed-back" });
    expect(take(loop, 1, { personPresent: false }).verdict).toMatchObject({ type: "hold" });
  });
});

describe("another turn is prevented by", () => {
  const spent = (usd: number, tokens: number): LoopEvent => ({
    type: "cost.charged",
    usd,
    tokens,
    priced: true,
  });
  const limited = (limits: Partial<typeof DEFAULT_LIMITS>): Loop =>
    driven({ limits: { ...DEFAULT_LIMITS, ...limits } });

  test("money, tokens and time, each from its limit on", () => {
    const rich = limited({ budgetUsd: 1, tokens: 100, minutes: 5 });

    expect(launchLimit(evolve(rich, spent(0.99, 99), START), START)).toBeNull();
    expect(launchLimit(evolve(rich, spent(1, 0), START), START)).toMatchObject({ reason: "budget" });
    expect(launchLimit(evolve(rich, spent(0, 100), START), START)).toMatchObject({ reason: "budget" });
    expect(launchLimit(rich, START + 5 * 60_000)).toMatchObject({ reason: "budget" });
  });

  test("the dearest turn so far, where the money is a share of what others spend, too", () => {
    const share = limited({ budgetUsd: 1 });
    const turn = (usd: number): LoopEvent => ({
      type: "cost.charged",
      usd,
      tokens: 1,
      priced: true,
      turn: "1-1",
    });
    const half = evolve(share, turn(0.5), START);
    const more = evolve(share, turn(0.6), START);

    expect(launchLimit(share, START, 2)).toBeNull();
    expect(launchLimit(half, START, 0)).toBeNull();
    expect(launchLimit(half, START, 0.6)).toMatchObject({ reason: "budget" });
    expect(launchLimit(more, START, 0)).toMatchObject({
      reason: "budget",
      detail: "$0.60 of $1.00 spent, and a turn has cost $0.60",
    });
    expect(launchLimit(more, START)).toBeNull();
  });

  test("the iterations, once the last one was judged", () => {
    const once = driven({ goal: { iterationLimit: 1 } });
    const judged = evolveAll(
      once,
      [
        launched("1-1", 1),
        {
          type: "turn.ended",
          turn: "1-1",
          outcome: "finished",
          said: null,
          reportedUsd: null,
          reportedTokens: null,
        },
      ],
      START,
    );

    expect(launchLimit(once, START)).toBeNull();
    expect(launchLimit(judged, START)).toMatchObject({ reason: "iterations" });
  });
});
