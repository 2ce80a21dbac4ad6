import { expect, test } from "vitest";
import { stateHome } from "./state-home.ts";

test.each(["/proc", "/proc/nowhere", "//proc/nowhere", "/tmp/../proc"])(
  "a folder where Node would try forever to make another one is no state home: %s",
  (folder) => {
    expect(() => stateHome({ XDG_STATE_HOME: folder })).toThrow(/No folder can be made in/);
    expect(() => stateHome({ HOME: folder })).toThrow(/No folder can be made in/);
  },
);

test("one with a name that only begins alike is", () => {
  expect(stateHome({ XDG_STATE_HOME: "/process/state" })).toBe("/process/state/loopwright");
});
