import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thrashingFile } from "../../core/stop/breakers.ts";
import type { DeedKeeper } from "./take-turn.ts";
import { keepDeeds } from "./take-turn.ts";

function open(): { readonly root: string; readonly deeds: DeedKeeper } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-deeds-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, deeds: keepDeeds(root) };
}

test("an edit leads to the first failure after it", () => {
  const { root, deeds } = open();
  writeFileSync(join(root, "a.js"), "1");
  deeds.see({ type: "edited", path: "a.js" });
  deeds.see({ type: "failed", output: "Error: broken" });
  writeFileSync(join(root, "a.js"), "2");
  deeds.see({ type: "edited", path: join(root, "a.js") });

  expect(deeds.edits()).toMatchObject([
    { path: join(root, "a.js"), failure: "agent: Error: broken" },
    { path: join(root, "a.js"), failure: null },
  ]);
});

test("edits that come faster than they are looked at are no way back", () => {
  const { root, deeds } = open();
  writeFileSync(join(root, "a.js"), "the last of ten");
  for (let count = 0; count < 10; count += 1) deeds.see({ type: "edited", path: "a.js" });

  expect(deeds.edits()).toHaveLength(1);
});

test("a file that is turned over is seen: back and forth, or to the same failure again and again", () => {
  const back = open();
  for (let count = 0; count < 7; count += 1) {
    writeFileSync(join(back.root, "a.js"), String(count % 2));
    back.deeds.see({ type: "edited", path: "a.js" });
  }
  expect(thrashingFile(back.deeds.edits(), 5)).toBe(join(back.root, "a.js"));

  const same = open();
  writeFileSync(join(same.root, "a.js"), "the same");
  for (let count = 0; count < 6; count += 1) {
    same.deeds.see({ type: "edited", path: "a.js" });
    same.deeds.see({ type: "failed", output: "Error: broken" });
  }
  expect(thrashingFile(same.deeds.edits(), 5)).toBe(join(same.root, "a.js"));
});

test("a file that is gone says nothing", () => {
  const { deeds } = open();
  deeds.see({ type: "edited", path: "gone.js" });

  expect(deeds.edits()).toEqual([]);
});
