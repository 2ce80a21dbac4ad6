import { expect, test } from "vitest";
import type { Trouble } from "../../../core/stop/trouble.ts";
import { troubleOf } from "./trouble.ts";

function troubleSaid(said: string, hasWorked: boolean): Trouble | null {
  const ending = { type: "exited", code: 0, stderr: "" } as const;
  return troubleOf({ title: "It", result: {}, failure: null, said, hasWorked }, ending, 1_000);
}

test.each([true, false])(
  "a limit that the agent says instead of its answer is waited for, worked before: %s",
  (hasWorked) => {
    const limit = "rate limit exceeded: Rate limit reached, try again in 20s. Please try again in 20s.";
    for (const said of [limit, `Info: 429 Too Many Requests. Retrying...\n${limit}`])
      expect(troubleSaid(said, hasWorked)).toMatchObject({ kind: "usage-limit", resetsAt: 21_000 });
  },
);

test.each([
  "Error: 429 is now handled, and the tests pass.",
  "rate limit exceeded is what the service answers now.\n\nBoth tests pass.",
  "The API answers rate limit exceeded, retry after 20s.",
])("what an agent says of errors after its work is no trouble: %j", (said) => {
  expect(troubleSaid(said, true)).toBeNull();
});
