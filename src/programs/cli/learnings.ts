import type { Answered, Found } from "../../engine/learnings/recall.ts";
import type { Context } from "./context.ts";
import { readAnswer } from "./questions/choose.ts";
import type { LearningKind } from "../../core/loop/recall.ts";
import { padded } from "../../system/text/display-width.ts";
import { ageText } from "../../system/text/quantities.ts";
import { oneLine, printable } from "../../system/text/plain-text.ts";
import type { Terminal } from "../../views/terminal/terminal.ts";
import { UserError } from "../../core/user-error.ts";

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

interface ShownLearning {
  readonly id: string;
  readonly kind: LearningKind;
  readonly text: string;
  readonly confidence: number;
  readonly at: number;
  readonly project: string;
  readonly isForeign?: boolean;
  readonly isDismissed?: boolean;
}

/** A learning in two lines: what it says, and how much it counts. */
export function learningLines(
  { paint }: Terminal,
  learning: ShownLearning,
  { number, now }: { readonly number: number; readonly now: number },
): readonly string[] {
  const { id, kind, text, confidence, at, project } = learning;
  const notes = [
    id,
    `confidence ${confidence.toFixed(2)}`,
    ageText(now - at),
    ...(learning.isForeign === true ? [`from ${oneLine(project, 120)}`] : []),
    ...(learning.isDismissed === true ? ["dismissed"] : []),
  ];
  const indent = " ".repeat(`${number}`.length + 2);
  return [
    `${number}. ${paint("bold", padded(kind, 10))} ${printable(text)}`,
    `${indent}${paint("dim", notes.join(" · "))}`,
  ];
}

/** As `--json` and `--export` print it. */
export function learningJson(learning: ShownLearning & { readonly context: string }): object {
  const { id, kind, context, text, confidence, at, project } = learning;
  return { id, kind, context, text, confidence, time: new Date(at).toISOString(), project };
}

/** By its whole id, or the start of exactly one. */
export function namedLearning<Each extends { readonly id: string }>(
  learnings: readonly Each[],
  wanted: string,
): Each {
  const fitting = learnings.filter(({ id }) => wanted !== "" && id.startsWith(wanted));
  const [only, ...others] = fitting;
  if (only === undefined)
    throw new UserError(
      `No learning is called "${oneLine(wanted, 40)}"; see their ids with: loop learn --list`,
    );
  if (others.length > 0)
    throw new UserError(
      `"${oneLine(wanted, 40)}" could be ${fitting.map(({ id }) => id).join(" or ")}; type more of it.`,
    );
  return only;
}
