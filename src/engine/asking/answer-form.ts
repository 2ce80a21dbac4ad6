import type * as v from "valibot";
import type { JsonSchema } from "../../agents/drivers/driver.ts";

type AnySchema = v.GenericSchema<unknown, unknown> & {
  readonly entries?: { readonly [name: string]: AnySchema };
  readonly item?: AnySchema;
  readonly wrapped?: AnySchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
};

/**
 * The form of an answer, for services that hold their models to one. It says what belongs where; sizes and rules are left to the
 * schema itself, which reads the answer in any case. What may be left out may be null here, since services want every property.
 */
export function answerForm(schema: v.GenericSchema<unknown, unknown>): JsonSchema {
  const { type, entries, item, wrapped, options, literal } = schema as AnySchema;
  switch (type) {
    case "object":
    case "loose_object":
    case "strict_object":
      return objectForm(entries ?? {});
    case "array":
      return { type: "array", items: formOf(item) };
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { type };
    case "picklist":
      return { type: "string", enum: options as readonly string[] };
    case "literal":
      return { enum: [literal as string | number | boolean] };
    case "nullable":
    case "nullish":
    case "optional":
      return orNull(formOf(wrapped));
    case "union":
    case "variant":
      return { anyOf: (options as readonly AnySchema[]).map(answerForm) };
    default:
      throw new Error(`no model can be held to a ${type}`);
  }
}

function objectForm(entries: { readonly [name: string]: AnySchema }): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(entries).map(([name, schema]) => [name, answerForm(schema)]),
    ),
    required: Object.keys(entries),
    additionalProperties: false,
  };
}

function formOf(schema: AnySchema | undefined): JsonSchema {
  if (schema === undefined) throw new Error("a schema without its inner one");
  return answerForm(schema);
}

function orNull(form: JsonSchema): JsonSchema {
  return { anyOf: [...(form.anyOf ?? [form]), { type: "null" }] };
}
