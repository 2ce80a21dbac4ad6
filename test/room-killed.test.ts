import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { sweepRooms } from "../src/system/room/scratch.ts";
import { effort } from "./support/effort.ts";
import { RoomWorld, whyNoOverlay } from "./support/room-world.ts";
import { awakeSleepers, sleepers, uniqueSeconds } from "./support/sleepers.ts";
import { fingerprintOf, tracesOf } from "./support/traces.ts";
import { PATIENT } from "./support/patience.ts";

const VISITOR = resolve("dist/test-programs/room-visitor.mjs");
const KILLS = effort(2, 50, 6);
/** Long enough for some to be killed within the command, and some when they are through. */
const LONGEST_MS = 900;

const why = await whyNoOverlay();

function visit(world: RoomWorld, line: string) {
  return spawn(process.execPath, [VISITOR, "inside", world.root, world.scratch, line], { stdio: "ignore" });
}

async function untilNoTrace(world: RoomWorld): Promise<void> {
  await expect.poll(() => tracesOf(world.root), PATIENT).toEqual([]);
}

describe.skipIf(why !== null)(
  `the owner of a room is killed${why === null ? "" : `, skipped: ${why}`}`,
  () => {
    it("the kernel ends what it started, and the next room removes what it wrote", async () => {
      const world = new RoomWorld({ "a.txt": "a" });
      const before = fingerprintOf(world.root);
      const seconds = uniqueSeconds();
      const child = visit(world, `rm a.txt; mkdir b; env -i setsid sleep ${seconds} & sleep ${seconds}`);
      await awakeSleepers(seconds, 2);
      child.kill("SIGKILL");
      await untilNoTrace(world);
      expect(sleepers(seconds)).toEqual([]);
      expect(fingerprintOf(world.root)).toEqual(before);
      expect(readdirSync(world.scratch)).toHaveLength(1);
      const room = await world.open();
      expect(readdirSync(world.scratch)).toHaveLength(1);
      await room.close();
      world.assertNoTrace();
    });

    it(`at ${KILLS} random moments, and there is no trace of it`, async () => {
      const world = new RoomWorld({ "replaced.txt": "now", "absent.txt": "here", "c/d.txt": "d" });
      world.git("init", "-q");
      world.git("add", "-A");
      world.git("commit", "-qm", "first");
      const before = fingerprintOf(world.root);
      const line = "rm -r c; git commit -qam inside; mkdir -m 0 closed; echo x >replaced.txt; sleep 0.3";
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = visit(world, line);
        const ended = new Promise((done) => child.once("exit", done));
        await sleep(Math.random() * LONGEST_MS);
        child.kill("SIGKILL");
        await ended;
        await untilNoTrace(world);
        await sweepRooms(world.scratch);
        world.assertNoTrace();
        expect(fingerprintOf(world.root)).toEqual(before);
      }
    }, 300_000);

    it("rooms of the living, and folders that are none, stay", async () => {
      const world = new RoomWorld();
      const room = await world.open();
      mkdirSync(join(world.scratch, "somebody's"));
      await sweepRooms(world.scratch);
      expect(readdirSync(world.scratch)).toHaveLength(2);
      expect((await room.run(world.command("echo x >a && cat a"))).output).toBe("x\n");
      await room.close();
    });
  },
);
