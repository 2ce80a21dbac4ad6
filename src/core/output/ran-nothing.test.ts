import { expect, it } from "vitest";
import { saysItRanNothing } from "./ran-nothing.ts";

it.each([
  ["make: 'test' is up to date.\n", "make: 'test' is up to date."],
  ["make: `test' is up to date.", "make: `test' is up to date."],
  [
    "make[1]: Entering directory '/a'\nmake[1]: Nothing to be done for 'all'.\nmake[1]: Leaving directory '/a'\n",
    "make[1]: Nothing to be done for 'all'.",
  ],
  ["ninja: no work to do.\n", "ninja: no work to do."],
])("finds the line in %j", (output, line) => {
  expect(saysItRanNothing(output)).toBe(line);
});

it.each(["", "\n", "ok\n", "make: 'check' is up to date.\n./check\n3 passed\n", "cc -o check check.c\n"])(
  "finds none in %j",
  (output) => {
    expect(saysItRanNothing(output)).toBeNull();
  },
);
