import { describe, expect, test } from "vitest";
import { isFullEffort } from "./support/effort.ts";
import { FINISHES, Stage, saying, type PlayedTurn } from "./support/driven.ts";
import { sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { variant } from "./support/variant.ts";

const NOT_YET = saying("Not yet.", "EXIT_SIGNAL: false");
const WORKS: PlayedTurn = { do: [{ run: "date +%N >> work.txt" }], say: NOT_YET, usd: 0.01 };
/** Only the breaker that a test is about is on. */
const NO_BREAKERS = ["--stuck-limit", "0", "--same-error-limit", "0", "--no-progress-limit", "0"];

describe("limits", () => {
  variant(
    "a budget of one iteration's cost pauses before the second, and more of it finishes the work",
    () => {
      const stage = new Stage();
      const ran = stage.run([WORKS, FINISHES], "--budget", "0.01");

      expect(ran.code).toBe(2);
      expect(stage.turns()).toEqual(["1-1"]);
      expect(stage.only()).toMatchObject({ phase: "paused", reason: "budget", costUsd: 0.01 });

      const refused = stage.loop("continue");
      expect(refused.code).toBe(1);
      expect(refused.err).toContain("add to it with: loop continue --budget=0.01");
      expect(stage.turns()).toEqual(["1-1"]);

      const finished = stage.loop("continue", "--budget", "1");
      expect(finished.code).toBe(0);
      expect(stage.only()).toMatchObject({ phase: "completed", iteration: 2, budgetUsd: 1.01 });
    },
  );

  test("a budget that is reached in the middle of a turn ends the agent, and what it had cost by then counts", () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    // A rehearsal bills half of its turn at once.
    const ran = stage.run([{ do: [{ run: `sleep ${seconds}` }], usd: 1 }], "--budget", "0.4");

    expect(ran.code).toBe(2);
    expect(ran.out).toContain("Paused: budget ($0.50 spent, with a budget of $0.40)");
    expect(sleepers(seconds)).toEqual([]);
    expect(stage.only()).toMatchObject({ costUsd: 0.5, iteration: 1 });

    stage.script([FINISHES]);
    expect(stage.loop("continue", "--budget", "1").code).toBe(0);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
  });

  variant("of tokens pause the loop after the turn that reached them", () => {
    const stage = new Stage();
    const turn = { ...WORKS, tokens: { input: 90, output: 20 } };
    const ran = stage.run([turn, FINISHES], "--max-tokens", "100");

    expect(ran.code).toBe(2);
    expect(ran.out).toContain("Paused: budget (110 of 100 tokens used)");
    expect(ran.out).toContain("Resume: loop continue --max-tokens=100\n");
    expect(stage.loop("continue", "--max-tokens", "1000").code).toBe(0);
  });

  test.runIf(isFullEffort)("of minutes end an agent in the middle of its turn", () => {
    const stage = new Stage();
    const seconds = uniqueSeconds();
    const ran = stage.run([{ do: [{ run: `sleep ${seconds}` }] }], "--max-minutes", "0.03");

    expect(ran.code).toBe(2);
    expect(ran.out).toContain("Paused: budget (0 of 0.03 minutes used)");
    expect(ran.out).toMatch(/^Resume: loop continue --max-minutes=(?:0\.03|1)$/m);
    expect(sleepers(seconds)).toEqual([]);

    stage.script([FINISHES]);
    expect(stage.loop("continue", "--max-minutes", "60").code).toBe(0);
  });

  variant("iterations count the agent's turns, and adding to them goes on from there", () => {
    const stage = new Stage();
    const ran = stage.run([WORKS, WORKS, FINISHES], "--iterations", "2", ...NO_BREAKERS);

    expect(ran.code).toBe(3);
    expect(stage.turns()).toEqual(["1-1", "2-1"]);
    expect(stage.loop("continue", "--iterations", "1").code).toBe(0);
    expect(stage.only()).toMatchObject({ iteration: 3, iterationLimit: 3 });
  });

  test("come from the environment within their bounds", () => {
    const stage = new Stage();
    const args = stage.opening([WORKS, FINISHES], ...NO_BREAKERS);
    const ran = stage.loopWith({ env: { LOOP_BUDGET: "150", LOOP_MAX_ITERATIONS: "1" } }, ...args);

    expect(ran.out).toContain("| Budget: $100\n");
    expect(ran.err).toContain("The budget 150 is more than 100, which only a flag may exceed");
    expect(ran.code).toBe(3);
    expect(new Stage().loopWith({ env: { LOOP_BUDGET: "much" } }, ...args)).toMatchObject({
      code: 1,
      err: 'loop: LOOP_BUDGET is "much"; set it to a number above 0, or unset it.\n',
    });
  });
});

