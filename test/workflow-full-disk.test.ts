import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DONE } from "./support/driven.ts";
import { isFullEffort } from "./support/effort.ts";
import { expectCode, plan, PlanStage, writes } from "./support/plan-stage.ts";
import { variant } from "./support/variant.ts";

const canMount = process.getuid?.() === 0 && process.platform === "linux";

/** Puts a disk of two megabytes at a folder, with what was in it. */
function smallDisk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const copy = `${folder}-copy`;
  spawnSync("cp", ["-a", folder, copy]);
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]).status).toBe(0);
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  spawnSync("cp", ["-a", `${copy}/.`, folder]);
}

const FILL = "head -c 9000000 /dev/zero";

describe.skipIf(!canMount)("a full disk", () => {
  variant("on which no worktree fits: pauses before anything is paid, and goes on once there is room", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]), { "large.bin": "x".repeat(600_000) });
    const worktrees = join(stage.home, "state", "loopwright", "worktrees");
    smallDisk(worktrees);
    const filler = join(worktrees, "filler");
    writeFileSync(filler, Buffer.alloc(1_600_000));
    const ran = stage.work({ "T-001": [writes("one.txt")] });
    expectCode(ran, 4);
    expect(ran.out).toMatch(/Paused: blocked \(setup failed: there is no space left on the disk of /);
    expect(stage.eventsOf("attempt.started")).toEqual([]);
    rmSync(filler);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });

  test.runIf(isFullEffort)("on which there is room for the first worktree alone: no attempt starts", () => {
    const stage = new PlanStage(plan(["T-001", "test -f one.txt"]), { "large.bin": "x".repeat(600_000) });
    const worktrees = join(stage.home, "state", "loopwright", "worktrees");
    smallDisk(worktrees);
    const filler = join(worktrees, "filler");
    writeFileSync(filler, Buffer.alloc(1_000_000));
    const ran = stage.work({ "T-001": [writes("one.txt")] });
    expectCode(ran, 4);
    expect(ran.out).toMatch(
      /Paused: blocked \(the disk has \d+ KB left, and one more takes about 6\d\d KB; make room/,
    );
    rmSync(filler);
    expectCode(stage.spawnLoop("continue"), 0);
    expect(stage.tasksOn("master")).toEqual(["T-001"]);
  });

  test.runIf(isFullEffort)(
    "on which a result can't be kept: pauses, and keeps it once there is room, without another attempt",
    () => {
      const stage = new PlanStage(plan(["T-001", "test -f one.txt"]));
      const objects = join(stage.root, ".git", "objects");
      smallDisk(objects);
      const filler = join(objects, "filler");
      const turn = {
        do: [{ run: `${FILL} > ${filler}; head -c 300000 /dev/urandom > one.txt` }],
        say: DONE,
        usd: 0.01,
      };
      const ran = stage.work({ "T-001": [turn] }, "--proof", "off");
      expectCode(ran, 4);
      expect(ran.out).toMatch(/Paused: blocked \(T-001: its files can't be kept: .*no space left/i);
      const worktree = stage.folders().find((path) => path.endsWith("T-001-1")) ?? "";
      expect(existsSync(join(worktree, "one.txt"))).toBe(true);
      rmSync(filler);
      const again = stage.spawnLoop("continue");
      expect([0, 6]).toContain(again.code);
      expect(stage.tasksOn("master")).toEqual(["T-001"]);
      expect(stage.eventsOf("attempt.started")).toHaveLength(1);
    },
  );
});
