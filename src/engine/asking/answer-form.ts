import type { JsonSchema } from "../../agents/drivers/driver.ts";
import * as v from "valibot";
import { oneLine, printable } from "../../system/text/plain-text.ts";
import type { Question } from "../../core/questions/question.ts";

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

export type ReadAnswer<Answer> =
  | { readonly type: "usable"; readonly answer: Answer; readonly value: unknown }
  /** `why`: in a sentence that the model can act on, and people can read. */
  | { readonly type: "unusable"; readonly why: string };

type Form<Answer> = Pick<Question<Answer>, "schema" | "complaint">;

/** The answer in an agent's last message: one JSON object, bare, fenced, or with words around it. */
export function readAnswer<Answer>(message: string | null, form: Form<Answer>): ReadAnswer<Answer> {
  if (message === null || message.trim() === "") return unusable("There was no answer.");
  const value = objectIn(message);
  return value === null ? unusable("The answer is not one JSON object.") : checkAnswer(value, form);
}

/** Whether a value is an answer. Services that want every property get `null` for what may be left out. */
export function checkAnswer<Answer>(value: unknown, form: Form<Answer>): ReadAnswer<Answer> {
  const first = v.safeParse(form.schema, value);
  const parsed = first.success ? first : v.safeParse(form.schema, withoutNulls(value));
  if (!parsed.success) return unusable(issueText(first.issues ?? parsed.issues));
  const complaint = form.complaint?.(parsed.output) ?? null;
  return complaint === null ? { type: "usable", answer: parsed.output, value } : unusable(complaint);
}

function unusable(why: string): { readonly type: "unusable"; readonly why: string } {
  return { type: "unusable", why };
}

/** The last one that can be read counts: an agent may show a draft, or an example, before it. */
function objectIn(message: string): unknown {
  const fenced = [...message.matchAll(/^[ \t]*```[\w-]*[ \t]*\n([\s\S]*?)^[ \t]*```/gm)].map(
    ([, code = ""]) => code,
  );
  const candidates = [
    message,
    ...fenced.toReversed(),
    message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1),
  ];
  for (const text of candidates) {
    const value = parsedObject(text);
    if (value !== null) return value;
  }
  return null;
}

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (plain(value) as object)
      : null;
  } catch {
    // Not JSON, or nested so deeply that nobody meant it.
    return null;
  }
}

/** What a model says may end up on a terminal or in another prompt. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([name, each]) => [name, withoutNulls(each)]));
}

const MOST_ISSUES = 5;

function issueText(issues: readonly v.BaseIssue<unknown>[]): string {
  const lines = issues.slice(0, MOST_ISSUES).map((issue) => {
    const where = v.getDotPath(issue) ?? "The answer";
    if (issue.received === "undefined") return oneLine(`${where} is missing.`, 200);
    return oneLine(`${where}: ${issue.message}.`.replace(/\.\.$/, "."), 200);
  });
  return `The answer has another form than was asked for. ${lines.join(" ")}`;
}

/** More would not fit into what most models can read. */
export const LONGEST_QUESTION = 400_000;

/** A question as the agent reads it. The form is told in words, too: not every agent can be held to one. */
export function questionPrompt(text: string, form: JsonSchema): string {
  return `${text.trim()}

You may read files in this folder. Change nothing and run nothing: whatever you write here is thrown away.

${formText(form)}`;
}

/** Once more, in a conversation that knows the question. */
export function repairPrompt(why: string, form: JsonSchema): string {
  return `Your answer can't be used. ${why}

Answer the same question again. ${formText(form)}`;
}

/** Once more, to somebody who has not heard it. */
export function repeatPrompt(text: string, why: string, form: JsonSchema): string {
  return `${questionPrompt(text, form)}

An earlier answer could not be used. ${why}`;
}

export function formText(form: JsonSchema): string {
  return `Answer with one JSON object of this form, and nothing else:\n\n${JSON.stringify(form)}`;
}
