import { isCommand } from "../../spec/code.ts";
import type { Dimension } from "../../spec/rule.ts";
import { DIMENSIONS } from "../../spec/rule.ts";

export interface Answer {
  readonly about: Dimension;
  readonly text: string;
}

/**
 * One word each, which asks for nothing itself. The rubric knows the first two as sections. The others are not its
 * sections on purpose: in those, any word earns a point.
 */
const LABELS: Readonly<Record<Dimension, string>> = {
  outcome: "Outcome",
  scope: "Scope",
  constraints: "Boundaries",
  success: "Checking",
  done: "Ending",
};

/**
 * The spec, followed by its author's answers: a sentence each, so that it reads well in one line, too. Without the questions: the author
 * didn't write them, and they would earn points.
 */
export function answeredSpec(spec: string, answers: readonly Answer[]): string {
  const lines = DIMENSIONS.flatMap((about) => {
    const texts = answers.filter((answer) => answer.about === about).map(statementOf);
    return texts.length === 0 ? [] : [sentence(`${LABELS[about]}: ${texts.join("; ")}`)];
  });
  if (lines.length === 0) return spec;
  return [isOneLine(spec) ? sentence(spec) : spec, lines.join("\n")].join("\n\n");
}

export function isOneLine(spec: string): boolean {
  return !spec.trim().includes("\n");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}

/** "npm test" and "PR merged" are complete answers, but say too little without the question. */
function statementOf({ about, text }: Answer): string {
  if (about === "success") return passing(text) ?? text;
  return about === "done" ? ending(text) : text;
}

function passing(text: string): string | null {
  const commands = text.split(/,\s*|\s+and\s+/).map((each) => each.replace(/^`|`?\.?$/g, "").trim());
  // A command with words behind it is a statement already.
  if (!commands.every((each) => isCommand(each) && !each.includes("`"))) return null;
  return `${commands.map((command) => `\`${command}\``).join(", ")} ${commands.length === 1 ? "passes" : "pass"}`;
}

const ENDING = /\b(?:done|finished|over)\s(?:when|once)\b|\buntil\b/i;
const CONDITION = /^(?:when|once|as soon as)\s/i;

function ending(text: string): string {
  if (ENDING.test(text)) return text;
  return CONDITION.test(text) ? `Done ${text}` : `Until ${text}`;
}
