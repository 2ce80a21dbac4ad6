import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLoopId } from "../../core/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { loopFolder, projectAt } from "../../storage/home/project.ts";
import { outputQuota } from "./turn-folder.ts";

const ID = createLoopId("write a file", "a1b2");
const MEGABYTE = 1024 * 1024;

function openProject(): { readonly project: Project; readonly runs: string } {
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
  const { project, runs } = openProject();
  leaveOutputs(runs, NAMES);
  outputQuota(project, ID).make();

  expect(outputsIn(runs, NAMES)).toEqual(NAMES.slice(2));
  for (const name of NAMES) expect(existsSync(join(runs, name, "prompt.md"))).toBe(true);
  outputQuota(project, ID).make();
  expect(outputsIn(runs, NAMES)).toEqual(NAMES.slice(2));
});

test("what the last turn printed counts, without a look at all the others", () => {
  const { project, runs } = openProject();
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
  const { project, runs } = openProject();
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
  const { project, runs } = openProject();
  rmSync(runs, { recursive: true });
  outputQuota(project, ID).make();
  expect(existsSync(runs)).toBe(false);
});
