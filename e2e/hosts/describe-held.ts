import { chmodSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFullEffort } from "../../test/support/effort.ts";
import { PATIENT } from "../../test/support/patience.ts";
import { processesIn } from "../../test/support/processes-in.ts";
import type { Move } from "../agents/agent.ts";
import type { HostedClient } from "./hosted-client.ts";
import { HostedWorld } from "./hosted-world.ts";

const LIMITS = "--iterations 40 --stuck-limit 0 --same-error-limit 0 --no-progress-limit 0";
export const START = { run: `loop start "Write one.txt" -c 'one=cat one.txt' --shape tool ${LIMITS}` };
export const DONE: Move = { run: "loop done" };
const HELP: Move = { run: "loop blocked 'I wait'" };
const BYE: Move = { say: "Bye." };

/**
 * The same promises for each client that holds its agent from inside. The usual run has the first; the others take a client's start
 * each, and run with full effort.
 */
export function describeHeld(client: HostedClient): void {
  const isCapped = client.mostHolds === 1;

  describe(`${client.id}, held from inside`, () => {
    test("is installed, holds a lie with what the check printed, lets go when it is true, and is taken out again", async () => {
      const world = await HostedWorld.create(client, [
        START,
        DONE,
        { say: "All done." },
        { run: "echo first > one.txt" },
        DONE,
        { say: "Now it is." },
      ]);
      const before = world.settings();
      await world.loop("install", client.id, "--yes");
      expect(world.settings()).not.toEqual(before);
      await world.loop("uninstall", client.id, "--yes");
      expect(world.settings()).toEqual(before);

      await world.install();
      const ran = await world.prompt("Write one.txt");
      expect(ran).toMatchObject({ code: 0 });
      expect(world.model.heard[3]).toContain("[ITERATION 1/40]");
      expect(world.model.heard[3]).toContain("cat: one.txt: No such file or directory");
      await hearOfTheEnd(world);
      expect(await world.status()).toMatchObject({
        phase: "completed",
        confidence: "verified",
        iteration: 1,
      });
      expect((await world.loop("doctor")).out).toContain(`${client.id}: `);

      await world.loop("uninstall", client.id, "--yes");
      const left = [...world.settings()].filter(([, text]) => text.includes("dist/hook.js"));
      expect(left.map(([path]) => path).filter((path) => !client.isOwnRecord(path))).toEqual([]);
    });

    test.runIf(isFullEffort)(
      "leaves a second session alone, and one in another folder, and the loop that another session has there",
      async () => {
        const world = await HostedWorld.installed(client, [START, HELP, BYE]);
        const other = join(world.home, "other");
        world.newProject(other);
        await world.run(["start", "Write two.txt", "-c", "two=cat two.txt", "--session", "another"], {
          cwd: other,
        });
        const loops = join(other, ".loop", "loops");
        const journal = join(loops, readdirSync(loops)[0] ?? "", "journal.jsonl");
        const records = readFileSync(journal, "utf8");
        await world.prompt("Write one.txt");
        // Its user goes on in a terminal, so that the loop holds its session again.
        expect(await world.loop("continue")).toMatchObject({ code: 0 });
        const { iteration, session } = await world.status();
        for (const cwd of [world.project, other]) {
          world.model.play([{ say: "Hello." }]);
          const asked = world.model.played;
          expect(await world.prompt("Say hello", { cwd })).toMatchObject({ code: 0 });
          // Some clients ask the model about more than the prompt.
          expect(world.model.played).toBeGreaterThan(asked);
          expect(world.model.heard.slice(asked).join("\n")).not.toContain("[ITERATION");
        }
        expect(await world.status()).toMatchObject({ phase: "active", iteration, session });
        expect(readFileSync(journal, "utf8")).toBe(records);
      },
    );

    test.runIf(isFullEffort && client.takesPrompts)(
      "is resumed by what its user types, and by nothing the agent wants",
      async () => {
        const world = await HostedWorld.installed(client, [
          START,
          DONE,
          { run: "loop blocked 'I wait'" },
          { say: "I wait." },
        ]);
        await world.prompt("Write one.txt");
        const { session } = await world.status();
        const typed = (prompt: string, ...moves: readonly Move[]): Promise<string | null> =>
          phaseAfter(world, session, prompt, moves);
        // The agent's own wish is refused.
        expect(await typed("Go on", { run: "loop continue" }, { say: "Refused." })).toBe("paused");
        expect(
          await typed(
            "loop:continue",
            { run: "loop continue" },
            { run: "loop blocked again" },
            { say: "It goes on." },
          ),
        ).toBe("paused");
        expect(
          await typed(
            "loop:continue",
            { run: "loop continue; echo 1 > one.txt; loop done" },
            { say: "Done." },
          ),
        ).toBe("completed");
      },
    );

    test.runIf(isFullEffort && client.takesPrompts)(
      "is paused and cancelled by what its user types, and by nothing the agent wants",
      async () => {
        const world = await HostedWorld.installed(client, [
          START,
          { run: "loop blocked 'I wait'" },
          { say: "I wait." },
        ]);
        await world.prompt("Write one.txt");
        const { session } = await world.status();
        const typed = (prompt: string, ...moves: readonly Move[]): Promise<string | null> =>
          phaseAfter(world, session, prompt, moves);
        // Its user goes on in a terminal, so that there is something to pause.
        expect(await world.loop("continue")).toMatchObject({ code: 0 });
        expect((await world.status()).phase).toBe("active");
        expect(await typed("loop:pause", { run: "loop pause" }, { say: "Paused." })).toBe("paused");
        expect(await world.status()).toMatchObject({ reason: "user" });
        expect(await typed("Stop it", { run: "loop cancel" }, { say: "Refused." })).toBe("paused");
        expect(await typed("loop:cancel", { run: "loop cancel" }, { say: "Cancelled." })).toBe("cancelled");
      },
    );

    test.runIf(isFullEffort && !client.takesPrompts)(
      "is resumed, paused and cancelled in its user's own terminal, and by nothing the agent wants",
      async () => {
        const world = await HostedWorld.installed(client, [START, HELP, BYE]);
        await world.prompt("Write one.txt");
        const { session } = await world.status();
        const asked = (prompt: string, ...moves: readonly Move[]): Promise<string | null> =>
          phaseAfter(world, session, prompt, moves);
        expect(await asked("Go on", { run: "loop continue" }, { say: "Refused." })).toBe("paused");

        expect(await world.loop("continue")).toMatchObject({ code: 0 });
        const held = world.model.played + 1;
        expect(
          await asked(
            "Go on",
            { say: "All done." },
            { run: "loop cancel; loop pause" },
            { say: "Stuck." },
            HELP,
            BYE,
          ),
        ).toBe("paused");
        expect(world.model.heard[held]).toContain("[ITERATION");
        expect(await world.status()).toMatchObject({ reason: "blocked", iteration: 2 });

        expect(await world.loop("continue")).toMatchObject({ code: 0 });
        expect(await world.loop("pause")).toMatchObject({ code: 0 });
        const free = world.model.played + 1;
        expect(await asked("Hello", BYE)).toBe("paused");
        expect(world.model.played).toBe(free);
        expect(await world.loop("cancel")).toMatchObject({ code: 0 });
        expect(await asked("Hello", BYE)).toBe("cancelled");
        expect(world.model.played).toBe(free + 1);
      },
    );

    test.runIf(isFullEffort && client.mostHolds !== null && !isCapped)(
      "pauses before the client ignores a hold",
      async () => {
        const most = client.mostHolds ?? 0;
        const claims = Array.from({ length: most + 2 }, () => [DONE, { say: "All done." }]).flat();
        const world = await HostedWorld.installed(client, [START, ...claims]);
        await world.prompt("Write one.txt");
        const status = await world.status();
        expect(status).toMatchObject({ phase: "paused", reason: "iterations", iteration: most });
        expect(status.detail).toContain("lets a hook hold one prompt");
      },
    );

    test.runIf(isFullEffort)(
      "lets its agent go when the hook is killed, and when it is missing",
      async () => {
        const world = await HostedWorld.installed(client, [
          START,
          DONE,
          { say: "All done." },
          { say: "Still here." },
        ]);
        const real = join(world.home, "dist");
        await world.moveProgram(real);
        const hook = join(real, "hook.js");
        renameSync(hook, `${hook}.away`);
        writeFileSync(hook, "process.kill(process.pid, 'SIGKILL');\n");
        chmodSync(hook, 0o755);
        expect(await world.prompt("Write one.txt")).toMatchObject({ code: 0 });
        expect(await world.status()).toMatchObject({ phase: "active", iteration: 0 });
        renameSync(hook, `${hook}.gone`);
        world.model.play([{ say: "Hello." }]);
        expect(await world.prompt("Say hello")).toMatchObject({ code: 0 });
        // With the hook back, everything is as it was.
        renameSync(`${hook}.away`, hook);
        world.model.play([{ say: "Hello." }]);
        expect(await world.prompt("Say hello")).toMatchObject({ code: 0 });
      },
    );

    test.runIf(isFullEffort)(
      "lets its agent go when the hook takes longer than the client waits, and leaves no hook running",
      async () => {
        const endless = { run: START.run.replace("cat one.txt", "sleep 20; cat one.txt") };
        const world = await HostedWorld.installed(client, [endless, DONE, { say: "All done." }]);
        const { file, written } = client.hookLimit;
        const path = join(world.home, file);
        const settings = readFileSync(path, "utf8");
        const shortened = settings.replaceAll(written(600), written(3));
        expect(shortened).not.toBe(settings);
        writeFileSync(path, shortened);
        await client.afterInstall?.(world);
        expect(await world.prompt("Write one.txt")).toMatchObject({ code: 0 });
        expect(world.model.played).toBe(3);
        expect(await world.status()).toMatchObject({ phase: "active", iteration: 0 });
        // What judges the claim has its own time limit, and goes on for the next stop.
        await expect
          .poll(() => processesIn(world.home).filter(({ line }) => line.includes("hook.js")), PATIENT)
          .toEqual([]);
      },
    );

    test.runIf(isFullEffort)("waits for a check that takes its time", async () => {
      const slow = { run: START.run.replace("cat one.txt", "sleep 4; cat one.txt") };
      const world = await HostedWorld.installed(client, [
        slow,
        DONE,
        { say: "All done." },
        { run: "echo 1 > one.txt; loop done" },
        { say: "Now it is." },
      ]);
      await world.prompt("Write one.txt");
      await hearOfTheEnd(world);
      expect(await world.status()).toMatchObject({ phase: "completed", iteration: 1 });
    });
  });
}

/** A client that asks once a prompt hears of the end with the next. */
async function hearOfTheEnd(world: HostedWorld): Promise<void> {
  if (world.client.mostHolds !== 1) return;
  world.model.play([{ say: "As I said." }]);
  await world.prompt("Is it done?", { conversation: (await world.status()).session ?? "" });
}

/** The loop's phase after its user has typed a prompt in the session, and the agent has made its moves. */
async function phaseAfter(
  world: HostedWorld,
  session: string | null,
  prompt: string,
  moves: readonly Move[],
): Promise<string | null> {
  world.model.play(moves);
  await world.prompt(prompt, { conversation: session ?? "" });
  return (await world.status()).phase;
}
