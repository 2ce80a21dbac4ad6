import { expect, test } from "vitest";
import { counsellorsFor, perspectivesFor } from "./perspectives.ts";

const names = (some: readonly { readonly name: string }[]): readonly string[] => some.map(({ name }) => name);

test("what was agreed about the work decides, then its files; correctness is always asked", () => {
  expect(names(perspectivesFor({ aspects: ["security", "data"], files: [] }, { least: 3, most: 3 }))).toEqual(
    ["correctness", "security", "data"],
  );
  expect(
    names(perspectivesFor({ aspects: [], files: ["db/migrations/1.sql"] }, { least: 2, most: 2 })),
  ).toEqual(["correctness", "data"]);
  expect(names(perspectivesFor({ aspects: [], files: [] }, { least: 4, most: 4 }))).toHaveLength(4);
});

test("a failure decides who is asked for counsel, and never those who were asked about it before", () => {
  const timedOut = { failure: "Error: Timeout of 5000ms exceeded: deadlock", aspects: [] };
  const first = names(counsellorsFor(timedOut, [], 3));
  const second = names(counsellorsFor(timedOut, first, 4));
  expect(first).toContain("concurrency");
  expect(second).toHaveLength(4);
  expect(second.filter((name) => first.includes(name))).toEqual([]);
});
