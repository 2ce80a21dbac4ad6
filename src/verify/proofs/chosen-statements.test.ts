import { expect, test } from "vitest";
import { chosenStatements, type JudgingText } from "./chosen-statements.ts";

const COUNT = 2_000;
const cases = Array.from(
  { length: COUNT },
  (_, at) => `test("${at}", () => is(slug("Tea ${at}"), "tea-${at}"));`,
);
const LARGE: JudgingText = { path: "slug.test.js", text: cases.join("\n"), mode: "100644" };

function chosen(output: string | null): { readonly expected: readonly string[]; readonly asked: number } {
  let asked = 0;
  const isExcused = (): boolean => {
    asked += 1;
    return false;
  };
  const statements = chosenStatements([LARGE], output, { names: new Set(["slug"]), isExcused });
  return { expected: statements.map(({ expected }) => expected.content), asked };
}

test("of a large test, the first few assertions are enough", () => {
  const { expected, asked } = chosen(null);
  expect(expected).toEqual(["tea-0", "tea-1", "tea-2", "tea-3"]);
  expect(asked).toBeLessThan(COUNT / 2);
});

test("of many failures, the first few are enough", () => {
  const failures = Array.from({ length: COUNT }, (_, at) => `at slug.test.js:${at + 1}:5 tea-${at}`);
  const { expected, asked } = chosen(failures.join("\n"));
  expect(expected).toEqual(["tea-0", "tea-1", "tea-2", "tea-3"]);
  expect(asked).toBeLessThan(10);
});
