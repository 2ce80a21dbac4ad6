import { expect, test } from "vitest";
import { headline } from "./headline.ts";

const NONE = { needs: 0, runs: 0, waits: 0, ended: 0, wants: 0 };

test("what is worth a look is counted among what finished", () => {
  expect(headline({ ...NONE, needs: 1, runs: 1, ended: 4, wants: 1 })).toBe(
    "One loop needs you. One is running. Four finished, one of them worth a look.",
  );
  expect(headline({ ...NONE, ended: 1, wants: 1 })).toBe(
    "Nothing needs you. One finished and is worth a look.",
  );
  expect(headline({ ...NONE, waits: 2, ended: 3 })).toBe("Nothing needs you. Two wait. Three finished.");
});
