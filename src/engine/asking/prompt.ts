import type { JsonSchema } from "../../agents/drivers/driver.ts";

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
