import * as v from "valibot";
import { expect, test } from "vitest";
import { answerForm } from "./answer-form.ts";

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
