import { expect, test } from "vitest";
import { costSentence } from "./words.ts";

test("a cost behind another sentence is a sentence", () => {
  expect([null, "unknown/$25", "$1.73/$5"].map(costSentence)).toEqual([
    "",
    "Cost unknown of $25.",
    "$1.73 of $5.",
  ]);
});
