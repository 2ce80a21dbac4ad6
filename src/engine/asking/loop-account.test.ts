import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import { asked, closed, stagesBegun } from "../../../test/support/stage-builders.ts";
import { eventsOfClose } from "./loop-account.ts";

const tasks = { goal: { exitRule: "tasks" } } as const;
const SPENT = { usd: 0.5, tokens: 9, priced: true, cursor: null };
const CHARGED = { type: "cost.charged", usd: 0.5, tokens: 9, priced: true };
const UNTOLD = { usd: 0, tokens: 0, priced: false, cursor: null };

test("a question is closed and charged once", () => {
  const open = loopWith(tasks, stagesBegun, asked("q-1"), asked("q-2"));
  expect(eventsOfClose(open, "q-1", null, SPENT)).toEqual([closed("q-1"), CHARGED]);
  const done = loopWith(tasks, stagesBegun, asked("q-1"), closed("q-1"));
  expect(eventsOfClose(done, "q-1", null, SPENT)).toEqual([]);
  expect(eventsOfClose(loopWith(tasks), "q-1", null, SPENT)).toEqual([]);
});

test("an agent that tells no cost has not answered for free, unless it never began", () => {
  const open = loopWith(tasks, stagesBegun, asked("q-1"));
  expect(eventsOfClose(open, "q-1", null, UNTOLD)).toEqual([
    closed("q-1"),
    { type: "cost.charged", usd: 0, tokens: 0, priced: false },
  ]);
  expect(eventsOfClose(open, "q-1", "no key", UNTOLD)).toEqual([closed("q-1", "no key")]);
});

test("after the loop's end only the cost is recorded", () => {
  const ended = loopWith(tasks, stagesBegun, asked("q-1"), { type: "loop.cancelled", by: "person" });
  expect(eventsOfClose(ended, "q-1", null, SPENT)).toEqual([CHARGED]);
});
