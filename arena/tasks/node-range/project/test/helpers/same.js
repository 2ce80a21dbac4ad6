import assert from "node:assert/strict";

/** Compares two values of plain data. */
export function assertSame(actual, expected) {
  assert.deepEqual(JSON.parse(JSON.stringify(actual)), expected);
}
