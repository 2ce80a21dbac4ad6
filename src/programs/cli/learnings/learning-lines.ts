import type { LearningKind } from "../../../core/loop/recall.ts";
import { padded } from "../../../system/text/display-width.ts";
import { ageText } from "../../../system/text/quantities.ts";
import { oneLine, printable } from "../../../system/text/plain-text.ts";
import type { Terminal } from "../../../views/terminal/terminal.ts";

export interface ShownLearning {
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
