import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLines, withFile } from "./lines.ts";

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-lines-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "lines");
}

function read(path: string, from = 0, limitBytes = 1_000_000): { lines: string[]; place: number | null } {
  const lines: string[] = [];
  const place = withFile(path, (file, { size }) =>
    readLines(file, { from, until: size, limitBytes }, (line) => lines.push(line)),
  );
  return { lines, place };
}

test("a reading goes on where the last one ended, and takes a line when it is whole", () => {
  const path = place();
  writeFileSync(path, "one\ntw");
  expect(read(path)).toEqual({ lines: ["one"], place: 4 });
  appendFileSync(path, "o\nthree");
  expect(read(path, 4)).toEqual({ lines: ["two"], place: 8 });
  expect(read(path, 8)).toEqual({ lines: [], place: 8 });
});

test("lines are whole wherever the pieces that are read end", () => {
  const path = place();
  const lines = Array.from({ length: 900 }, (_, index) => `${index} ${"ü".repeat(index)}`);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  expect(read(path).lines).toEqual(lines);
});

test("of a line that is too long nothing is kept, and a later reading goes on behind what was seen of it", () => {
  const path = place();
  writeFileSync(path, `one\n${"x".repeat(200)}`);
  expect(read(path, 0, 100)).toEqual({ lines: ["one"], place: 204 });
  appendFileSync(path, "\ntwo\n");
  expect(read(path, 0, 100)).toEqual({ lines: ["one", "two"], place: 209 });
});

test("a file that became shorter meanwhile is read to its end", () => {
  const path = place();
  writeFileSync(path, "one\ntwo\n");
  const lines: string[] = [];
  const end = withFile(path, (file, { size }) => {
    truncateSync(path, 5);
    return readLines(file, { from: 0, until: size, limitBytes: 100 }, (line) => lines.push(line));
  });
  expect([lines, end]).toEqual([["one"], 4]);
});

test("what is no file is not read, and a pipe not waited for", () => {
  const path = place();
  expect(read(path).place).toBeNull();
  execFileSync("mkfifo", [path]);
  expect(read(path).place).toBeNull();
  expect(read(tmpdir()).place).toBeNull();
});
