import * as v from "valibot";
import type { ScriptedTrouble } from "../drivers/rehearsal/stream.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { isRelativeInside } from "./perform-act.ts";

const SIZE_LIMIT_BYTES = 8 * 1024 * 1024;
const LONGEST_WAIT_MS = 2 ** 31 - 1;
const LARGEST_FLOOD_BYTES = 1024 ** 3;
const MOST_TOKENS = 1_000_000_000;
const DEAREST_TURN_USD = 1_000_000;

const path = v.pipe(
  v.string(),
  v.check(isRelativeInside, "should be a relative path inside the project, without .."),
);
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_WAIT_MS));
const whole = (most: number) =>
  v.pipe(v.number(), v.integer("should be a whole number"), v.minValue(0), v.maxValue(most));

/** By the key that tells them apart. */
const acts = {
  write: v.strictObject({ write: path, text: v.string() }),
  edit: v.strictObject({ edit: path, from: v.pipe(v.string(), v.minLength(1)), to: v.string() }),
  delete: v.strictObject({ delete: path }),
  run: v.strictObject({ run: v.pipe(v.string(), v.minLength(1)) }),
  say: v.strictObject({ say: v.string() }),
  wait: v.strictObject({ wait: milliseconds }),
  print: v.strictObject({ print: v.string() }),
  flood: v.strictObject({ flood: whole(LARGEST_FLOOD_BYTES) }),
  hang: v.strictObject({ hang: v.literal(true) }),
  exit: v.strictObject({ exit: whole(255) }),
} as const;

export type Act = {
  [Key in keyof typeof acts]: Readonly<v.InferOutput<(typeof acts)[Key]>>;
}[keyof typeof acts];

const actNames = Object.keys(acts) as readonly (keyof typeof acts)[];
const noAct = v.custom<Act>(() => false, `should be an object with one of ${actNames.join(", ")}`);
// Not a union, which could only say that none of the forms fits, not what is wrong with the intended one.
const act = v.lazy((input): v.GenericSchema<unknown, Act> => {
  if (typeof input !== "object" || input === null) return noAct;
  const name = actNames.find((each) => Object.hasOwn(input, each));
  return name === undefined ? noAct : acts[name];
});

const detail = v.optional(v.string());
const trouble: v.GenericSchema<unknown, ScriptedTrouble> = v.variant("kind", [
  v.strictObject({ kind: v.literal("usage-limit"), resetsInMs: v.optional(milliseconds), detail }),
  v.strictObject({
    kind: v.picklist(["transient", "blocking", "budget", "lost-conversation", "unknown"]),
    detail,
  }),
  v.strictObject({ kind: v.literal("permission"), tool: v.string(), rule: v.string() }),
]);

const turn = v.strictObject({
  do: v.optional(v.array(act), []),
  /** The final words. */
  say: v.optional(v.string()),
  usd: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(DEAREST_TURN_USD))),
  tokens: v.optional(
    v.strictObject({ input: v.optional(whole(MOST_TOKENS), 0), output: v.optional(whole(MOST_TOKENS), 0) }),
  ),
  model: v.optional(v.pipe(v.string(), v.minLength(1))),
  trouble: v.optional(trouble),
});

const schema = v.strictObject({
  turns: v.pipe(v.array(turn), v.minLength(1)),
  /** After the last turn, start again with the first. */
  repeat: v.optional(v.boolean(), false),
});

export type Script = Readonly<v.InferOutput<typeof schema>>;
export type ScriptedTurn = Script["turns"][number];

type FoundScript =
  | { readonly type: "script"; readonly script: Script }
  | { readonly type: "unreadable"; readonly why: string };

export function readScript(file: string): FoundScript {
  try {
    return parseScript(readBounded(file, SIZE_LIMIT_BYTES));
  } catch (error) {
    return { type: "unreadable", why: (error as Error).message };
  }
}

export function parseScript(text: string): FoundScript {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { type: "unreadable", why: "it is not valid JSON" };
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { type: "script", script: parsed.output };
  return { type: "unreadable", why: explainIssue(parsed.issues[0]) };
}

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
function explainIssue(issue: v.BaseIssue<unknown>): string {
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
