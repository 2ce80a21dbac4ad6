import { expect, it } from "vitest";
import { inOldPackage } from "./followed-tests.ts";

it.each([
  ["package shop.people;\n\nclass A {}\n", "package shop;\n\nclass A {}\n"],
  ["package people\n\nfunc A() {}\n", "package shop\n\nfunc B() {}\n"],
  ["<?php\nnamespace Shop\\People;\n", "<?php\nnamespace Shop;\n"],
])("what is back in its old place is back in its old package: %j", (now, before) => {
  expect(
    inOldPackage(now, before)
      .split("\n")
      .find((line) => line.includes("hop")),
  ).toBe(before.split("\n").find((line) => line.includes("hop")));
});

it("a text that names no package stays", () => {
  expect(inOldPackage("export const a = 1;\n", "package shop;\n")).toBe("export const a = 1;\n");
  expect(inOldPackage("package shop;\n", "")).toBe("package shop;\n");
});
