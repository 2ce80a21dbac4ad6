import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findOnPath } from "./find-on-path.ts";

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-path-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function program(folder: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "tool");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

function found(...folders: readonly string[]): string | null {
  return findOnPath("tool", { PATH: folders.join(delimiter) });
}

test("a program is taken from the first folder of PATH that has it", () => {
  const folder = place();
  const [first, second] = [program(join(folder, "1")), program(join(folder, "2"))];
  expect(found(join(folder, "none"), join(folder, "1"), join(folder, "2"))).toBe(first);
  expect(found(join(folder, "2"), join(folder, "1"))).toBe(second);
});

test("a link to a program is one, and one that leads nowhere is none", () => {
  const folder = place();
  const path = program(join(folder, "real"));
  symlinkSync(path, join(folder, "tool"));
  expect(found(folder)).toBe(join(folder, "tool"));
  rmSync(path);
  expect(found(folder)).toBeNull();
});

test("what cannot be run is no program", () => {
  const folder = place();
  program(join(folder, "plain"), 0o644);
  mkdirSync(join(folder, "folder", "tool"), { recursive: true });
  writeFileSync(join(folder, "file"), "");
  expect(found(join(folder, "plain"), join(folder, "folder"), join(folder, "file"))).toBeNull();
});

test("a folder that is not named in full is passed over: it would be the project's", () => {
  const folder = place();
  program(folder);
  expect(found(relative(process.cwd(), folder), "", ".")).toBeNull();
});

test("without PATH no program is found", () => {
  expect(findOnPath("sh", {})).toBeNull();
});
