import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeTaskNotes, type TaskNote } from "./write-task-list.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-tasks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const metadata = { loopId: "dig-1abc", stuckCount: 2 };
const note: TaskNote = { metadata, status: null };
const task = {
  id: "1",
  subject: "Dig",
  status: "pending",
  blocks: [],
  blockedBy: [],
  metadata: { wave: 1 },
  extra: "kept",
};

test("adds its notes to a task's metadata and keeps everything else", async () => {
  writeFileSync(join(folder, "1.json"), JSON.stringify(task, null, 2));
  expect(await writeTaskNotes(folder, new Map([["1", note]]))).toBe(true);
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(
    JSON.stringify({ ...task, metadata: { wave: 1, ...metadata } }, null, 2),
  );
  expect(readdirSync(folder)).toEqual(["1.json"]);
});

test("completes a task that is said to be completed, and takes nothing back", async () => {
  const done = { ...task, status: "completed" };
  writeFileSync(join(folder, "1.json"), JSON.stringify(task));
  writeFileSync(join(folder, "2.json"), JSON.stringify({ ...done, id: "2" }));
  await writeTaskNotes(
    folder,
    new Map([
      ["1", { metadata, status: "completed" }],
      ["2", note],
    ]),
  );
  for (const [id, kept] of [
    ["1", done],
    ["2", { ...done, id: "2" }],
  ] as const) {
    const text = readFileSync(join(folder, `${id}.json`), "utf8");
    expect(JSON.parse(text)).toEqual({ ...kept, metadata: { wave: 1, ...metadata } });
  }
});

test("sets a task to what it is now, and never takes back that one is completed", async () => {
  const statusOf = (): unknown =>
    (JSON.parse(readFileSync(join(folder, "1.json"), "utf8")) as typeof task).status;
  writeFileSync(join(folder, "1.json"), JSON.stringify(task));
  for (const [status, shown] of [
    ["in_progress", "in_progress"],
    ["pending", "pending"],
    ["completed", "completed"],
    ["in_progress", "completed"],
  ] as const) {
    await writeTaskNotes(folder, new Map([["1", { metadata, status }]]));
    expect(statusOf()).toBe(shown);
  }
});

test("leaves another task alone that has the number now, but not one that was renamed", async () => {
  const other = { ...task, subject: "Another" };
  const dig: TaskNote = { metadata, status: "completed", subject: "Dig" };
  writeFileSync(join(folder, "1.json"), JSON.stringify(other));
  writeFileSync(join(folder, "2.json"), JSON.stringify({ ...other, id: "2", metadata }));
  await writeTaskNotes(
    folder,
    new Map([
      ["1", dig],
      ["2", dig],
    ]),
  );
  expect(JSON.parse(readFileSync(join(folder, "1.json"), "utf8"))).toEqual(other);
  expect(JSON.parse(readFileSync(join(folder, "2.json"), "utf8"))).toMatchObject({
    subject: "Another",
    status: "completed",
  });
});

test("does not bring back a task that is gone, nor touch one that cannot be read", async () => {
  writeFileSync(join(folder, "2.json"), "{ half");
  await writeTaskNotes(
    folder,
    new Map([
      ["1", note],
      ["2", note],
    ]),
  );
  expect(existsSync(join(folder, "1.json"))).toBe(false);
  expect(readFileSync(join(folder, "2.json"), "utf8")).toBe("{ half");
});

test("leaves the list alone while somebody else holds its lock, and takes one that was abandoned", async () => {
  const text = JSON.stringify(task);
  writeFileSync(join(folder, "1.json"), text);
  const lock = join(folder, ".lock.lock");
  mkdirSync(lock);
  expect(await writeTaskNotes(folder, new Map([["1", note]]))).toBe(false);
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(text);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect(await writeTaskNotes(folder, new Map([["1", note]]))).toBe(true);
  expect(existsSync(lock)).toBe(false);
});

test("waits for the lock of a single task, too, and writes the others meanwhile", async () => {
  const text = JSON.stringify(task);
  for (const id of ["1", "2"]) writeFileSync(join(folder, `${id}.json`), text);
  mkdirSync(join(folder, "1.json.lock"));
  const both = new Map([
    ["1", note],
    ["2", note],
  ]);
  expect(await writeTaskNotes(folder, both)).toBe(false);
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(text);
  expect(readFileSync(join(folder, "2.json"), "utf8")).not.toBe(text);
  expect(readdirSync(folder)).toEqual(["1.json", "1.json.lock", "2.json"]);
});
