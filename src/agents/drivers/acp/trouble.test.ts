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

/** As Goose says it, whatever failed. */
const saidByGoose = (why: string): string =>
  `Ran into this error: ${why}.\n\nPlease retry if you think this is a transient or recoverable error.`;

test.each([
  ["Rate limit exceeded: Rate limit reached, try again in 4s", { kind: "usage-limit", resetsAt: 5_000 }],
  ["Authentication error: Authentication failed. Status: 401 Unauthorized", { kind: "blocking" }],
  ["Server error: Server error (503)", { kind: "transient" }],
  ["Something else", { kind: "unknown", detail: "It failed: Something else" }],
])("Goose says every failure as its answer: %j", (why, trouble) => {
  for (const hasWorked of [true, false]) {
    expect(troubleSaid(saidByGoose(why), hasWorked)).toMatchObject(trouble);
    expect(troubleSaid(`I begin.${saidByGoose(why)}`, hasWorked)).toMatchObject(trouble);
  }
  expect(troubleSaid(`It says "${saidByGoose(why)}" no more.`, true)).toBeNull();
});

test("Copilot CLI says behind its work that the service refused it, and ends the turn", () => {
  const failed = (last: string): string =>
    `Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 21.59 seconds) Last error: ${last}`;
  const limit = { kind: "usage-limit", resetsAt: 5_000 };
  for (const before of ["", "Info: /p/one.txt\n\n", "I write the second one."])
    expect(troubleSaid(`${before}${failed("429 try again in 4s")}`, true)).toMatchObject(limit);
  expect(troubleSaid(failed("503 Service unavailable"), true)).toMatchObject({ kind: "transient" });
  // An agent that works on such texts may repeat one.
  expect(troubleSaid(`It prints "${failed("429")}"`, true)).toBeNull();
  expect(troubleSaid(`${failed("429")}\nis what it says now.`, true)).toBeNull();
});

test("Claude Code's adapter tells a limit's end by the clock", () => {
  const failure = {
    type: "failed",
    step: "prompt",
    error: { code: -32603, message: "Internal error: You've hit your 5-hour limit · resets 4:37am (UTC)" },
  };
  const outcome = { title: "It", result: null, failure, said: "", hasWorked: true };
  const at = Date.UTC(2026, 10, 19, 4, 0);
  expect(troubleOf(outcome, { type: "exited", code: 1, stderr: "" }, at)).toMatchObject({
    kind: "usage-limit",
    resetsAt: Date.UTC(2026, 10, 19, 4, 38),
  });
});
