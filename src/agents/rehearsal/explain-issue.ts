import type * as v from "valibot";

/** Kinds of issues whose message is next to the schema. */
const OWN_WORDS = new Set(["custom", "check", "integer"]);

const NAMES: { readonly [expected: string]: string } = {
  Object: "an object",
  Array: "a list",
  string: "a text",
  number: "a number",
  boolean: "true or false",
};

/** One issue as a sentence, starting with the place in the script. */
export function explainIssue(issue: v.BaseIssue<unknown>): string {
  const where = pathOf(issue);
  if (OWN_WORDS.has(issue.type)) return `${where} ${issue.message}`;
  if (issue.expected === "never") return `${where} is unknown`;
  if (issue.received === "undefined") return `${where} is missing`;
  if (issue.type === "min_length") return `${where} should not be empty`;
  return `${where} should be ${inWords(issue.expected)}`;
}

/** What is expected, in words; a literal value stays as it is. */
function inWords(expected: string | null): string {
  if (expected === null) return "of another form";
  return (NAMES[expected] ?? expected).replace(/^>=/, "at least ").replace(/^<=/, "at most ");
}

/** As one would write it in JavaScript: turns[0].do[2].text. */
function pathOf(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map(({ key }) => key) ?? [];
  if (keys.length === 0) return "the script";
  return keys.map((key, index) => partOf(key, index === 0)).join("");
}

function partOf(key: unknown, first: boolean): string {
  if (typeof key === "number") return `[${key}]`;
  const name = /^[\w$-]{1,60}$/.test(String(key)) ? String(key) : JSON.stringify(String(key).slice(0, 60));
  return first ? name : `.${name}`;
}
