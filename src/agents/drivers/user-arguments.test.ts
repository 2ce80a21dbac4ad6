import { expect, test } from "vitest";
import { withoutOptions } from "./user-arguments.ts";

test("an option goes with its value, however that is given, and the rest stays", () => {
  const names = { flags: ["--yolo", "-y"], valued: ["--sandbox", "-s"] };
  const args = [
    "--a",
    "-y",
    "--sandbox",
    "x",
    "b",
    "--sandbox=x",
    "-s",
    "x",
    "-sx",
    "--yolo",
    "--sandboxed",
    "c",
  ];
  expect(withoutOptions(args, names)).toEqual(["--a", "b", "--sandboxed", "c"]);
  expect(withoutOptions(["--sandbox"], names)).toEqual([]);
});
