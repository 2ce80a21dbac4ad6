import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLoopId } from "../../core/loop/id.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { Project } from "../../storage/home/project.ts";
import { loopFolder, projectAt } from "../../storage/home/project.ts";
import { createTurnFolder, isFirstAttempt, keepEnding, keptEnding, keptLines, outputKeeper } from "./turn-folder.ts";

const ID = createLoopId("write a file", "a1b2");

function openProject(): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-turns-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = projectAt(root);
  mkdirSync(loopFolder(project, ID), { recursive: true });
  return project;
}

test("each attempt at an iteration has a folder of its own, which only its user reads", () => {
  const project = openProject();
  const first = createTurnFolder(project, ID, "3", "the prompt");
  const second = createTurnFolder(project, ID, "3", "the prompt, again");

  expect([first.id, second.id]).toEqual(["3-1", "3-2"]);
  expect([first, second].map(isFirstAttempt)).toEqual([true, false]);
  expect(readFileSync(join(first.path, "prompt.md"), "utf8")).toBe("the prompt");
  expect(statSync(join(first.path, "prompt.md")).mode & 0o777).toBe(0o600);
});

test("a loop that was deleted is not brought back", () => {
  const project = openProject();
  rmSync(project.folder, { recursive: true });

  expect(() => createTurnFolder(project, ID, "1", "the prompt")).toThrow(JournalError);
  expect(existsSync(project.folder)).toBe(false);
});

test("what is printed is kept up to 32 MB, and its folder may go away meanwhile", () => {
  const project = openProject();
  const folder = createTurnFolder(project, ID, "1", "the prompt");
  const keep = outputKeeper(folder);
  keep("the first line", "plain");
  keep("said again later", "passing");
  for (let count = 0; count < 40; count += 1) keep("x".repeat(1024 * 1024), "plain");
  keep("the end", "vital");
  keep("x".repeat(1024 * 1024), "vital");

  expect(statSync(join(folder.path, "output.jsonl")).size).toBeLessThanOrEqual(32 * 1024 * 1024 + 8);
  expect(keptLines(folder).slice(0, 2)).toEqual(["the first line", "x".repeat(1024 * 1024)]);
  expect(keptLines(folder).at(-1)).toBe("the end");
  rmSync(project.folder, { recursive: true });
  outputKeeper(folder)("nobody keeps this", "plain");
  keepEnding(folder, { ending: { type: "cut-off", why: "gone" }, cause: null, at: 1 });
  expect(existsSync(project.folder)).toBe(false);
  expect([keptEnding(folder), keptLines(folder)]).toEqual([null, []]);
});

test("a line whose writer died is no line", () => {
  const folder = createTurnFolder(openProject(), ID, "1", "the prompt");
  writeFileSync(join(folder.path, "output.jsonl"), "whole\nto");

  expect(keptLines(folder)).toEqual(["whole"]);
});

test.each(["{}", "nothing", '{"ending":{"type":"exited"},"cause":null,"at":1}', '{"ending":null}'])(
  "an end that cannot be understood is none: %s",
  (text) => {
    const folder = createTurnFolder(openProject(), ID, "1", "the prompt");
    writeFileSync(join(folder.path, "ending.json"), text);

    expect(keptEnding(folder)).toBeNull();
  },
);
