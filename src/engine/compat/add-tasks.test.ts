import {
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
import { addTasks } from "./write-task-list.ts";
import type { NewTask } from "./write-task-list.ts";

let folder: string;
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

test("writes tasks as Claude Code does, with the lock's anchor and nothing else", async () => {
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
])("takes numbers above %s", async (_, prepare, numbers) => {
  prepare();
  expect(await addTasks(folder, PLAN)).toBe(true);
  expect(Object.keys(planned())).toEqual(numbers);
});

test("completes what a killed writer began, without doubling it", async () => {
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

test("another loop's tasks of the same names are others", async () => {
  await addTasks(folder, PLAN);
  await addTasks(folder, [newTask("T-001", "fill-2xyz")]);
  expect(planned()).toEqual({ 1: "T-001", 2: "T-002", 3: "END-1", 4: "T-001" });
});

test("adds nothing while somebody else holds the lock", async () => {
  mkdirSync(join(folder, ".lock.lock"));
  expect(await addTasks(folder, PLAN)).toBe(false);
  expect(readdirSync(folder)).toEqual([".lock.lock"]);
});

test("two writers at once never share a number", async () => {
  await Promise.all([addTasks(folder, PLAN), addTasks(folder, [newTask("T-001", "fill-2xyz")])]);
  expect(Object.values(planned())).toHaveLength(4);
});
