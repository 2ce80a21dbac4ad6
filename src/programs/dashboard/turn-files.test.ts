import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LoopId } from "../../core/loop/id.ts";
import { runsFolder } from "../../engine/lifecycle/turn-folders.ts";
import { projectAt } from "../../storage/home/project.ts";
import { readTurn } from "./turn-files.ts";

test("a turn is read by its name, piece by piece, and no name leads out of the loop's turns", () => {
  const root = mkdtempSync(join(tmpdir(), "loopwright-turns-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = projectAt(root);
  const loop = "fix-it-1234" as LoopId;
  const runs = runsFolder(project, loop);
  for (const [folder, text] of [
    [join(runs, "1-1"), "x".repeat(300_000)],
    [join(runs, "..", "other"), "SECRET"],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "output.jsonl"), text);
  }
  expect(readTurn(project, loop, "1-1", "output", null)).toMatchObject({
    size: 300_000,
    offset: 300_000 - 256 * 1024,
  });
  expect(readTurn(project, loop, "1-1", "output", 299_990).text).toBe("x".repeat(10));
  mkdirSync(join(runs, "1-2"));
  // Opened for reading, it would wait for somebody who writes, and the dashboard with it.
  execFileSync("mkfifo", [join(runs, "1-2", "output.jsonl")]);
  expect(() => readTurn(project, loop, "1-2", "output", null)).toThrow("no longer kept");
  for (const name of ["../other", "..", ".", "", "1-1/../../other", "a\\b", "\u0000"])
    expect(() => readTurn(project, loop, name, "output", 0)).toThrow("There is no such turn.");
});
