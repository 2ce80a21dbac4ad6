import { expect, test } from "vitest";
import { resetTimeIn, timeFrom } from "./reset-time.ts";

const AT = Date.UTC(2026, 10, 16, 20, 30);
const local = (...parts: readonly [number, number, number, number, number]): number =>
  new Date(...parts).getTime();
const MINUTE = 60_000;

test("clients tell times in seconds, and are understood when they change to milliseconds", () => {
  expect(timeFrom(1_794_806_762)).toBe(1_794_806_762_000);
  expect(timeFrom(1_794_806_762_000)).toBe(1_794_806_762_000);
  expect([timeFrom(null), timeFrom(0), timeFrom(-1), timeFrom(1e300)]).toEqual([null, null, null, null]);
});

test.each([
  ["You've hit your session limit · resets 9:26pm (UTC)", Date.UTC(2026, 10, 16, 21, 26)],
  ["You've hit your session limit · resets 5:26am (UTC)", Date.UTC(2026, 10, 17, 5, 26)],
  ["5-hour limit reached ∙ resets 12am (UTC)", Date.UTC(2026, 10, 17, 0, 0)],
  // Just over: nothing is left to wait for.
  ["You've hit your limit · resets 8:28pm (UTC)", Date.UTC(2026, 10, 16, 20, 28)],
  ["You've hit your weekly limit · resets Nov 19, 5pm (UTC)", Date.UTC(2026, 10, 19, 17)],
  ["You've hit your weekly limit · resets Jan 2, 2027, 5:05am (UTC)", Date.UTC(2027, 0, 2, 5, 5)],
  ["You've hit your weekly limit · resets Nov 19 at 5pm (Europe/Berlin)", local(2026, 10, 19, 17, 0)],
])("the end of a usage limit is read from: %s", (message, time) => {
  expect(resetTimeIn(message, AT)).toBe(time + MINUTE);
});

test("an old client wrote the time itself", () => {
  expect(resetTimeIn("Claude AI usage limit reached|1794806762", AT)).toBe(1_794_806_762_000);
});

test.each(["You've hit your limit", "resets soon", "resets Foo 3, 5pm", ""])(
  "no time is read from %j",
  (message) => {
    expect(resetTimeIn(message, AT)).toBeNull();
  },
);
