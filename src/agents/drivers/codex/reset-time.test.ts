import { expect, test } from "vitest";
import { resetTimeIn } from "./trouble.ts";

// Clock times are of this machine's time zone, whichever that is.
const AT = new Date(2026, 10, 16, 4, 12, 55).getTime();
const local = (day: number, hour: number, minute: number): number =>
  new Date(2026, 10, day, hour, minute).getTime();

test.each<readonly [words: string, expected: number | null]>([
  ["or try again at 5:12 AM.", local(16, 5, 13)],
  ["Try again at 12:05 AM.", local(16, 0, 6)],
  ["Try again at 12:05 PM.", local(16, 12, 6)],
  ["or try again at 11:59 PM.", local(17, 0, 0)],
  ["or try again at Nov 18th, 2026 11:46 AM.", local(18, 11, 47)],
  ["or try again at Dec 1st, 2026 1:00 PM.", new Date(2026, 11, 1, 13, 1).getTime()],
  ["Please try again in 1.5s.", AT + 1_500],
  ["Please try again in 20ms.", AT + 20],
  ["Try again in 3 days 5 hours 2 minutes.", AT + ((3 * 24 + 5) * 60 + 2) * 60_000],
  ["Try again later.", null],
  ["try again at Foo 18th, 2026 11:46 AM.", null],
  ["try again in a while", null],
])("the end of a usage limit is read from words that tell it: %s", (words, expected) => {
  expect(resetTimeIn(`You’ve hit your usage limit. ${words}`, AT)).toBe(expected);
});
