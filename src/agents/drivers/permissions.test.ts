import { expect, test } from "vitest";
import { withoutOptions, startDenials } from "./permissions.ts";

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

test("what is denied again is told once, in the order in which it came", () => {
  const list = startDenials();
  const [shell, write] = [
    { tool: "shell", rule: "all" },
    { tool: "write", rule: "all" },
  ] as const;
  for (const denial of [shell, write, { ...shell }]) list.add(denial);
  expect(list.denials).toEqual([shell, write]);
});

test("an agent that is denied ever new things fills no memory", () => {
  const list = startDenials();
  for (let count = 0; count < 1_000; count += 1) list.add({ tool: `tool ${count}`, rule: "all" });
  expect(list.denials).toHaveLength(50);
});
