import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namesOutside } from "./outside-places.ts";

let around = "";
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), "outside-"));
  for (const folder of ["project/build/old", "shared"]) mkdirSync(join(around, folder), { recursive: true });
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

function isOutside(text: string): boolean {
  const root = join(around, "project");
  return namesOutside(text.replaceAll("AROUND", around), { root, folder: join(root, "build") });
}

describe("a value that names what is there outside the project", () => {
  it.each([
    ["a folder", "AROUND/shared"],
    ["one beside it", "../../shared"],
    ["the project by its own path, which a copy doesn't cover", "AROUND/project"],
    ["the home of a command", "rm -rf ~"],
    ["the home by its variable", "rm -rf $HOME"],
    ["a variable that isn't there", "rm -rf ${NOBODY_SET_THIS}/"],
    ["all that fits a pattern", "rm -rf AROUND/sh*"],
    ["a part of an option", "--out=AROUND/shared"],
    ["the root", "rm -rf /"],
  ])("%s", (_, text) => expect(isOutside(text)).toBe(true));
});

describe("a value that doesn't", () => {
  it.each([
    ["a name", "Green Tea"],
    ["a route", "/users/:id/edit"],
    ["a folder that isn't there", "AROUND/nowhere"],
    ["one of the project", "../build/old"],
    ["a quotient", "12 / 4"],
    ["a comment", "a // b"],
    ["a price", "$12 for $name"],
    ["an address", "https://example.org/shared"],
    ["what is no path at all", `a\0b /${"x".repeat(5_000)}`],
  ])("%s", (_, text) => expect(isOutside(text)).toBe(false));
});

it("knows the home of whoever runs it", () => expect(isOutside(`cd ${homedir()}`)).toBe(true));
