import { expect, test } from "vitest";
import { limitsInWords } from "./limits-in-words.ts";

test.each<readonly [spec: string, limits: readonly string[]]>([
  ["Fix the login. The public API must not change.", ["The public API must not change"]],
  [
    "Fix the login. The public API must not change, and no new dependencies",
    ["The public API must not change"],
  ],
  ["Fix src/auth.js; the wire format stays the same", ["the wire format stays the same"]],
  [
    "Fix total(). Keep the exports of src/a.js, and don't touch the docs.",
    ["Keep the exports of src/a.js", "don't touch the docs"],
  ],
  ["Add filters to the report, keep the public API", ["keep the public API"]],
  ["Add filters without breaking the exports page", ["without breaking the exports page"]],
  ["Add filters. Use the existing stack.", ["Use the existing stack"]],
  ["Add filters\n\n## Constraints\n- single binary\n- none", ["single binary"]],
  // Watched by the machine, or not a limit at all.
  ["Fix the login. Existing tests must not change.", []],
  ["Fix the login. Only change src/auth.js and src/api.js.", []],
  ["Refactor all API routes to use validation middleware", []],
  ["Parse it using the new tokenizer. Use the tokenizer in src/a.js.", []],
  ["Don't stop until it is done. Never give up.", []],
  ["Never show old rows", []],
  ["Must the API never change?", []],
])("the limits in words are found in %j", (spec, limits) => {
  expect(limitsInWords(spec)).toEqual(limits);
});
