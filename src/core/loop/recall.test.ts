import { expect, test } from "vitest";
import { loopWith } from "../../../test/support/loop-builders.ts";
import { recalled } from "../../../test/support/stage-builders.ts";
import { ImpossibleEvent } from "../events/event.ts";
import { toldLearnings, type Recalled } from "./recall.ts";

test("a plain loop keeps what was recalled, once", () => {
  const { learnings, familiarity } = recalled;
  expect(loopWith({}).recall).toBeNull();
  expect(loopWith({}, recalled).recall).toEqual({ learnings, familiarity });
  expect(() => loopWith({}, recalled, recalled)).toThrow(ImpossibleEvent);
});

test.each<readonly [confirmed: boolean | null, confidence: number, isTold: boolean]>([
  [true, 0.1, true],
  [false, 1, false],
  [null, 0.5, true],
  [null, 0.49, false],
])("confirmed %s with confidence %d: told %s", (confirmed, confidence, isTold) => {
  const learning: Recalled = { id: "l", kind: "failure", text: "It failed.", confidence, confirmed };
  expect(toldLearnings({ learnings: [learning], familiarity: 0 })).toEqual(isTold ? [learning] : []);
});

test("nothing is told where nobody looked", () => {
  expect(toldLearnings(null)).toEqual([]);
});
