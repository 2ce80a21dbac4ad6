import { codeSpans, maskCode } from "./code-span.ts";
import { findClosedSets } from "./closed-set.ts";
import { best, type DimensionScore, type Finding } from "./dimension.ts";
import { findPlaces } from "./place.ts";
import { findNamedLists } from "./named-list.ts";
import type { Reading } from "./reading.ts";
import { namingSpan } from "./words.ts";

const WHOLE =
  /\b(?:whole|entire|complete)\s(?:app|application|codebase|code base|project|repo|repository|system|product|site|website)\b/i;

export function scoreScope(reading: Reading): DimensionScore {
  return best(reading.work.flatMap(scopeOf));
}

function scopeOf(text: string): Finding[] {
  const exact = [...findPlaces(text), ...findNamedLists(text), ...findClosedSets(text)];
  if (exact.length > 0) return exact;
  if (WHOLE.test(text)) return [];
  const area = namingSpan(maskCode(text), text);
  if (area !== undefined) return [{ points: 1, quote: area, reason: "a named area" }];
  return codeSpans(text)
    .slice(0, 1)
    .map((quote) => ({ points: 1, quote, reason: "what the command looks at" }));
}
