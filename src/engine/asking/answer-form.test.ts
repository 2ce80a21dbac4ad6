import * as v from "valibot";
import { expect, test, describe } from "vitest";
import { answerForm, readAnswer } from "./answer-form.ts";

test("every property is required, and none besides; what may be left out may be null", () => {
  const schema = v.object({
    name: v.pipe(v.string(), v.maxLength(10)),
    kind: v.picklist(["a", "b"]),
    count: v.nullable(v.number()),
    more: v.optional(v.array(v.strictObject({ on: v.boolean() })), []),
    either: v.variant("type", [
      v.object({ type: v.literal("x") }),
      v.object({ type: v.literal("y"), of: v.null() }),
    ]),
  });
  expect(answerForm(schema)).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      kind: { type: "string", enum: ["a", "b"] },
      count: { anyOf: [{ type: "number" }, { type: "null" }] },
      more: {
        anyOf: [
          {
            type: "array",
            items: {
              type: "object",
              properties: { on: { type: "boolean" } },
              required: ["on"],
              additionalProperties: false,
            },
          },
          { type: "null" },
        ],
      },
      either: {
        anyOf: [
          {
            type: "object",
            properties: { type: { enum: ["x"] } },
            required: ["type"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { type: { enum: ["y"] }, of: { type: "null" } },
            required: ["type", "of"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["name", "kind", "count", "more", "either"],
    additionalProperties: false,
  });
});

test("a form that no service could hold a model to is a mistake of ours", () => {
  expect(() => answerForm(v.object({ any: v.unknown() }))).toThrow("no model can be held to a unknown");
});

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

  const none: readonly (readonly [message: string | null, why: unknown])[] = [
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
  ];
  const named = none.map((each) => [JSON.stringify(each[0]).slice(0, 60), ...each] as const);
  test.each(named)("is not found in %s", (_, message, why) => {
    expect(read(message)).toEqual(why);
  });
});
