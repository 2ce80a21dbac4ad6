import * as v from "valibot";
import { LEARNING_KINDS } from "../../core/loop/recall.ts";
import type { Lesson } from "./learning.ts";
import { idOf } from "./learning.ts";

const id = v.pipe(v.string(), v.regex(/^[0-9a-f]{12}$/));
const time = v.pipe(v.string(), v.isoTimestamp());

const learned = v.object({
  id,
  kind: v.picklist(LEARNING_KINDS),
  context: v.string(),
  text: v.pipe(v.string(), v.minLength(1)),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  time,
  project: v.string(),
  /** The loop that learned it; null: somebody said it. */
  loop: v.nullable(v.string()),
});

const MARKS = ["confirmed", "dismissed", "forgotten"] as const;
export type Mark = (typeof MARKS)[number];

/** What a person said about a learning, in this project. */
const marked = v.object({ id, mark: v.picklist(MARKS), time });

const schema = v.union([learned, marked]);

/** One line of a project's learnings. */
export type Line = Readonly<v.InferOutput<typeof schema>>;
export type LearnedLine = Readonly<v.InferOutput<typeof learned>>;

/** null: not one of ours, or damaged. */
export function parseLine(text: string): Line | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

export function learnedLine(
  lesson: Lesson,
  from: { readonly project: string; readonly loop: string | null; readonly now: number },
): LearnedLine {
  const { kind, context, text, confidence } = lesson;
  const { project, loop, now } = from;
  return {
    id: idOf(lesson),
    kind,
    context,
    text,
    confidence,
    time: new Date(now).toISOString(),
    project,
    loop,
  };
}

export function markLine(learning: string, mark: Mark, now: number): Line {
  return { id: learning, mark, time: new Date(now).toISOString() };
}
