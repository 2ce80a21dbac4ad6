import type { DraftedPlan } from "./drafted-plan.ts";
import { readJsonPlan } from "./json-plan.ts";
import { readMarkdownPlan } from "./markdown-plan.ts";

/** `{`, or a list of objects: `[` alone begins many a line of Markdown. */
const JSON_BEGINNING = /^\s*(?:\{|\[\s*[{\]])/;

/** Reads a plan from Markdown or JSON, whichever its text is. Nothing is thrown: what is wrong is an issue with its line. */
export function readPlan(text: string): DraftedPlan {
  const plain = text.replace(/^\uFEFF/, "");
  return JSON_BEGINNING.test(plain) ? readJsonPlan(plain) : readMarkdownPlan(plain);
}
