import type { Learning } from "./learning.ts";
import type { LearnedLine, Line } from "./line.ts";

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
