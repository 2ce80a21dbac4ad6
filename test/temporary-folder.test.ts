import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { removeLeftBehind } from "./support/temporary-folder.ts";

test("the temporary files of a test run that was killed are removed by a later one, those of a living one are not", () => {
  const { home } = new Sandbox();
  const { pid: ended } = spawnSync("true");
  for (const name of [`loopwright-tests-${ended}-a`, `loopwright-tests-${process.pid}-b`, "another's"])
    mkdirSync(join(home, name, "loopwright-templates-c"), { recursive: true });

  removeLeftBehind(home);
  expect(readdirSync(home)).toHaveLength(3);
  removeLeftBehind(home, Date.now() + 2 * 3_600_000);
  expect(readdirSync(home).toSorted()).toEqual(["another's", `loopwright-tests-${process.pid}-b`]);
});
