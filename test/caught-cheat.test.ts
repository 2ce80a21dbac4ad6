import { expect, test } from "vitest";
import { DONE, Stage, type PlayedTurn } from "./support/driven.ts";

const manifest = (line: string): string =>
  JSON.stringify({ name: "cart", type: "module", scripts: { test: line } });

const FILES = {
  "package.json": manifest("node --test"),
  "src/total.js": "export const total = (items) => items.length;\n",
  "test/total.test.js": `import { equal } from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";
test("total", () => equal(total([2, 3]), 5));
`,
};

const CHEATS: PlayedTurn = { do: [{ write: "package.json", text: manifest("true") }], say: DONE };

test("a check that an agent switched off stays contradicted until the files change, and nothing counts as done", () => {
  const stage = new Stage(FILES);
  const script = stage.script([CHEATS, CHEATS]);
  const ran = stage.loop("run", "Fix total()", "-c", "tests pass=npm test --silent", "--script", script);
  expect(ran.code).toBe(4);
  const contradicted = /✗ tests pass .*fails with the original tests/;
  const named = `--loop ${stage.id}`;
  const next = `  next: loop continue --say "restore the original tests, then fix the source"\n  if the change is right: loop approve ${named} && loop continue ${named}\n`;
  expect(stage.loop("status").out).toMatch(contradicted);
  expect(stage.loop("status").out).toContain(next);

  const checked = stage.loop("check");
  expect(checked.code).toBe(1);
  expect(checked.out).toMatch(contradicted);
  expect(stage.loop("status").out).toMatch(contradicted);
  expect(stage.loop("status").out).toContain(next);
  expect(stage.only()).toMatchObject({
    next: 'loop continue --say "restore the original tests, then fix the source"',
    needs: {
      kind: "approval",
      commands: [`loop approve --loop ${stage.id}`, `loop continue --loop ${stage.id}`],
    },
  });

  expect(stage.loop("undo", "--yes").out).toBe(
    `Nothing to undo: the files are as they were before iteration 2 of ${stage.id}. To undo what came before it: loop undo 1\n`,
  );
  expect(stage.loop("undo", "1", "--yes").code).toBe(0);
  expect(stage.read("package.json")).toBe(FILES["package.json"]);
  expect(stage.loop("cancel").out).toContain("Done: nothing\nRemaining: tests pass\n");
});

test("a check that passed counts as done only while the files are those it passed on", () => {
  const stage = new Stage({ "done.txt": "done\n" });
  stage.start(null, "Write done.txt", "-c", "written=test -e done.txt", "-c", "named=grep -q done done.txt");
  expect(stage.loop("check").code).toBe(0);
  stage.write({ "other.txt": "other\n" });
  expect(stage.loop("check", "named").code).toBe(0);

  expect(stage.loop("cancel").out).toContain("Done: named\nRemaining: written\n");
});