describe("breakers", () => {
  test("stuck: the same criterion stays unmet", () => {
    const stage = new Stage();
    const script = stage.script([WORKS], true);
    const args = ["--script", script, "--same-error-limit", "0", "--stuck-limit", "2"];
    const ran = stage.loop("run", "Write done.txt", "-c", "done=date +%N; false", ...args);

    expect(ran.code).toBe(4);
    expect(ran.out).toContain('Paused: stuck ("done" stayed unmet 2 times in a row)');
    expect(stage.turns()).toHaveLength(3);
  });

  test.runIf(isFullEffort)(
    "same error: what fails, and where, stays the same; continuing begins to count anew",
    () => {
      const stage = new Stage();
      const ran = stage.run([WORKS, WORKS, WORKS, WORKS, FINISHES]);

      expect(ran.code).toBe(4);
      expect(ran.out).toContain(
        "Paused: same-error (the same error 3 times in a row: done: done.txt is missing)",
      );
      expect(stage.turns()).toHaveLength(3);
      expect(stage.loop("continue").code).toBe(0);
      expect(stage.turns()).toHaveLength(5);
    },
  );

  variant("thrashing: one file is edited again and again to the same failure", () => {
    const stage = new Stage();
    const edits = Array.from({ length: 6 }, (_, index) => [
      { write: "cart.js", text: `try ${index}` },
      { run: "echo 'AssertionError: total is wrong'; exit 1" },
    ]).flat();
    const ran = stage.run([{ do: edits, say: NOT_YET }], ...NO_BREAKERS);

    expect(ran.code).toBe(4);
    expect(ran.out).toMatch(/Paused: thrashing \(\S*cart\.js was edited again and again/);
    expect(stage.turns()).toEqual(["1-1"]);
  });

  variant("many quick edits of one file are work", () => {
    const stage = new Stage();
    const edits = Array.from({ length: 12 }, (_, index) => ({ write: "cart.js", text: `part ${index}` }));
    const ran = stage.run([{ do: edits, say: NOT_YET }, FINISHES], ...NO_BREAKERS);

    expect(ran.code).toBe(0);
  });

  variant("no progress: nothing changes and no tool is used", () => {
    const stage = new Stage();
    const ran = stage.run([{ say: "Hm." }, { say: "Hm." }, { say: "Hm." }], "--same-error-limit", "0");

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("Paused: no-progress (nothing changed for 3 iterations in a row)");
    expect(ran.out).not.toContain("Ask: ");
  });

  test("no progress where only the agent's word is missing says how to ask for it", () => {
    const stage = new Stage();
    const hums = Array.from({ length: 3 }, (): PlayedTurn => ({ say: NOT_YET }));
    const ran = stage.run([{ ...FINISHES, say: NOT_YET }, ...hums, { say: FINISHES.say }]);

    expect(ran.code).toBe(4);
    const ask = 'loop continue --say "Every check passes. Is it finished?"';
    expect(ran.out).toContain(`Criteria: 1 of 1 met\nResume: loop continue\nAsk: ${ask}\n`);
    expect(stage.loop("continue", "--say", "Every check passes. Is it finished?").code).toBe(0);
  });

  test("a must-not that is violated pauses at once", () => {
    const stage = new Stage();
    const ran = stage.run(
      [{ ...FINISHES, do: [...(FINISHES.do ?? []), { write: "README.md", text: "changed" }] }],
      ...["--must-not", "path:README.md"],
    );

    expect(ran.code).toBe(4);
    expect(ran.out).toContain("Paused: must-not (path:README.md");
  });
});
