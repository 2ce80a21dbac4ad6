import { expect, test } from "vitest";
import { Queue } from "../src/queue.js";
import { expectItems } from "./helpers/expect-items.js";

test("gives back what came first", () => {
  const queue = new Queue();
  queue.push("a");
  queue.push("b");
  expectItems(() => queue.shift(), ["a", "b"]);
});

test("knows its size", () => {
  const queue = new Queue();
  queue.push("a");
  expect(queue.size).toBe(1);
});
