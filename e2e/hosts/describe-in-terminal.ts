import { describe, expect, test } from "vitest";
import { isFullEffort } from "../../test/support/effort.ts";
import { PATIENT, until } from "../../test/support/patience.ts";
import type { Move } from "../agents/agent.ts";
import { missingTmux } from "../terminal.ts";
import { DONE, START } from "./describe-held.ts";
import type { HostedClient } from "./hosted-client.ts";
import { HostedTerminal } from "./hosted-terminal.ts";
import { HostedWorld } from "./hosted-world.ts";

/** What a client's user sees and types in a terminal, with full effort. */
export function describeInTerminal(client: HostedClient): void {
  const { inTerminal } = client;
  if (inTerminal === undefined) return;

  describe.runIf(isFullEffort && missingTmux() === null)(`${client.id}, in a terminal`, () => {
    test("is held with what the check printed, and let go when it is true", async () => {
      const world = await HostedWorld.installed(client, [
        START,
        DONE,
        { say: "All done." },
        { run: "echo first > one.txt" },
        DONE,
        { say: "Now it is." },
      ]);
      const terminal = await HostedTerminal.start(world, inTerminal);
      await terminal.type("Write one.txt");
      // A client that asks once a prompt hears of the end with the next.
      await until(() => world.model.played >= 6, "the agent made its moves");
      if (client.mostHolds === 1) await terminal.type("Is it done?");
      await untilPhase(world, "completed");
      expect(await world.status()).toMatchObject({ confidence: "verified", iteration: 1 });
      expect(world.model.heard[3]).toContain("cat: one.txt: No such file or directory");
      if (inTerminal.shows.includes("hold")) await terminal.until(/cat: one\.txt: No such file or directory/);
      if (inTerminal.shows.includes("end")) await terminal.until(/✓ done: one \(verified\)/);
    });

    test("is resumed, paused and cancelled by what its user types, and by nothing the agent wants", async () => {
      const world = await HostedWorld.installed(client, [
        START,
        { run: "loop blocked 'I wait'" },
        { say: "I wait." },
      ]);
      const terminal = await HostedTerminal.start(world, inTerminal);
      const typed = async (prompt: string, ...moves: readonly Move[]): Promise<void> => {
        world.model.play(moves);
        const { played } = world.model;
        await terminal.type(prompt);
        await expect.poll(() => world.model.played, PATIENT).toBeGreaterThanOrEqual(played + moves.length);
      };
      await terminal.type("Write one.txt");
      await untilPhase(world, "paused");
      await typed("Go on", { run: "loop continue" }, { say: "Refused." });
      expect(await world.status()).toMatchObject({ phase: "paused", reason: "blocked" });

      await typed(
        "loop:continue",
        { run: "loop continue" },
        { run: "loop blocked again" },
        { say: "It goes on." },
      );
      await expect.poll(async () => (await world.status()).detail, PATIENT).toContain("again");
      // Its user goes on elsewhere when the agent has stopped, so that there is something to pause.
      await terminal.untilCalm();
      expect(await world.loop("continue")).toMatchObject({ code: 0 });
      await typed("loop:pause", { run: "loop pause" }, { say: "Paused." });
      await untilPhase(world, "paused");
      expect(await world.status()).toMatchObject({ reason: "user" });
      await typed("Stop it", { run: "loop cancel" }, { say: "Refused." });
      expect((await world.status()).phase).toBe("paused");
      await typed("loop:cancel", { run: "loop cancel" }, { say: "Cancelled." });
      await untilPhase(world, "cancelled");
    });
  });
}

async function untilPhase(world: HostedWorld, phase: string): Promise<void> {
  await expect.poll(async () => (await world.status().catch(() => null))?.phase, PATIENT).toBe(phase);
}
