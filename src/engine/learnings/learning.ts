import { createHash } from "node:crypto";
import { LEARNING_KINDS, type LearningKind } from "../../core/loop/recall.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import * as v from "valibot";

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
type LearnedLine = Readonly<v.InferOutput<typeof learned>>;

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

/** A project's learnings, as its lines add up. */
export interface Known {
  readonly learnings: readonly Learning[];
  /** Not offered again in this project; also those of other projects. */
  readonly dismissed: ReadonlySet<string>;
  /** Nobody wants to hear of them again, even if a loop learns them once more. */
  readonly forgotten: ReadonlySet<string>;
}

/** How much of the missing certainty a person's word adds, and another loop that learned the same. */
const CONFIRMED_ADDS = 0.5;
const SEEN_AGAIN_ADDS = 0.2;
const DISMISSED_KEEPS = 0.5;

/** Adds up lines in the order of their times. The same line counts once, so whoever writes one twice changes nothing. */
export function addUp(project: string, lines: readonly Line[]): Known {
  const learnings = new Map<string, Learning>();
  const loops = new Map<string, Set<string | null>>();
  const dismissed = new Set<string>();
  const forgotten = new Set<string>();
  for (const line of inOrder(lines)) {
    if ("kind" in line) {
      if (line.project !== project) continue;
      if (line.loop === null) forgotten.delete(line.id);
      const known = learnings.get(line.id);
      const seenBy = loops.get(line.id) ?? new Set();
      if (known === undefined) learnings.set(line.id, learningOf(line));
      else if (!seenBy.has(line.loop))
        learnings.set(line.id, { ...surer(known, SEEN_AGAIN_ADDS), at: Date.parse(line.time) });
      loops.set(line.id, seenBy.add(line.loop));
      continue;
    }
    const known = learnings.get(line.id);
    switch (line.mark) {
      case "confirmed":
        dismissed.delete(line.id);
        if (known !== undefined)
          learnings.set(line.id, { ...surer(known, CONFIRMED_ADDS), at: Date.parse(line.time) });
        break;
      case "dismissed":
        dismissed.add(line.id);
        if (known !== undefined)
          learnings.set(line.id, { ...known, confidence: known.confidence * DISMISSED_KEEPS });
        break;
      case "forgotten":
        forgotten.add(line.id);
        break;
    }
  }
  return {
    learnings: [...learnings.values()].filter(({ id }) => !forgotten.has(id)),
    dismissed,
    forgotten,
  };
}

function learningOf({ id, kind, context, text, confidence, time, project }: LearnedLine): Learning {
  return { id, kind, context, text, confidence, at: Date.parse(time), project };
}

function surer(learning: Learning, share: number): Learning {
  return { ...learning, confidence: learning.confidence + (1 - learning.confidence) * share };
}

function inOrder(lines: readonly Line[]): readonly Line[] {
  const unique = new Map(lines.map((line) => [JSON.stringify(line), line]));
  return [...unique.values()].toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

const HALF_LIFE_MS = 180 * 24 * 3_600_000;

/** How much a learning counts now: half as much for each half year, and with its confidence. */
export function strengthOf({ confidence, at }: Pick<Learning, "confidence" | "at">, now: number): number {
  return confidence * 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}
