import type { MustNot } from "../loop/loop.ts";
import { FORBIDDEN_LEAD, limitsInWords } from "../spec/limits-in-words.ts";
import { pathLimitIn } from "../spec/path-limits.ts";
import { boundariesIn } from "./work-boundary.ts";

const ABOUT_CHANGES =
  /\b(?:chang|touch|modif|edit|alter)\w{0,4}\b|\b(?:alone|unchanged|untouched|identical|intact|as (?:it|they) (?:is|are)|as is)\b/i;

/** What the spec says must hold and nothing watches: "leave the API alone". Agents and reviewers read it; the machine can't tell. */
export function unwatchedLimits({
  spec,
  mustNots,
}: {
  readonly spec: string;
  readonly mustNots: readonly MustNot[];
}): readonly string[] {
  const paths = mustNots
    .flatMap((each) => (each.kind === "path" ? [each.glob.replace(/\/?\*.*$/, "")] : []))
    .filter((path) => path !== "");
  const boundaries = boundariesIn(spec);
  return limitsInWords(spec)
    .filter((limit) => !boundaries.some(({ words }) => words.includes(limit) || limit.includes(words)))
    .filter((limit) => !isWatched(limit, paths));
}

function isWatched(limit: string, paths: readonly string[]): boolean {
  const isForbidden = limit.startsWith(FORBIDDEN_LEAD);
  const kept = pathLimitIn(isForbidden ? limit.slice(FORBIDDEN_LEAD.length) : limit, isForbidden);
  const named = (text: string): boolean => paths.some((path) => text.includes(path));
  if (kept?.kind === "keep") return kept.places.every(named);
  return ABOUT_CHANGES.test(limit) && named(limit);
}
