import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Stage } from "./support/driven.ts";
import { Sandbox } from "./support/sandbox.ts";

test("a loop that `git clean` took away is still told of, with the time", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  const { id } = sandbox.start("s1", "Fix it", "-c", "ok=false");
  sandbox.git("clean", "-fdxq");
  expect(existsSync(join(sandbox.root, ".loop"))).toBe(false);
  expect(sandbox.stop("s1").out).toContain("deleted");
  for (const _twice of [1, 2]) {
    const { out } = sandbox.loop("status");
    expect(out).toMatch(
      new RegExp(`deleted: ${id}\\. s1 found .*missing at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, `),
    );
  }
  expect(JSON.parse(sandbox.loop("status", "--json").out)).toMatchObject({
    deleted: [{ loop: id, session: "s1" }],
  });
  expect(existsSync(join(sandbox.root, ".loop"))).toBe(false);
});

test("a driven one ends with an error, and is told of too", () => {
  const stage = new Stage();
  const ran = stage.run([{ do: [{ run: "git clean -fdxq" }], say: "Cleaned." }]);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("folder was deleted");
  expect(stage.loop("status").out).toMatch(/deleted: write-done-txt-\w+\. run-\S+ found its folder missing/);
});

test("an ended one may be deleted without a word", () => {
  const sandbox = new Sandbox({ "a.txt": "a\n" });
  sandbox.commitAll();
  sandbox.start("s1", "Fix it", "-c", "ok=false");
  sandbox.loop("cancel");
  sandbox.git("clean", "-fdxq");
  sandbox.stop("s1");
  expect(sandbox.loop("status").out).not.toContain("deleted");
});
