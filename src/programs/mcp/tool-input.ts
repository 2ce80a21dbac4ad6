import type { Field, Tool, ToolInput } from "./tools.ts";

const LONGEST_TEXT = 20_000;
const MOST_TEXTS = 100;

type Given = { readonly [name: string]: unknown };

/** The arguments of a call, or one sentence that says what is wrong with them. */
export function inputOf({ fields }: Tool, given: unknown): ToolInput | string {
  const values = given === undefined || given === null ? {} : given;
  if (typeof values !== "object" || Array.isArray(values)) return "The arguments have to be an object.";
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return `There is no argument "${unknown.slice(0, 60)}".`;
  for (const [name, field] of Object.entries(fields)) {
    const why = wrongWith(field, (values as Given)[name]);
    if (why !== null) return `The argument "${name}" ${why}.`;
  }
  return reading(values as Given);
}

function wrongWith(field: Field, value: unknown): string | null {
  if (value === undefined || value === null) return field.isNeeded === true ? "is missing" : null;
  if (field.type === "texts") {
    if (!Array.isArray(value)) return "has to be a list of texts";
    if (value.length > MOST_TEXTS) return `has more than ${MOST_TEXTS} entries`;
    return value.map((each: unknown) => wrongWithText(each)).find((why) => why !== null) ?? null;
  }
  const why = wrongWithText(value);
  if (why !== null || field.choices === undefined) return why;
  return field.choices.includes(value as string) ? null : `has to be one of ${field.choices.join(", ")}`;
}

/** A word of a command line has no NUL in it. */
function wrongWithText(value: unknown): string | null {
  if (typeof value !== "string") return "has to be a text";
  if (value.trim() === "") return "is empty";
  if (value.includes("\0")) return "has a character that no command line takes";
  return value.length > LONGEST_TEXT ? `is longer than ${LONGEST_TEXT} characters` : null;
}

function reading(values: Given): ToolInput {
  return {
    text: (name) => (typeof values[name] === "string" ? values[name] : null),
    texts: (name) => (Array.isArray(values[name]) ? (values[name] as readonly string[]) : []),
  };
}

/** The fields as JSON Schema, for the client. */
export function schemaOf({ fields }: Tool): object {
  const properties = Object.entries(fields).map(([name, { type, description, choices }]) => [
    name,
    type === "texts"
      ? { type: "array", items: { type: "string" }, description }
      : { type: "string", description, ...(choices === undefined ? {} : { enum: choices }) },
  ]);
  const required = Object.entries(fields).flatMap(([name, { isNeeded }]) =>
    isNeeded === true ? [name] : [],
  );
  return {
    type: "object",
    properties: Object.fromEntries(properties) as object,
    required,
    additionalProperties: false,
  };
}
