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
import { writeTaskNotes, addTasks, type TaskNote, type NewTask } from "./write-task-list.ts";

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

test("the writer of a client's task list adds its notes to a task's metadata and keeps everything else", async () => {
  writeFileSync(join(folder, "1.json"), JSON.stringify(task, null, 2));
  expect(await writeTaskNotes(folder, new Map([["1", note]]))).toBe(true);
  expect(readFileSync(join(folder, "1.json"), "utf8")).toBe(
    JSON.stringify({ ...task, metadata: { wave: 1, ...metadata } }, null, 2),
  );
  expect(readdirSync(folder)).toEqual(["1.json"]);
});

test("the writer of a client's task list completes a task that is said to be completed, and takes nothing back", async () => {
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

test("the writer of a client's task list sets a task to what it is now, and never takes back that one is completed", async () => {
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

test("the writer of a client's task list leaves another task alone that has the number now, but not one that was renamed", async () => {
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

test("the writer of a client's task list does not bring back a task that is gone, nor touch one that cannot be read", async () => {
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

test("the writer of a client's task list leaves the list alone while somebody else holds its lock, and takes one that was abandoned", async () => {
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

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-tasks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function newTask(task: string, loopId = "dig-1abc"): NewTask {
  const metadata = { loopId, task, wave: 1, verification: "execution output", stuckCount: 0 } as const;
  return {
    subject: `Do ${task}`,
    description: "Verify: true",
    activeForm: `Working on: Do ${task}`,
    metadata,
  };
}

const PLAN = ["T-001", "T-002", "END-1"].map((id) => newTask(id));

function put(id: string, fields: object = {}): void {
  const task = {
    id,
    subject: "Somebody's own",
    description: "",
    status: "pending",
    blocks: [],
    blockedBy: [],
  };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...task, ...fields }));
}

/** The tasks of the plan by their numbers, and nobody else's. */
function planned(): { readonly [number: string]: string } {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const task = text.startsWith("{ half") ? null : (JSON.parse(text) as Partial<NewTask>).metadata?.task;
      return task ? [[name.replace(".json", ""), task]] : [];
    }),
  );
}

test("the writer of a client's task list writes tasks as Claude Code does, with the lock's anchor and nothing else", async () => {
  expect(await addTasks(folder, PLAN)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual([".lock", "1.json", "2.json", "3.json"]);
  expect(readFileSync(join(folder, "3.json"), "utf8")).toBe(
    JSON.stringify(
      {
        id: "3",
        subject: "Do END-1",
        description: "Verify: true",
        activeForm: "Working on: Do END-1",
        status: "pending",
        blocks: [],
        blockedBy: [],
        metadata: PLAN[2]?.metadata,
      },
      null,
      2,
    ),
  );
});

test.each<[string, () => void, readonly string[]]>([
  ["the numbers in use", () => put("4"), ["5", "6", "7"]],
  ["a task that nobody can read", () => writeFileSync(join(folder, "6.json"), "{ half"), ["7", "8", "9"]],
  ["deleted tasks", () => writeFileSync(join(folder, ".highwatermark"), "11\n"), ["12", "13", "14"]],
  ["a mark that is none", () => writeFileSync(join(folder, ".highwatermark"), "many"), ["1", "2", "3"]],
])("the writer of a client's task list takes numbers above %s", async (_, prepare, numbers) => {
  prepare();
  expect(await addTasks(folder, PLAN)).toBe(true);
  expect(Object.keys(planned())).toEqual(numbers);
});

test("the writer of a client's task list completes what a killed writer began, without doubling it", async () => {
  for (let written = 0; written <= PLAN.length; written += 1) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await addTasks(folder, PLAN.slice(0, written));
    // Its lock and a draft are left, and somebody added a task meanwhile.
    const lock = join(folder, ".lock.lock");
    mkdirSync(lock);
    utimesSync(lock, new Date(0), new Date(0));
    writeFileSync(join(folder, `${written + 1}.json.99999.tmp`), "{ half");
    put("9");
    expect(await addTasks(folder, PLAN)).toBe(true);
    expect(Object.values(planned()).toSorted()).toEqual(["END-1", "T-001", "T-002"]);
  }
});

test("the writer of a client's task list takes another loop's tasks of the same names for others", async () => {
  await addTasks(folder, PLAN);
  await addTasks(folder, [newTask("T-001", "fill-2xyz")]);
  expect(planned()).toEqual({ 1: "T-001", 2: "T-002", 3: "END-1", 4: "T-001" });
});

test("the writer of a client's task list adds nothing while somebody else holds the lock", async () => {
  mkdirSync(join(folder, ".lock.lock"));
  expect(await addTasks(folder, PLAN)).toBe(false);
  expect(readdirSync(folder)).toEqual([".lock.lock"]);
});

test("two writers at once never share a number", async () => {
  await Promise.all([addTasks(folder, PLAN), addTasks(folder, [newTask("T-001", "fill-2xyz")])]);
  expect(Object.values(planned())).toHaveLength(4);
});
