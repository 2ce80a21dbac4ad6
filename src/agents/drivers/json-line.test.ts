import { expect, test } from "vitest";
import {
  countAt,
  flagAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  parseJsonLine,
  textAt,
  valueAt,
} from "./json-line.ts";

test.each([
  ['{"a":1}', { a: 1 }],
  [' {"a":1}\r', { a: 1 }],
  ["{}", {}],
])("an object is read from %j", (line, object) => {
  expect(parseJsonLine(line)).toEqual(object);
});

test.each(["", " ", "null", "1", '"{}"', "[{}]", "{", '{"a":1} {"b":2}', "(node:1) Warning: {}"])(
  "nothing is read from %j",
  (line) => {
    expect(parseJsonLine(line)).toBeNull();
  },
);

const object = parseJsonLine(
  '{"text":"words","none":"","number":1.5,"yes":true,"list":[{"a":1},null,[],"x"],"deep":{"er":{"n":7}},"__proto__":{"sneaked":"in"}}',
);

test("fields are found by their path, and only where they have that form", () => {
  expect([textAt(object, "text"), textAt(object, "none"), textAt(object, "number")]).toEqual([
    "words",
    null,
    null,
  ]);
  expect([numberAt(object, "number"), numberAt(object, "text"), numberAt(null, "number")]).toEqual([
    1.5,
    null,
    null,
  ]);
  expect([flagAt(object, "yes"), flagAt(object, "text"), flagAt(object, "nothing")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(objectAt(object, "deep", "er")).toEqual({ n: 7 });
  expect(objectAt(object, "list")).toBeNull();
  expect(valueAt(object, "deep", "er", "n", "more")).toBeUndefined();
});

test("lists are empty where there is none", () => {
  expect(listAt(object, "list")).toHaveLength(4);
  expect(objectsAt(object, "list")).toEqual([{ a: 1 }]);
  expect([listAt(object, "text"), objectsAt(object, "deep", "nothing")]).toEqual([[], []]);
});

test.each([
  [7, 7],
  [7.9, 7],
  [-1, 0],
  [1e300, 1_000_000_000],
  ["7", 0],
  [null, 0],
])("%j is read as the number %i", (value, count) => {
  expect(countAt({ value }, "value")).toBe(count);
});

test("what every object has is no field of a line", () => {
  expect(valueAt(object, "constructor")).toBeUndefined();
  expect(textAt(object, "sneaked")).toBeNull();
  expect(textAt(object, "__proto__", "sneaked")).toBe("in");
});
