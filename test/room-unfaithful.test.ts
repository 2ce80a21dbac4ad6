import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CLI } from "./support/driven.ts";
import { FIX, PlayedTask } from "./support/played-task.ts";
import { variant } from "./support/variant.ts";

const WITHOUT_MOUNTS = ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "--"];
const canDropRights =
  process.getuid?.() === 0 && spawnSync("setpriv", [...WITHOUT_MOUNTS, "true"]).status === 0;

/** A loop on a machine that allows no overlay. */
function played(agent: string): PlayedTask {
  const task = new PlayedTask();
  task.check = "tests pass=node --test";
  const program = [process.execPath, CLI, ...task.playing(agent)];
  spawnSync("setpriv", [...WITHOUT_MOUNTS, ...program], { cwd: task.root, env: task.env });
  return task;
}

describe.skipIf(!canDropRights)("where only a copy can be had (needs root)", () => {
  variant("work that needs no room is verified", () => {
    expect(played(FIX).ended()).toMatchObject({ phase: "completed", confidence: "verified" });
  });

  variant("what had to be shown in one is weak, and says why", () => {
    const task = played(`${FIX}\necho '// the same' >> test/total.test.js`);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain(
      '"tests pass": this machine has no faithful clean room: a copy at another path: ',
    );
  });

  test("a doctor says so", () => {
    const task = new PlayedTask();
    const program = [process.execPath, CLI, "doctor"];
    const { stdout } = spawnSync("setpriv", [...WITHOUT_MOUNTS, ...program], {
      cwd: task.root,
      env: task.env,
      encoding: "utf8",
    });
    expect(stdout).toMatch(/clean room {3}a copy at another path/);
  });
});
