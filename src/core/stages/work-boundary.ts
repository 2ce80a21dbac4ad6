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
