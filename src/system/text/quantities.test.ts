import { expect, test } from "vitest";
import { bytesText } from "./quantities.ts";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KB"],
  [12_345, "12 KB"],
  [3_440_000, "3.4 MB"],
  [7_000_000_000_000, "7.0 TB"],
  [7_000_000_000_000_000, "7000 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
