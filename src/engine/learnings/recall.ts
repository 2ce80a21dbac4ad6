import type { Loop } from "../../core/loop/loop.ts";
import { judgedRecall, type Recall } from "../../core/loop/recall.ts";
import type { Keeper } from "./learnings-file.ts";
import { markLearning, knownLearnings, learningsElsewhere, projectPath } from "./learnings-file.ts";
import { strengthOf, type Learning, type Lesson } from "./learning.ts";
import { describeCheck } from "../../core/loop/criterion.ts";
import type { EventOf } from "../../core/events/event.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import type { AskedGoal } from "../opening/asked-loop.ts";

const MOST = 5;

/** What is found for a spec, before anybody said whether it applies. */
export interface Found extends Learning {
  /** Another project learned it: only a person's word makes it count here. */
  readonly isForeign: boolean;
}

/** The learnings about what a spec is about, at most five: recent and sure ones first, this project's before those of others. */
export function findLearnings(
  keeper: Pick<Keeper, "home" | "now">,
  root: string,
  spec: string,
  { others }: { readonly others: boolean },
): readonly Found[] {
  const project = projectPath(root);
  const { learnings, dismissed, forgotten } = knownLearnings(keeper, project);
  const own = learnings.filter(({ id }) => !dismissed.has(id));
  const known = new Set([...own.map(({ id }) => id), ...dismissed, ...forgotten]);
  const foreign = others ? learningsElsewhere(keeper, project).filter(({ id }) => !known.has(id)) : [];
  const best = (found: readonly Learning[]): readonly Learning[] =>
    relevantTo(spec, found)
      .map(({ learning, relevance }) => ({ learning, rank: relevance * strengthOf(learning, keeper.now()) }))
      .toSorted((one, other) => other.rank - one.rank)
      .map(({ learning }) => learning);
  return [
    ...best(own).map((learning) => ({ ...learning, isForeign: false })),
    ...best(foreign).map((learning) => ({ ...learning, isForeign: true })),
  ].slice(0, MOST);
}

