import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inFile, readIfThere, SettingsError } from "./settings-file.ts";

test("a pipe isn't waited for", () => {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync("mkfifo", [join(folder, "settings.json")]);
  expect(() => readIfThere(join(folder, "settings.json"))).toThrow(SettingsError);
});

test("settings nested more deeply than they can be edited are their user's to mend", () => {
  const levels = (deep: number): number => 1 + levels(deep + 1);
  expect(() => inFile("/home/x/settings.json", () => levels(0))).toThrow(SettingsError);
});

test("any other error in an edit is a bug, and stays what it is", () => {
  const bug = new RangeError("Invalid array length");
  const edit = (): never => {
    throw bug;
  };
  expect(() => inFile("/home/x/settings.json", edit)).toThrow(bug);
});
