import { expect, it } from "vitest";
import { repeatedKeysIn } from "./repeated-keys.ts";

it("a key is repeated if one object has it twice, and not if two have it", () => {
  expect(repeatedKeysIn('{ "port": 1, "tls": { "port": 2 }, "all": [{ "port": 3 }], "port": 4 }')).toEqual([
    "port",
  ]);
  expect(repeatedKeysIn('{ "a": "port", "b": "\\"port\\": ", "port": [] }')).toEqual([]);
  expect(repeatedKeysIn("}}]] not JSON {")).toEqual([]);
});
