import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { readAnswer } from "./read-answer.ts";

const form = { schema: v.object({ name: v.string(), notes: v.optional(v.array(v.string())) }) };
const read = (message: string | null): unknown => {
  const found = readAnswer(message, form);
  return found.type === "usable" ? found.answer : found.why;
};

describe("an answer", () => {
  test.each([
    ['{"name":"a"}', { name: "a" }],
    ['  {"name":"a"}\n', { name: "a" }],
    ['{"name":"a","notes":null}', { name: "a" }],
    ['```json\n{"name":"a"}\n```', { name: "a" }],
    ['For example:\n```json\n{"name":"b"}\n```\nSo:\n```json\n{"name":"a"}\n```', { name: "a" }],
    ['I say {"name":"a"}.', { name: "a" }],
    ['{"name":"a\\u001b[2J\\u0007\\u202eb\\nc"}', { name: "ab\nc" }],
  ])("is found in %j", (message, answer) => {
    expect(read(message)).toEqual(answer);
  });

  test.each([
    [null, "There was no answer."],
    [" \n", "There was no answer."],
    ["yes", "The answer is not one JSON object."],
    ["[]", "The answer is not one JSON object."],
    ["null", "The answer is not one JSON object."],
    ['{"name":"a"} and {"name":"b"}', "The answer is not one JSON object."],
    ['{"a":'.repeat(100_000), "The answer is not one JSON object."],
    [
      '{"name":1}',
      "The answer has another form than was asked for. name: Invalid type: Expected string but received 1.",
    ],
    ['{"name":null}', expect.stringContaining("name: Invalid type: Expected string but received null")],
  ])("is not found in %.40j", (message, why) => {
    expect(read(message)).toEqual(why);
  });
});
