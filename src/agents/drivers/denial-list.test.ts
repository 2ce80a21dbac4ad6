import { expect, test } from "vitest";
import { startDenials } from "./denial-list.ts";

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
