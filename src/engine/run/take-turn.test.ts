import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { thrashingFile } from "../../core/stop/breakers.ts";
import { keepToolEvents, type ToolEventKeeper } from "./take-turn.ts";

function open(): { readonly root: string; readonly toolEvents: ToolEventKeeper } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-deeds-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, toolEvents: keepToolEvents(root) };
}

test("an edit leads to the first failure after it", () => {
  const { root, toolEvents } = open();
  writeFileSync(join(root, "a.js"), "1");
  toolEvents.see({ type: "edited", path: "a.js" });
  toolEvents.see({ type: "failed", output: "Error: broken" });
  writeFileSync(join(root, "a.js"), "2");
  toolEvents.see({ type: "edited", path: join(root, "a.js") });

  expect(toolEvents.edits()).toMatchObject([
    { path: join(root, "a.js"), failure: "agent: Error: broken" },
    { path: join(root, "a.js"), failure: null },
  ]);
});

test("edits that come faster than they are looked at are no way back", () => {
  const { root, toolEvents } = open();
  writeFileSync(join(root, "a.js"), "the last of ten");
  for (let count = 0; count < 10; count += 1) toolEvents.see({ type: "edited", path: "a.js" });

  expect(toolEvents.edits()).toHaveLength(1);
});

test("a file that is turned over is seen: back and forth, or to the same failure again and again", () => {
  const back = open();
  for (let count = 0; count < 7; count += 1) {
    writeFileSync(join(back.root, "a.js"), String(count % 2));
    back.toolEvents.see({ type: "edited", path: "a.js" });
  }
  expect(thrashingFile(back.toolEvents.edits(), 5)).toBe(join(back.root, "a.js"));

  const same = open();
  writeFileSync(join(same.root, "a.js"), "the same");
  for (let count = 0; count < 6; count += 1) {
    same.toolEvents.see({ type: "edited", path: "a.js" });
    same.toolEvents.see({ type: "failed", output: "Error: broken" });
  }
  expect(thrashingFile(same.toolEvents.edits(), 5)).toBe(join(same.root, "a.js"));
});

test("a file that is gone says nothing", () => {
  const { toolEvents } = open();
  toolEvents.see({ type: "edited", path: "gone.js" });

  expect(toolEvents.edits()).toEqual([]);
});
