import { createHash } from "node:crypto";
import type { LearningKind } from "../../core/loop/recall.ts";
import { oneLine } from "../../system/text/plain-text.ts";

/** What somebody, or a loop, wants to be known later. */
export interface Lesson {
  readonly kind: LearningKind;
  /** What the work was about, usually the spec. */
  readonly context: string;
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** A lesson as it is known now, after everything that was said about it. */
export interface Learning extends Lesson {
  readonly id: string;
  /** When it was last learned or confirmed. */
  readonly at: number;
  /** The path that stands for the project. */
  readonly project: string;
}

const TEXT_LIMIT = 400;
const CONTEXT_LIMIT = 200;

/** In one line each, of bounded length and without secrets: what may be kept. */
export function keepable(lesson: Lesson, redact: (text: string) => string): Lesson {
  const { kind, context, text, confidence } = lesson;
  return {
    kind,
    context: oneLine(redact(context), CONTEXT_LIMIT),
    text: oneLine(redact(text), TEXT_LIMIT),
    confidence: Math.min(Math.max(confidence, 0), 1),
  };
}

/** The same lesson has the same name in every loop and every project. */
export function idOf({ kind, text }: Pick<Lesson, "kind" | "text">): string {
  return createHash("sha256").update(`${kind}\n${text.toLowerCase()}`).digest("hex").slice(0, 12);
}
