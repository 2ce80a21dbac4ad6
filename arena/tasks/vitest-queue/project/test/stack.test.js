import { test } from "vitest";
import { Stack } from "../src/stack.js";
import { expectItems } from "./helpers/expect-items.js";

test("gives back what came last", () => {
  const stack = new Stack();
  stack.push("a");
  stack.push("b");
  expectItems(() => stack.pop(), ["b", "a"]);
});
