import { describe, expect, test } from "vitest";
import { isFullEffort } from "../test/support/effort.ts";
import { processesIn } from "../test/support/processes-in.ts";
import type { MoveUsage, ScriptedAgent } from "./agents/agent.ts";
import { DrivenWorld, words } from "./driven-world.ts";

const SPEC = "Write the files one.txt and two.txt";
const CHECKS = ["-c", "one=test -f one.txt", "-c", "two=grep -q second two.txt"];

const USAGE: MoveUsage = { input: 20_000, output: 1_500 };
const WRITE_ONE = { write: "one.txt", text: "first\n", usage: USAGE };
const WRITE_TWO = { write: "two.txt", text: "second\n", usage: USAGE };
const say = (text: string, isDone: boolean) => ({ say: words(text, isDone), usage: USAGE });

/** What of its cost an agent tells over the protocol. */
type Told = "dollars" | "tokens" | "nothing";

interface SpeakingAgent {
  readonly agent: ScriptedAgent;
  readonly tells: Told;
  /** Leaves out a conversation that it should continue within the minute in which it began. */
  readonly forgets?: boolean;
  /** Runs commands in a sandbox of its own, and asks nobody. */
  readonly contains?: boolean;
  /** Asks its model about more than the work, and tells what that costs. */
  readonly asksMore?: boolean;
  /** Retries for minutes by itself at a usage limit before it tells anybody, or tells its end by the minute. */
  readonly waitsItself?: boolean;
  /** Calls its maker, who is not reached here, whatever its settings say. */
  readonly callsHome?: boolean;
}

/** What one answer costs, as far as the agent tells. */
function costOf(agent: ScriptedAgent, tells: Told): number {
  if (tells === "nothing") return 0;
  return tells === "dollars" ? agent.dollars(USAGE) : USAGE.input + USAGE.output;
}

/** What `loop run` promises of every agent that speaks the Agent Client Protocol. The rest of a run is the same for every driver. */
export function describeAcp({
  agent,
  tells,
  forgets = false,
  asksMore = false,
  contains = false,
  waitsItself = false,
  callsHome = false,
}: SpeakingAgent): void {
  const start = ["run", "--agent", agent.id, SPEC, ...CHECKS];

  describe(`${agent.id} over the Agent Client Protocol`, () => {
    test("may edit here without more words; a lie is held with what the checks say, and mended", async () => {
      const world = await DrivenWorld.create(agent, [
        say("Everything is written.", true),
        WRITE_ONE,
        WRITE_TWO,
        say("Both are there.", true),
      ]);
      const ran = await world.loop(...start);

      expect(ran).toMatchObject({ code: 0 });
      const view = await world.status();
      expect(view).toMatchObject({ phase: "completed", confidence: "verified", iteration: 2 });
      const cost = tells === "dollars" ? view.costUsd : view.tokens;
      const least = 4 * costOf(agent, tells);
      expect(asksMore ? Math.min(cost ?? 0, least) : cost).toBeCloseTo(least, 6);
      expect(world.model.heard[1]).toContain("unmet criteria: one, two");
      // In the same conversation, unless the client lost it.
      expect(forgets || world.model.heard[1]?.includes("# Task") === false).toBe(true);
      expect(callsHome ? [] : world.model.outside).toEqual([]);
      expect(await world.processesAfterAMoment()).toEqual([]);
    });

    test("is ended with its run, and goes on with the same iteration", async () => {
      const world = await DrivenWorld.create(agent, [WRITE_ONE, { hang: true }]);
      const { child, done } = world.start(start);
      await world.untilAsked(2);
      child.kill("SIGKILL");
      await done;
      expect(await world.processesAfterAMoment()).toEqual([]);
      expect(world.read("one.txt")).toBe("first\n");

      world.model.play([WRITE_TWO, say("Both are there.", true)]);
      expect(await world.loop("continue")).toMatchObject({ code: 0 });
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
    });

    test.runIf(isFullEffort && !waitsItself)(
      "waits for a usage limit in the middle of its work, and goes on with the same iteration",
      async () => {
        const world = await DrivenWorld.create(agent, [
          WRITE_ONE,
          { fail: 429, message: "Rate limit reached, try again in 4s", headers: { "retry-after": "4" } },
          WRITE_TWO,
          say("Both are there.", true),
        ]);
        const ran = await world.loop(...start);
        expect(ran.out + ran.err).toContain("Waiting until");
        expect(ran).toMatchObject({ code: 0 });
        expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
      },
    );

    test.runIf(isFullEffort)("is started again when it dies in the middle of its work", async () => {
      const world = await DrivenWorld.create(agent, [WRITE_ONE, { hang: true }]);
      const { done } = world.start(start);
      await world.untilAsked(2);
      world.model.play([WRITE_TWO, say("Both are there.", true)]);
      const own = processesIn(world.home).filter(({ line }) => !line.includes("cli.js"));
      expect(own).not.toEqual([]);
      for (const { pid } of own) endedByTheSystem(pid);
      expect(await done).toMatchObject({ code: 0 });
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
      expect(await world.processesAfterAMoment()).toEqual([]);
    });

    test.runIf(isFullEffort && !contains)(
      "may run what was allowed, and pauses for what was not",
      async () => {
        const tries = [{ run: "echo allowed > one.txt" }, say("I tried.", false)];
        const world = await DrivenWorld.create(agent, [...tries, ...tries]);
        expect(await world.loop(...start)).toMatchObject({ code: 4 });
        const view = await world.status();
        expect(view).toMatchObject({ phase: "paused", reason: "blocked" });
        expect(view.detail).toMatch(/^permission is missing: --allow '?execute/);

        world.model.play([{ run: "echo allowed > one.txt" }, WRITE_TWO, say("Both are there.", true)]);
        expect(await world.loop("continue", "--allow", "execute")).toMatchObject({ code: 0 });
        expect(world.read("one.txt")).toBe("allowed\n");
      },
    );

    test.runIf(isFullEffort)("is told to stop on two Ctrl-C, and leaves nothing behind", async () => {
      const world = await DrivenWorld.create(agent, [WRITE_ONE, { hang: true }]);
      const { child, done } = world.start(start);
      await world.untilAsked(2);
      const heard = new Promise<void>((resolve) => child.stderr?.once("data", () => resolve()));
      child.kill("SIGINT");
      await heard;
      child.kill("SIGINT");
      expect(await done).toMatchObject({ code: 130 });
      expect(await world.processesAfterAMoment()).toEqual([]);
      expect(await world.status()).toMatchObject({ phase: "paused", reason: "user", iteration: 1 });
    });
  });
}

/** One may have ended with the one before. */
function endedByTheSystem(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // gone
  }
}
