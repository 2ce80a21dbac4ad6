import * as v from "valibot";
import { oneLine, printable } from "../../system/text/plain-text.ts";
import type { Question } from "../../core/questions/question.ts";
import { isObject } from "../../core/plain-object.ts";

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
    return isObject(value) ? (plain(value) as object) : null;
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
