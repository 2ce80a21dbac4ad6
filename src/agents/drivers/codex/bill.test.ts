import { expect, test } from "vitest";
import { NO_USAGE } from "../../cost/usage.ts";
import { usageFrom, usageSince } from "./bill.ts";

test("each token counts once", () => {
  const usage = usageFrom({
    input_tokens: 1000,
    cached_input_tokens: 600,
    cache_write_input_tokens: 100,
    output_tokens: 50,
    reasoning_output_tokens: 40,
  });
  expect(usage).toEqual({ ...NO_USAGE, input: 300, cacheRead: 600, cacheWrite: 100, output: 50 });
});

test("figures that contradict each other are not negative", () => {
  expect(usageFrom({ input_tokens: 1, cached_input_tokens: 2, output_tokens: "many" })).toEqual({
    ...NO_USAGE,
    cacheRead: 2,
  });
});

const BEFORE = { ...NO_USAGE, input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };

test("a turn costs what its conversation has used since the last one", () => {
  const total = { ...NO_USAGE, input: 11, output: 22, cacheRead: 33, cacheWrite: 44 };
  expect(usageSince(BEFORE, total)).toEqual({
    ...NO_USAGE,
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
  });
});

test("a total that fell was counted anew", () => {
  const total = { ...NO_USAGE, input: 5, output: 25 };
  expect(usageSince(BEFORE, total)).toEqual(total);
});
