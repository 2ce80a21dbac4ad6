import { expect, test } from "vitest";
import { factsText } from "./question.ts";

const file = (number: number): string => `src/file-${number}.js`;

test("a model is told the commands and files of a project, and how many files it isn't told", () => {
  const few = factsText({
    checks: [{ name: "tests pass", command: "npm test" }],
    checkFolder: null,
    files: [file(1)],
  });
  expect(few).toContain("- tests pass: npm test");
  expect(few).toContain("src/file-1.js");
  const many = factsText({
    checks: [],
    checkFolder: null,
    files: Array.from({ length: 400 }, (_, at) => file(at)),
  });
  expect(many).toContain(file(0));
  expect(many).not.toContain(file(399));
  expect(many).not.toBe(few);
});
