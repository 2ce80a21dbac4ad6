import { expect, test } from "vitest";
import { joined } from "./joined.ts";

test("reasons become parts of one sentence, whether or not they end like one", () => {
  expect(joined(["It answers its tests, in roman.go:3.", "no check notices it", "…", "and so on..."])).toBe(
    "It answers its tests, in roman.go:3; no check notices it; …; and so on...",
  );
});
