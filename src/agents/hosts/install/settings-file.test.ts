import { expect, test } from "vitest";
import { inFile, SettingsError } from "./settings-file.ts";

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
