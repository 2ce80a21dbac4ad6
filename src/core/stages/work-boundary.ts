import type { MustNot } from "../loop/loop.ts";
import { FORBIDDEN_LEAD, limitsInWords } from "../spec/limits-in-words.ts";
import { pathLimitIn } from "../spec/path-limits.ts";

/** A place that the work has to stay in, as an answer to a question of ours says it. */
export interface Boundary {
  readonly words: string;
  /** Paths from the worktree's root; one that ends in a slash is a folder. */
  readonly places: readonly string[];
  /** Whether a change elsewhere is forbidden, or only not asked for. */
  readonly isMustNot: boolean;
}

export function onlyIn(place: string): string {
  return place.endsWith("/") ? `Only files in ${place}` : `Only ${place}`;
}

export function nothingOutside(place: string): string {
  return `Must not change anything outside ${place}`;
}

const ANSWERS = /^(?:Scope|Boundaries): (.+?)\.?$/gm;
const ONLY = /^Only (?:files in )?(\S+)$/;
const OUTSIDE = /^Must not change anything outside (\S+)$/;

/** The boundaries in a spec that was answered with the sentences above. Other words only people and reviewers understand. */
export function boundariesIn(spec: string): readonly Boundary[] {
  const answers = [...spec.matchAll(ANSWERS)].flatMap(([, list = ""]) => list.split("; "));
  const only = answers.flatMap((words) => placeIn(words, ONLY));
  const outside = answers.flatMap((words) => placeIn(words, OUTSIDE));
  return [
    ...(only.length === 0 ? [] : [boundary(only, { isMustNot: false })]),
    ...outside.map((each) => boundary([each], { isMustNot: true })),
  ];
}

interface Answer {
  readonly words: string;
  readonly place: string;
}

function placeIn(words: string, pattern: RegExp): readonly Answer[] {
  const place = pattern.exec(words.trim())?.[1];
  // "Only admins" isn't a place.
  return place === undefined || !/[./]/.test(place) ? [] : [{ words: words.trim(), place }];
}

function boundary(answers: readonly Answer[], { isMustNot }: Pick<Boundary, "isMustNot">): Boundary {
  return {
    words: answers.map(({ words }) => words).join("; "),
    places: answers.map(({ place }) => place),
    isMustNot,
  };
}

export function isWithin({ places }: Boundary, path: string): boolean {
  return places.some((place) => path === place || (place.endsWith("/") && path.startsWith(place)));
}

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
