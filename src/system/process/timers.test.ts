import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { atMostEvery } from "./timers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a throttled call does what is asked for often only now and then, and what was asked for last", () => {
  let asked = 0;
  const done: number[] = [];
  const { soon } = atMostEvery(() => void done.push(asked), 250);
  for (; asked < 90; asked += 1) {
    soon();
    vi.advanceTimersByTime(10);
  }
  expect(done).toEqual([0, 24, 49, 74]);
  vi.runAllTimers();
  expect(done).toEqual([0, 24, 49, 74, 90]);
});

test("a throttled call does nothing unasked, and at once what is asked for after a rest", () => {
  const work = vi.fn<() => void>();
  const { soon } = atMostEvery(work, 250);
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
  soon();
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledTimes(1);
});

test("a throttled call is stopped with what it had left to do", () => {
  const work = vi.fn<() => void>();
  const { soon, stop } = atMostEvery(work, 250);
  soon();
  stop();
  vi.runAllTimers();
  expect(work).not.toHaveBeenCalled();
});

test("a throttled call is not held up by a clock that is set back", () => {
  const work = vi.fn<() => void>();
  const { soon } = atMostEvery(work, 250);
  soon();
  vi.advanceTimersByTime(0);
  vi.setSystemTime(Date.now() - 3_600_000);
  soon();
  vi.advanceTimersByTime(250);
  expect(work).toHaveBeenCalledTimes(2);
});
