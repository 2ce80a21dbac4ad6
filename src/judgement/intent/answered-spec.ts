import { isCommand } from "../../rubric/command.ts";
import type { Dimension } from "../../rubric/score.ts";
import { DIMENSIONS } from "../../rubric/score.ts";

export interface Answer {
  readonly about: Dimension;
  readonly text: string;
}

/**
 * One word each, which asks for nothing itself. The rubric knows the first two as sections. The others are not its
 * sections on purpose: in those, any word earns a point.
 */
const HEADINGS: Readonly<Record<Dimension, string>> = {
  outcome: "Outcome",
  scope: "Scope",
  constraints: "Boundaries",
  success: "Checking",
  done: "Ending",
};

/** The spec, followed by its author's answers. Without the questions: the author didn't write them, and they would earn points. */
export function answeredSpec(spec: string, answers: readonly Answer[]): string {
  const parts = DIMENSIONS.flatMap((about) => {
    const lines = answers.filter((answer) => answer.about === about).map(statementOf);
    return lines.length === 0 ? [] : [`## ${HEADINGS[about]}\n\n${lines.join("\n")}`];
  });
  return [spec, ...parts].join("\n\n");
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
