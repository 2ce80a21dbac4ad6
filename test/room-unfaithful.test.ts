import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CLI } from "./support/driven.ts";
import { FIX, PlayedTask } from "./support/played-task.ts";
import { variant } from "./support/variant.ts";

const WITHOUT_MOUNTS = ["--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "--"];
const canDropRights =
  process.getuid?.() === 0 && spawnSync("setpriv", [...WITHOUT_MOUNTS, "true"]).status === 0;

/** A loop on a machine that allows no overlay. */
function played(agent: string, check: (root: string) => string = () => "node --test"): PlayedTask {
  const task = new PlayedTask();
  task.check = `tests pass=${check(task.root)}`;
  const program = [process.execPath, CLI, ...task.playing(agent)];
  spawnSync("setpriv", [...WITHOUT_MOUNTS, ...program], { cwd: task.root, env: task.env });
  return task;
}

describe.skipIf(!canDropRights)("where only a copy can be had (needs root)", () => {
  test("work is verified in copies, and the completion says what was not tried", () => {
    const task = played(FIX);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
    expect(task.shown().join("\n")).toMatch(/repeat stands, it was not tried in a fresh place: there is no/);
  });

  variant("a failing test that nothing notices is not noticed in a copy either", () => {
    const task = played(`echo 'import assert from "node:assert"; assert.equal = () => {};' >> src/total.js`);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain("a failing test that was added");
  });

  variant("the original tests judge in a copy", () => {
    const kept = played(`${FIX}\necho '// the same' >> test/total.test.js`);
    expect(kept.ended()).toMatchObject({ phase: "completed", confidence: "verified" });
    const bent = played("sed -i '/sums/d' test/total.test.js");
    expect(bent.ended()).toMatchObject({ phase: "paused", reason: "blocked" });
    expect(bent.ended().why).toContain("sums: 2 == 3, expected: 3, actual: 2 (test/total.test.js:4)");
  });

  test("where a check needs its own path, it says that no failure could be put in", () => {
    const task = played(FIX, (root) => `test "$PWD" = "${root}" && node --test`);
    expect(task.ended()).toMatchObject({ phase: "completed", confidence: "weak" });
    expect(task.ended().why).toContain(
      "no failure could be put in to see whether it notices one: it doesn't pass in a copy of the project at another path",
    );
    expect(task.shown().at(-1)).toMatch(
      /^causes open, no changed file could be taken back to see whether a check fails without it: it doesn't pass in a copy/,
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
