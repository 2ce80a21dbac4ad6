import { expect, test } from "vitest";
import { severalTasksIn } from "./atomic.ts";

test.each([
  "Add the validator and write its tests",
  "Create the schema and update the docs",
  "Add the parser and write tests",
  "Add login and logout",
  "Read and parse the file",
  "Add the parser and tests for it",
  "Remove a, b, and c",
  "Add the parser; test it",
  "Add the parser. Then use it",
  "Add the parser & wire it up",
])("%s: more than one task", (subject) => {
  expect(severalTasksIn(subject)).not.toBe(null);
});

test.each([
  "Add read and write access to the store",
  "Support import and export buttons",
  "Support import and export",
  "Fix client and server code",
  'Rename "Save and close" to Done',
  "Rename `a; b` to c",
  "Show the Terms and Conditions",
  "Convert between JSON and YAML",
  "Use both old and new names",
  "Handle e.g. UTF-8 names",
  "Bump to v2.0 Beta",
  "Expand the band",
  "Don't show the user's name",
])("%s: one task", (subject) => {
  expect(severalTasksIn(subject)).toBe(null);
});
