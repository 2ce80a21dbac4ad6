import type { DraftedPlan } from "./drafted-plan.ts";
import { readJsonPlan } from "./json-plan.ts";
import { readMarkdownPlan } from "./markdown-plan.ts";

/** `{`, or a list of objects: `[` alone begins many a line of Markdown. */
const JSON_BEGINNING = /^\s*(?:\{|\[\s*[{\]])/;

/** What UTF-16 and programs look like when they are read as UTF-8. */
const NOT_TEXT = /^\uFFFD|\0.?\0/s;
const UNREADABLE: DraftedPlan = {
  source: "file",
  preface: "",
  tasks: [],
  done: [],
  issues: [{ line: 1, severity: "error", text: "This is not text in UTF-8; save it as UTF-8." }],
};

/** Reads a plan from Markdown or JSON, whichever its text is. Nothing is thrown: what is wrong is an issue with its line. */
export function readPlan(text: string): DraftedPlan {
  if (NOT_TEXT.test(text)) return UNREADABLE;
  const plain = text.replace(/^\uFEFF/, "");
  return JSON_BEGINNING.test(plain) ? readJsonPlan(plain) : readMarkdownPlan(plain);
}
