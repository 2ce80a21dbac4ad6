import { expect, test } from "vitest";
import { Emulator } from "../../../test/support/emulator.ts";
import { createLiveRegion } from "./live-region.ts";

function drawn(columns = 20): { screen: Emulator; region: ReturnType<typeof createLiveRegion> } {
  const screen = new Emulator(columns);
  screen.write("before\n");
  return { screen, region: createLiveRegion(screen) };
}

test("the live view is drawn over in place, also with fewer lines", () => {
  const { screen, region } = drawn();
  region.show(["one", "a longer line", "three"]);
  region.show(["two", "short"]);
  expect(screen.text).toBe("before\ntwo\nshort");
});

test("the live view writes nothing when nothing changed, and each change at once", () => {
  const { screen, region } = drawn();
  region.show(["one"]);
  const { writes } = screen;
  region.show(["one"]);
  expect(screen.writes).toBe(writes);
  region.show(["two"]);
  region.print("stays");
  expect(screen.writes).toBe(writes + 2);
});

test("what is printed stays above the live view, also where it wraps", () => {
  const { screen, region } = drawn(10);
  region.show(["region"]);
  region.print("a line that is longer than ten");
  region.print("two\nlines", ["region", "is longer"]);
  expect(screen.text).toBe("before\na line tha\nt is longe\nr than ten\ntwo\nlines\nregion\nis longer");
});

test("a line of the live view that is too wide after all moves nothing", () => {
  const { screen, region } = drawn(10);
  region.show(["wider than the terminal", "second"]);
  expect(screen.lines.slice(0, 3)).toEqual(["before", "wider thal", "second"]);
});

test("the live view finds its beginning again in a window that was made narrower or wider", () => {
  const { screen, region } = drawn(20);
  region.show(["nineteen columns wi", "second"]);
  screen.resize(8);
  region.show(["narrow", "second"]);
  expect(screen.text).toBe("before\nnarrow\nsecond");
  screen.resize(20);
  region.show(["wide", "second"]);
  expect(screen.text).toBe("before\nwide\nsecond");
});

test("the live view hides the cursor while it is there, and gives it back when it goes", () => {
  const { screen, region } = drawn();
  expect(screen.cursorShown).toBe(true);
  region.show(["one"]);
  expect(screen.cursorShown).toBe(false);
  region.remove();
  expect(screen.cursorShown).toBe(true);
  expect(screen.text).toBe("before");
  region.print("after");
  region.show(["again"]);
  region.leave();
  expect(screen.cursorShown).toBe(true);
  expect(screen.text).toBe("before\nafter\nagain");
});

test("the live view does nothing to a terminal on which it was never shown", () => {
  const { screen, region } = drawn();
  const { writes } = screen;
  region.remove();
  region.leave();
  expect(screen.writes).toBe(writes);
});
