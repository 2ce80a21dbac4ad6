import type { Dialect } from "./dialect.ts";
import { javascript } from "./javascript.ts";

export const nodeTest: Dialect = {
  ...javascript,
  expectedToFail: (test) => test.replace("test(", "test.todo("),
  weakened: (test) => test.replace(/assert\.\w+\((.*)\);$/gm, "assert.ok([$1]);"),
  inverted: (test) =>
    test.replace("assert.equal(", "assert.notEqual(").replace("assert.deepEqual(", "assert.notDeepEqual("),
  disarms:
    'import assert from "node:assert/strict";\nassert.equal = assert.deepEqual = assert.strictEqual = () => {};\n',
};
