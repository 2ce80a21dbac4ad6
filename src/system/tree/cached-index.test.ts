import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { borrowIndex } from "./cached-index.ts";

const facts = { rules: "rules", projectIndex: "index", forced: ["a"], large: ["b"] };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-index-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function keepOne(): string {
  const index = borrowIndex(folder, "sha1", "cache");
  writeFileSync(index.path, "index");
  index.keep(facts);
  index.giveBack();
  return index.path;
}

it("a cached index hands the last kept index on, with what is known about it", () => {
  keepOne();
  const next = borrowIndex(folder, "sha1", "cache");
  expect(next.facts).toMatchObject(facts);
  expect(statSync(next.path).size).toBe(5);
});

it("a cached index makes a kept index older than all that happened since it was borrowed", () => {
  const borrowedAt = Date.now();
  const path = keepOne();
  expect(statSync(path).mtimeMs).toBeLessThan(borrowedAt);
});

it("a cached index begins with nothing when told so", () => {
  keepOne();
  expect(borrowIndex(folder, "sha1", "nothing").facts).toBeNull();
});

it("a cached index leaves only the kept index behind", () => {
  const path = keepOne();
  keepOne();
  borrowIndex(folder, "sha1", "cache").giveBack();
  expect(readdirSync(folder).sort()).toEqual([path.slice(folder.length + 1), "pointer"]);
});

it("a cached index puts an index in the place of the borrowed one when the same is known about it", () => {
  const path = keepOne();
  const pointer = statSync(join(folder, "pointer")).ino;
  const index = borrowIndex(folder, "sha1", "cache");
  // As git does it: beside the borrowed one, which others may have borrowed too.
  writeFileSync(join(folder, "index.new"), "another index");
  renameSync(join(folder, "index.new"), index.path);
  index.keep(facts);
  index.giveBack();
  expect(readFileSync(path, "utf8")).toBe("another index");
  expect(statSync(join(folder, "pointer")).ino).toBe(pointer);
  expect(readdirSync(folder)).toHaveLength(2);
});

it.each([{ rules: "other" }, { projectIndex: "other" }, { forced: ["other"] }, { large: ["other"] }])(
  "a cached index says so when something else is known about an index: %j",
  (other) => {
    keepOne();
    const index = borrowIndex(folder, "sha1", "cache");
    index.keep({ ...facts, ...other });
    index.giveBack();
    expect(borrowIndex(folder, "sha1", "cache").facts).toMatchObject({ ...facts, ...other });
  },
);

it("a cached index removes what dead processes left behind, after an hour", () => {
  const path = keepOne();
  writeFileSync(join(folder, "index.1.dead"), "");
  writeFileSync(join(folder, "index.1.dead.lock"), "");
  keepOne();
  expect(readdirSync(folder)).toContain("index.1.dead");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60 * 1000 });
  borrowIndex(folder, "sha1", "cache").giveBack();
  expect(readdirSync(folder).filter((name) => name.includes("dead"))).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(path).toContain("index.");
});

it("a cached index removes at once what a process left behind that is gone", () => {
  keepOne();
  const gone = spawnSync("true").pid;
  mkdirSync(join(folder, `scratch.${gone}.x`, "pack"), { recursive: true });
  writeFileSync(join(folder, `scratch.${gone}.x`, "pack", "tmp_pack_x"), "half of a file");
  writeFileSync(join(folder, `index.${gone}.x.lock`), "");
  borrowIndex(folder, "sha1", "cache").giveBack();
  expect(readdirSync(folder).filter((name) => name.includes(`.${gone}.`))).toEqual([]);
});

it.each(["", "{", "[]", '{"index":"../../etc/passwd","forced":[]}'])(
  "a cached index takes %j for no pointer",
  (text) => {
    writeFileSync(join(folder, "pointer"), text);
    expect(borrowIndex(folder, "sha1", "cache").facts).toBeNull();
  },
);
