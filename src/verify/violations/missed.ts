import { oneLine } from "../../system/text/plain-text.ts";
import type { Candidate } from "./candidates.ts";
import { NAMES } from "./mistakes.ts";
import type { PutIn } from "./mistakes.ts";

const MOST_NAMED = 3;
const LONGEST = 120;

/** A mistake that went unreported, in a sentence. */
export function toldOfMissed(kind: PutIn, missed: readonly Candidate[]): string {
  const named = missed.slice(0, MOST_NAMED).map(({ path, from }) => {
    const was = from === null || from === path ? "" : ` (${oneLine(from, LONGEST)} at the opening)`;
    return `${oneLine(path, LONGEST)}${was}`;
  });
  const more = missed.length - named.length;
  const files = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `${NAMES[kind]} put into ${files} isn't reported`;
}
