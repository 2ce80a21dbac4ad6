import { expect, test } from "vitest";
import { criterionLine, nameWidthOf } from "./criterion-lines.ts";

const terminal = { paint: (style: string, text: string) => `<${style}>${text}</${style}>` };

test("names of any script stand below each other, and are cut at the widest", () => {
  const criteria = [
    { name: "tests", status: "met" },
    { name: "コードの型", status: "unmet" },
    { name: "a name that is much too long", status: "unverified" },
  ] as const;
  const width = nameWidthOf(criteria, 12);
  expect(criteria.map((each) => criterionLine(terminal, each, width, "known"))).toEqual([
    "<green>✓</green> tests         <dim>known</dim>",
    "<red>✗</red> コードの型    <dim>known</dim>",
    "<yellow>○</yellow> a name that…  <dim>known</dim>",
  ]);
  expect(nameWidthOf(criteria.slice(0, 2), 12)).toBe(10);
  expect(nameWidthOf([], 12)).toBe(0);
});
