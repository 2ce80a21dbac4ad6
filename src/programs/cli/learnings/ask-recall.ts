import type { Answered, Found } from "../../../engine/learnings/recall.ts";
import type { Context } from "../context.ts";
import { readAnswer } from "../questions/read-answer.ts";
import { learningLines } from "./learning-lines.ts";

const QUESTION = {
  text: "Which of these apply here? all, none, or numbers such as 1 3; the others are never shown here again",
  hint: "decide later",
  usual: "later",
};

/** Shows what was found and asks which of it applies. */
export async function askRecall(
  { machine, terminal }: Pick<Context, "machine" | "terminal">,
  found: readonly Found[],
): Promise<Answered> {
  terminal.print("From earlier loops:");
  for (const [index, learning] of found.entries())
    for (const line of learningLines(terminal, learning, { number: index + 1, now: machine.now() }))
      terminal.print(`  ${line}`);
  for (;;) {
    const answer = await readAnswer(terminal, QUESTION);
    const answered = answeredBy(answer ?? "", found);
    if (answered !== null) return answered;
    terminal.print("  Please answer all, none, or numbers such as 1 3; Enter decides later.");
  }
}

/** Numbers confirm those, and dismiss the others. null: not an answer. */
function answeredBy(answer: string, found: readonly { readonly id: string }[]): Answered | null {
  const said = answer.trim().toLowerCase();
  const ids = found.map(({ id }) => id);
  if (said === "" || /^l(ater)?$/.test(said)) return { confirmed: new Set(), dismissed: new Set() };
  if (/^(a|all|y|yes)$/.test(said)) return { confirmed: new Set(ids), dismissed: new Set() };
  if (/^(n|no|none)$/.test(said)) return { confirmed: new Set(), dismissed: new Set(ids) };
  if (!/^\d+([\s,]+\d+)*$/.test(said)) return null;
  const chosen = said.split(/[\s,]+/).map((number) => ids[Number(number) - 1]);
  if (chosen.includes(undefined)) return null;
  const confirmed = new Set(chosen.filter((id) => id !== undefined));
  return { confirmed, dismissed: new Set(ids.filter((id) => !confirmed.has(id))) };
}
