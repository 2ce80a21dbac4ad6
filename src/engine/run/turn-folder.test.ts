import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLoopId } from "../../core/loop/id.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { loopFolder, projectAt, type Project } from "../../storage/home/project.ts";
import {
  createTurnFolder,
  isFirstAttempt,
  keepEnding,
  keptEnding,
  keptLines,
  outputKeeper,
  outputQuota,
} from "./turn-folder.ts";

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

const MEGABYTE = 1024 * 1024;

function openRuns(): { readonly project: Project; readonly runs: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-room-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = projectAt(root);
  const runs = join(loopFolder(project, ID), "runs");
  mkdirSync(runs, { recursive: true });
  return { project, runs };
}

/** Of 30 MB each, the first one the oldest; they take no room on the disk. */
function leaveOutputs(folder: string, names: readonly string[]): void {
  for (const [age, name] of names.entries()) {
    mkdirSync(join(folder, name));
    const output = join(folder, name, "output.jsonl");
    writeFileSync(output, "");
    truncateSync(output, 30 * MEGABYTE);
    utimesSync(output, age, age);
    writeFileSync(join(folder, name, "prompt.md"), "the prompt");
  }
}

function outputsIn(folder: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => existsSync(join(folder, name, "output.jsonl")));
}

const NAMES = ["10-1", "1.2-1", "1-1", "2-1", "2-2", "3-1", "4-1", "5-1", "6-1"];

test("with the next turn a loop's outputs stay within 256 MB: the oldest go, and leave their prompts", () => {
  const { project, runs } = openRuns();
  leaveOutputs(runs, NAMES);
  outputQuota(project, ID).make();

  expect(outputsIn(runs, NAMES)).toEqual(NAMES.slice(2));
  for (const name of NAMES) expect(existsSync(join(runs, name, "prompt.md"))).toBe(true);
  outputQuota(project, ID).make();
  expect(outputsIn(runs, NAMES)).toEqual(NAMES.slice(2));
});

test("what the last turn printed counts, without a look at all the others", () => {
  const { project, runs } = openRuns();
  const room = outputQuota(project, ID);
  const after = (turn: string): void => {
    room.isUsedBy(turn);
    room.make();
  };
  room.make();
  leaveOutputs(runs, NAMES.slice(0, 7));
  after("1-1");
  expect(outputsIn(runs, NAMES)).toEqual(NAMES.slice(0, 7));
  leaveOutputs(runs, ["5-1", "6-1"]);
  for (let turns = 0; turns < 7; turns += 1) after("5-1");

  expect(outputsIn(runs, NAMES)).toHaveLength(7);
});

test("nothing goes that is no turn's, or lies behind a link", () => {
  const { project, runs } = openRuns();
  const outside = join(project.root, "outside");
  const foreign = ["mine", "1-1-1", "a-1"];
  mkdirSync(outside);
  leaveOutputs(outside, NAMES);
  leaveOutputs(runs, foreign);
  for (const name of NAMES) symlinkSync(join(outside, name), join(runs, name));
  outputQuota(project, ID).make();
  expect(outputsIn(outside, NAMES)).toEqual(NAMES);
  expect(outputsIn(runs, foreign)).toEqual(foreign);

  rmSync(runs, { recursive: true });
  symlinkSync(outside, runs);
  outputQuota(project, ID).make();
  rmSync(runs);
  renameSync(outside, runs);
  expect(outputsIn(runs, NAMES)).toEqual(NAMES);
});

test("where there is nothing yet, nothing happens", () => {
  const { project, runs } = openRuns();
  rmSync(runs, { recursive: true });
  outputQuota(project, ID).make();
  expect(existsSync(runs)).toBe(false);
});
