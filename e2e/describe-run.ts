import type { ChildProcess } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "../test/support/effort.ts";
import type { MoveUsage, ScriptedAgent } from "./agents/agent.ts";
import { DrivenWorld, words } from "./driven-world.ts";

const SPEC = "Write the files one.txt and two.txt";
const CHECKS = ["-c", "one=test -f one.txt", "-c", "two=grep -q second two.txt"];

const USAGE: MoveUsage = { input: 20_000, output: 1_500 };
const WRITE_ONE = { write: "one.txt", text: "first\n", usage: USAGE };
const WRITE_TWO = { write: "two.txt", text: "second\n", usage: USAGE };

/** One after the other: two signals of a kind that wait at once are one. */
async function interruptTwice(child: ChildProcess): Promise<void> {
  const heard = new Promise<void>((resolve) => child.stderr?.once("data", () => resolve()));
  child.kill("SIGINT");
  await heard;
  child.kill("SIGINT");
}

/** What `loop run` promises, with a client as it is. Only the model is played. A file an agent, so that they run side by side. */
export function describeRun(agent: ScriptedAgent): void {
  describe(`${agent.id}, driven from outside`, () => {
    const say = (text: string, isDone: boolean) => ({ say: words(text, isDone), usage: USAGE });
    const each = agent.dollars(USAGE);
    const tokens = USAGE.input + USAGE.output;
    const hasTime = isFullEffort || agent.isSlow !== true;

    test("goes from red to completed; a lie is caught, and the cost is right", async () => {
      const world = await DrivenWorld.create(agent, [
        say("Everything is written.", true),
        WRITE_ONE,
        say("The first is there.", false),
        WRITE_TWO,
        say("Both are there.", true),
      ]);
      const ran = await world.run(SPEC, ...CHECKS);

      expect(ran).toMatchObject({ code: 0 });
      const view = await world.status();
      expect(view).toMatchObject({ phase: "completed", confidence: "verified", iteration: 3 });
      expect(view.costUsd).toBeCloseTo(5 * each, 6);
      expect(view.tokens).toBe(5 * tokens);
      expect(view.criteria.map((criterion) => criterion.attribution)).toEqual(["fixed", "fixed"]);
      // The lie was answered with what the checks showed, in the same conversation.
      expect(world.model.heard[0]).toContain("# Task");
      expect(world.model.heard[1]).toContain("unmet criteria: one, two");
      expect(world.model.heard[1]).not.toContain("# Task");
      expect(ran.out).toContain("[LOOP] Iteration 2/10 | Cost: $");
      const rows = world.read(".loop/iterations.jsonl").trim().split("\n");
      expect(rows.map((row) => (JSON.parse(row) as { status: string }).status)).toEqual([
        "continued",
        "continued",
        "completed",
      ]);
      expect(world.read(".loop/summary.md")).toContain("# Completed");
      expect(await world.processesAfterAMoment()).toEqual([]);
    });

    test.runIf(isFullEffort)(
      "pauses before a second iteration when the first cost the budget, and finishes with more",
      async () => {
        const world = await DrivenWorld.create(agent, [WRITE_ONE, say("The first is there.", false)]);
        const first = await world.run(SPEC, ...CHECKS, "--budget", String(2 * each));

        expect(first).toMatchObject({ code: 2 });
        expect(await world.status()).toMatchObject({ phase: "paused", reason: "budget", iteration: 1 });
        expect((await world.status()).costUsd).toBeCloseTo(2 * each, 6);

        world.model.play([WRITE_TWO, say("Both are there.", true)]);
        const second = await world.loop("continue", "--budget", "5");
        expect(second).toMatchObject({ code: 0 });
        const view = await world.status();
        expect(view.phase).toBe("completed");
        expect(view.costUsd).toBeCloseTo(4 * each, 6);
      },
    );

    test.runIf(isFullEffort)(
      "stops at the iteration limit with code 3, and at a breaker with code 4",
      async () => {
        const world = await DrivenWorld.create(agent, [say("Not yet.", false), say("Not yet.", false)]);
        expect(await world.run(SPEC, ...CHECKS, "--iterations", "1")).toMatchObject({ code: 3 });

        world.model.play([say("Not yet.", false), say("Not yet.", false)]);
        const again = await world.loop("continue", "--iterations", "5");
        expect(again).toMatchObject({ code: 4 });
        expect(await world.status()).toMatchObject({ phase: "paused", reason: "same-error" });
      },
    );

    test("finishes the iteration and pauses on one Ctrl-C, with code 130", async () => {
      const world = await DrivenWorld.create(agent, [{ ...say("Slowly.", false), delayMs: 1_500 }]);
      const { child, done } = world.start(["run", "--agent", agent.id, ...agent.permissive, SPEC, ...CHECKS]);
      await world.untilAsked(1);
      child.kill("SIGINT");

      expect(await done).toMatchObject({ code: 130 });
      const view = await world.status();
      expect(view).toMatchObject({ phase: "paused", reason: "user" });
      expect(view.costUsd).toBeCloseTo(each, 6);
      expect(await world.processesAfterAMoment()).toEqual([]);
    });

    test.runIf(hasTime)(
      "stops now on two, with everything kept, and goes on with the same iteration",
      async () => {
        const world = await DrivenWorld.create(agent, [WRITE_ONE, { hang: true }]);
        const { child, done } = world.start([
          "run",
          "--agent",
          agent.id,
          ...agent.permissive,
          SPEC,
          ...CHECKS,
        ]);
        await world.untilAsked(2);
        await interruptTwice(child);

        expect(await done).toMatchObject({ code: 130 });
        expect(await world.processesAfterAMoment()).toEqual([]);
        expect(await world.status()).toMatchObject({ phase: "paused", reason: "user", iteration: 1 });

        world.model.play([WRITE_TWO, say("Both are there.", true)]);
        expect(await world.loop("continue")).toMatchObject({ code: 0 });
        expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
      },
    );

    test("ends the agent when its run is killed, and goes on afterwards", async () => {
      const world = await DrivenWorld.create(agent, [WRITE_ONE, { hang: true }]);
      const { child, done } = world.start(["run", "--agent", agent.id, ...agent.permissive, SPEC, ...CHECKS]);
      await world.untilAsked(2);
      child.kill("SIGKILL");
      await done;
      expect(await world.processesAfterAMoment()).toEqual([]);

      world.model.play([WRITE_TWO, say("Both are there.", true)]);
      const again = await world.loop("continue");
      expect(again).toMatchObject({ code: 0 });
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
    });

    test("waits for a usage limit whose end is known, and goes on with the same iteration", async () => {
      const world = await DrivenWorld.create(agent, [
        { fail: 429, headers: { "retry-after": "4" } },
        WRITE_ONE,
        WRITE_TWO,
        say("Both are there.", true),
      ]);
      const ran = await world.run(SPEC, ...CHECKS);

      expect(ran).toMatchObject({ code: 0 });
      expect(ran.out).toMatch(/^\[LOOP\] Waiting until /m);
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
    });

    test.runIf(hasTime)("tries once more after an overload, and pauses after a second one", async () => {
      const world = await DrivenWorld.create(agent, [
        { fail: 529 },
        WRITE_ONE,
        WRITE_TWO,
        say("Both are there.", true),
      ]);
      expect(await world.run(SPEC, ...CHECKS)).toMatchObject({ code: 0 });
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });

      world.model.play([{ fail: 529 }, { fail: 529 }, say("Never asked for.", true)]);
      expect(await world.run("Write the file three.txt", "-c", "three=test -f three.txt")).toMatchObject({
        code: 4,
      });
      expect(await world.status()).toMatchObject({ phase: "paused", reason: "same-error" });
    });

    test("pauses as blocked for a permission that is missing twice, and names the rule", async () => {
      const refused = [WRITE_ONE, say("I was not allowed to.", false)];
      const world = await DrivenWorld.create(agent, [...refused, ...refused]);
      const { done } = world.start(["run", "--agent", agent.id, ...agent.restrictive, SPEC, ...CHECKS]);

      expect(await done).toMatchObject({ code: 4 });
      const view = await world.status();
      expect(view).toMatchObject({ phase: "paused", reason: "blocked" });
      expect(view.detail).toMatch(/^permission is missing: /);
    });
  });
}