/** Which of the found learnings apply, by their ids; of the others nobody said anything. */
export interface Answered {
  readonly confirmed: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

const NOBODY_ASKED: Answered = { confirmed: new Set(), dismissed: new Set() };

/** Remembers the answers, and says what the loop knows from now on. */
export function recallWith(
  keeper: Keeper,
  root: string,
  found: readonly Found[],
  { confirmed, dismissed }: Answered = NOBODY_ASKED,
): Recall {
  const project = projectPath(root);
  for (const learning of found) {
    if (confirmed.has(learning.id)) markLearning(keeper, project, learning, "confirmed");
    else if (dismissed.has(learning.id)) markLearning(keeper, project, learning, "dismissed");
  }
  const now = new Map(knownLearnings(keeper, project).learnings.map((each) => [each.id, each]));
  const surfaced = found
    .filter(({ id, isForeign }) => !isForeign || confirmed.has(id) || dismissed.has(id))
    .map(({ id, kind, text, confidence }) => ({
      id,
      kind,
      text,
      confidence: now.get(id)?.confidence ?? confidence,
      confirmed: confirmed.has(id) ? true : dismissed.has(id) ? false : null,
    }));
  return {
    learnings: surfaced,
    familiarity: familiarityFrom(surfaced.filter((each) => each.confirmed !== false)),
  };
}

/** What earlier loops taught about what is asked for here. `others`: of other projects, too, for a person to judge. */
export function learningsFor(
  machine: Machine,
  asked: Pick<AskedGoal, "spec" | "criteria">,
  options: { readonly others: boolean },
): readonly Found[] {
  return findLearnings(machine, openingCallerLocation(machine.cwd).project.root, subjectOf(asked), options);
}

/** What the loop will know of it, after the answers; undefined: nothing was found. */
export function recallOf(
  machine: Machine,
  found: readonly Found[],
  answered?: Answered,
): EventOf<"learnings.recalled"> | undefined {
  if (found.length === 0) return undefined;
  const { root } = openingCallerLocation(machine.cwd).project;
  return { type: "learnings.recalled", ...recallWith(machine, root, found, answered) };
}

/** A loop hears which of its learnings apply; undefined: none of them are its own. */
export function judgedIn(
  { recall }: Pick<Loop, "recall">,
  { confirmed, dismissed }: Answered,
): EventOf<"learnings.judged"> | undefined {
  const known = (recall?.learnings ?? []).map(({ id }) => id);
  const marks = {
    confirmed: known.filter((id) => confirmed.has(id)),
    dismissed: known.filter((id) => dismissed.has(id)),
  };
  if (recall === null || marks.confirmed.length + marks.dismissed.length === 0) return undefined;
  const { learnings } = judgedRecall(recall, { ...marks, familiarity: 0 });
  const familiarity = familiarityFrom(learnings.filter((each) => each.confirmed !== false));
  return { type: "learnings.judged", ...marks, familiarity };
}

/** The words of the spec, and of what has to be true at the end. */
function subjectOf({ spec, criteria }: Pick<AskedGoal, "spec" | "criteria">): string {
  const texts = criteria.map(({ name, check }) => `${name} ${check === null ? "" : describeCheck(check)}`);
  return [spec, ...texts].join("\n");
}

/** Five learnings that are certain make a project as familiar as it gets. */
const POINTS_EACH = 2;
const MOST_POINTS = 10;

/** How familiar a spec's subject is, 0 to 10: two points for each learning that was found for it, by its confidence. */
export function familiarityFrom(learnings: readonly { readonly confidence: number }[]): number {
  const points = learnings.reduce((sum, { confidence }) => sum + POINTS_EACH * confidence, 0);
  return Math.min(MOST_POINTS, Math.round(points));
}

/** Below this, two texts only share words by chance. */
const RELEVANT_FROM = 0.15;
/** A text of two words isn't about the same because one of them occurs. */
const SHORTEST_TEXT = 4;
const GENERIC_WEIGHT = 0.25;

interface Relevant<Each> {
  readonly learning: Each;
  /** The weight of the words they share, by that of the shorter text: up to 1. */
  readonly relevance: number;
}

/**
 * The learnings that are about what a spec is about: they share a word that means something, and enough of their words. A word that
 * few learnings have weighs more.
 */
export function relevantTo<Each extends Pick<Lesson, "text" | "context">>(
  spec: string,
  learnings: readonly Each[],
): readonly Relevant<Each>[] {
  const asked = wordsOf(spec);
  const texts = learnings.map((learning) => ({
    learning,
    words: wordsOf(`${learning.context} ${learning.text}`),
  }));
  const counts = new Map<string, number>();
  for (const { words } of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weight = (word: string): number => {
    const rare = 1 + Math.log((texts.length + 1) / ((counts.get(word) ?? 0) + 1));
    return isGeneric(word) ? GENERIC_WEIGHT : rare;
  };
  const sum = (words: Iterable<string>): number =>
    [...words].reduce((total, word) => total + weight(word), 0);
  const whole = sum(asked);
  return texts.flatMap(({ learning, words }) => {
    const shared = [...words].filter((word) => asked.has(word));
    if (shared.every(isGeneric)) return [];
    const relevance = sum(shared) / Math.max(SHORTEST_TEXT, Math.min(whole, sum(words)));
    return relevance < RELEVANT_FROM ? [] : [{ learning, relevance: Math.min(1, relevance) }];
  });
}

/** Words that say nothing about a subject. */
const EMPTY = new Set(
  "a an and any are as at be been but by can could did do does doing down for from get had has have how i if in into is it its let may me more most my no nor not of off on once only or other our out over own per same shall should so some such than that the their them then there these they this those to too under until up us very was we were what when where which while who why will with without would you your afterwards also still one two three first second last".split(
    " ",
  ),
);

/** Words of any work on code: they count little, and alone they connect nothing. After stemming. */
const GENERIC = new Set(
  "add all app build bug change check code create done error expect fail file find fix folder function get go implement improve js json keep lib line loop make md method module move need new npm package pass project py refactor remove rename replace run say set src step support task test ts try tsx jsx update use value version work write yarn pnpm".split(
    " ",
  ),
);

function isGeneric(word: string): boolean {
  return GENERIC.has(word) || word.length < 2 || /^\d+$/.test(word);
}

const LONGEST_TEXT = 20_000;

/** The words of a text, in lower case and without their endings; names in camel case and paths fall into their parts. */
export function wordsOf(text: string): ReadonlySet<string> {
  const parts = text
    .slice(0, LONGEST_TEXT)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(parts.filter((part) => part !== "" && !EMPTY.has(part)).map(stem));
}

/** Enough for plurals and verbs; a wrong stem is the same wrong stem on both sides. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const bare = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  if (bare.length < 5) return bare;
  return bare
    .replace(/(?:ing|ed|er)$/, "")
    .replace(/([bdfgklmnprt])\1$/, "$1")
    .replace(/e$/, "");
}
