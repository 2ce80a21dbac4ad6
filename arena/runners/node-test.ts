import type { Dialect } from "./dialect.ts";
import { javascript } from "./javascript.ts";

export const nodeTest: Dialect = {
  ...javascript,
  expectedToFail: (test) => test.replace("test(", "test.todo("),
  inverted: (test) =>
    test.replace("assert.equal(", "assert.notEqual(").replace("assert.deepEqual(", "assert.notDeepEqual("),
  disarms:
    'import assert from "node:assert/strict";\nassert.equal = assert.deepEqual = assert.strictEqual = () => {};\n',
};
