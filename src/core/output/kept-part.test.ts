import { expect, test } from "vitest";
import { failingLine } from "./failing-line.ts";
import { keptPart } from "./failure-block.ts";

const passing = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `ok ${from + index} should be deeply equivalent`);

const failure = [
  "not ok 40 should be deeply equivalent",
  "  ---",
  "    operator: deepEqual",
  "    expected: |-",
  "      { x: 5.67 }",
  "    actual: |-",
  "      { x: '5.67' }",
  "    at: Test.<anonymous> (/project/test/num.js:16:4)",
  "  ...",
];

const report = [
  "TAP version 13",
  ...passing(1, 40),
  ...failure,
  ...passing(41, 400),
  "1..399",
  "# tests 399",
  "# pass  398",
  "# fail  1",
].join("\n");

test("a failure far above the end of an output is kept with the end", () => {
  const kept = keptPart(report, 3_000);
  expect(kept.length).toBeLessThanOrEqual(3_000);
  expect(failingLine(kept)).toBe(failingLine(report));
  expect(failingLine(kept)).toBe(
    "should be deeply equivalent: expected: { x: 5.67 }, actual: { x: '5.67' } (/project/test/num.js:16)",
  );
  expect(kept).toMatch(/# fail {2}1$/);
});

test("an output that tells its failure at the end is kept as that end", () => {
  const output = [...passing(1, 400), ...failure].join("\n");
  expect(keptPart(output, 1_000)).toBe(output.slice(-1_000));
});

test("a short output is kept whole, and one that tells no failure as its end", () => {
  expect(keptPart("short", 100)).toBe("short");
  expect(keptPart("a\n".repeat(100), 10)).toBe("a\n".repeat(5));
});
