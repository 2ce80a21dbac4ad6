import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { append, remove } from "./json-text.ts";

describe("append", () => {
  test.each([
    ["{}", '{\n  "new": [\n    1\n  ]\n}'],
    ['{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "new": [\n    1\n  ]\n}\n'],
    ['{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": [\n\t\t1\n\t]\n}'],
    ['{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "new": [\r\n        1\r\n    ]\r\n}\r\n'],
    ['{"a":1}', '{"a":1,"new":[1]}'],
    ['{ "a": 1, "b": {} }', '{ "a": 1, "b": {}, "new":[1] }'],
    ['\uFEFF{\n  "a": 1\n}', '\uFEFF{\n  "a": 1,\n  "new": [\n    1\n  ]\n}'],
  ])("keeps to the style of %j", (text, expected) => {
    expect(append(text, [], "new", [1])).toBe(expected);
  });

  test.each([
    ['{\n  "a": {"list": [1, 2]},\n  "z": 0\n}', '{\n  "a": {"list": [1, 2, {"x":3}]},\n  "z": 0\n}'],
    ['{\n  "a": { "list": [] }\n}', '{\n  "a": { "list": [\n    {\n      "x": 3\n    }\n\n] }\n}'],
    ['{"a":{"list":[ ]}}', '{"a":{"list":[{"x":3}\n\n ]}}'],
  ])("reaches into %j", (text, expected) => {
    expect(append(text, ["a", "list"], null, { x: 3 })).toBe(expected);
  });

  test("is not misled by brackets, quotes and commas in strings, nor by a key that comes twice", () => {
    const text = '{"a": [9], "odd]}": "\\"],{", "a": ["]", "\\\\"]}';
    expect(append(text, ["a"], null, 1)).toBe('{"a": [9], "odd]}": "\\"],{", "a": ["]", "\\\\", 1]}');
  });
});

describe("remove", () => {
  test.each([
    ['{"a":1,"b":2,"c":3}', '{"b":2,"c":3}', "a"],
    ['{\n  "x": 0,\n  "a": 1,\n  "c": 3\n}', '{\n  "x": 0,\n  "c": 3\n}', "a"],
    ['{\n  "x": 0,\n  "a": 1\n}', '{\n  "x": 0\n}', "a"],
    ['{\n  "a": 1\n}\n', "{}\n", "a"],
  ])("takes the comma along: %j", (text, expected, key) => {
    expect(remove(text, [key])).toBe(expected);
  });
});

const styles = fc.constantFrom(undefined, 1, 2, 4, "\t");
const ends = fc.constantFrom("\n", "\r\n");

test("what was appended can be removed again, to the byte, in any style", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.jsonValue(),
      styles,
      ends,
      (object, key, value, style, end) => {
        fc.pre(!Object.hasOwn(object, key) && key !== "__proto__");
        const text = JSON.stringify(object, null, style).replaceAll("\n", end);
        const longer = append(text, [], key, value);
        const expected = { ...object, [key]: value };
        expect(JSON.parse(longer)).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(remove(longer, [key])).toBe(text);
      },
    ),
  );
});
