import { expect, test } from "vitest";
import { persistenceIn, shapeOfSpec } from "./shape.ts";

test.each([
  ["Fix total() in src/cart.js; keep going until tests pass", "keep going"],
  ["Keep fixing the type errors until mypy reports none", "Keep fixing the type errors until"],
  ["Make the login faster and don't stop before it works", "don't stop"],
  ["Raise the coverage of src/billing until it is at least 90 %", "until it is at least"],
  ["Fix the failing deploy until the pipeline is green", "until the pipeline is green"],
  ["Never give up on the flaky test in test/queue.test.js", "Never give up"],
  ["Fix the flaky tests till they're green", "till they're green"],
  ["Get the suite to pass, no matter how long it takes", "no matter how long"],
  ["Take as long as it takes to port src/api", "as long as it takes"],
  ["Don't ask me, just port it", "Don't ask me"],
])("a spec says to go on: %s", (spec, words) => {
  expect(persistenceIn(spec)).toBe(words);
});

test.each([
  "Add websocket support to the notifier, Node 18 must keep working",
  "Don't stop the server while the import runs",
  "The banner must not show until the import is done",
  "Refactor all API routes to use validation middleware",
  "Keep the log format and the current jobs",
  "Show the spinner until the user closes the dialog",
  "Show a spinner until loading is done",
  "Retry the request until it succeeds",
  "Poll the API until the job is finished",
  "Ask me for the date before the import begins",
])("a spec says nothing of how long to work: %s", (spec) => {
  expect(persistenceIn(spec)).toBeNull();
});

test("words that say to go on make a tool of a colleague, but not of a spec that is too vague", () => {
  expect(shapeOfSpec("Fix total(); keep going until tests pass", 7)).toBe("tool");
  expect(shapeOfSpec("Fix total()", 7)).toBe("colleague");
  expect(shapeOfSpec("Make it better, keep going", 2)).toBe("intent");
});

test("a long spec is read in no time", () => {
  const spec = `${"keep adding things ".repeat(20_000)}until ${"x ".repeat(50_000)}`;
  expect(persistenceIn(spec)).toBeNull();
});
