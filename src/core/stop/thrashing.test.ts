import { expect, test } from "vitest";
import type { FileEdit } from "./facts.ts";
import { thrashingFile } from "./thrashing.ts";

const edit = (path: string, contentDigest: string, failure: string | null = null): FileEdit => ({
  path,
  contentDigest,
  failure,
});

const MANY = ["1", "2", "3", "4", "5", "6", "7", "8"];

test.each<readonly [title: string, edits: readonly FileEdit[], file: string | null]>([
  ["no edits", [], null],
  ["two edits in vain", [edit("a", "1", "E"), edit("a", "2", "E"), edit("a", "3", "E")], "a"],
  ["one edit in vain", [edit("a", "1", "E"), edit("a", "2", "E")], null],
  [
    "back and forth between two contents",
    [edit("a", "1"), edit("a", "2"), edit("a", "1"), edit("a", "2")],
    "a",
  ],
  ["the same content written again", [edit("a", "1"), edit("a", "1"), edit("a", "1")], "a"],
  ["many edits, each to another failure", MANY.map((each) => edit("a", each, `E${each}`)), null],
  ["many edits after which nothing was tried", MANY.map((each) => edit("a", each)), null],
  [
    "one edit in vain in each of two files",
    [edit("a", "1", "E"), edit("b", "1", "E"), edit("a", "2", "E"), edit("b", "2", "E")],
    null,
  ],
  [
    "two edits in vain among those of another file",
    [edit("a", "1", "E"), edit("b", "1", "F"), edit("a", "2", "E"), edit("b", "2", "G"), edit("a", "3", "E")],
    "a",
  ],
  [
    "a failure that goes away in between",
    [edit("a", "1", "E"), edit("a", "2", null), edit("a", "3", "E")],
    null,
  ],
])("at a limit of two: %s", (_, edits, file) => {
  expect(thrashingFile(edits, 2)).toBe(file);
});
