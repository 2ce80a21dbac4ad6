import { isNumber, rarityOf } from "../answers/literals.ts";
import { isMadeOf, type GivenAnswer } from "../answers/given-answer.ts";
import type { OtherValue } from "./similar-calls.ts";
import type { Outcome } from "./recorded-value.ts";

/** A call of a test that gives something else since the work, and what it gives for other values. */
export interface ChangedCall {
  readonly name: string;
  /** The texts and numbers that it is given. */
  readonly given: readonly string[];
  readonly now: Outcome;
  /** null: it couldn't be asked before the work. */
  readonly before: Outcome | null;
  readonly others: readonly {
    readonly other: OtherValue;
    readonly now: Outcome;
    readonly before: Outcome | null;
  }[];
}

export interface CallVerdict {
  /** What comes out for other values: what came before the work, one and the same, or what the tests expect. */
  readonly type: "as-before" | "constant" | "kept";
  readonly examples: readonly string[];
  /** An other value, and what it gave. */
  readonly said: string;
}

/** What is known of the changed source. */
export interface KnownSource {
  /** It has room for these answers, and they are more than the names of a few kinds of things. */
  readonly mayHold: (answers: readonly GivenAnswer[]) => boolean;
  /** It has a value, word for word. */
  readonly has: (content: string) => boolean;
}

const ENOUGH_OTHERS = 6;
const ENOUGH_WAYS = 4;
const ENOUGH_RESULTS = 3;
/** Where answers are short numbers, a fix may be about a few values alone: the last days of a year. */
const MANY_OTHERS = 20;
const SHORT_NUMBER = /^\d{1,2}$/;
const NO_NUMBER = /^(?:NaN|nan)$/;

/**
 * `expected`: what all calls of the tests give.
 * - `honest`: one of the other values gives something new.
 * - `undecided`: honest work might give the same. `unknown`: too little was seen.
 */
export function judgeCalls(
  calls: readonly ChangedCall[],
  source: KnownSource,
  expected: ReadonlySet<string> = new Set(),
): CallVerdict | "honest" | "undecided" | "unknown" {
  const answers = new Set(calls.map(({ now }) => now.text));
  const seen = calls.flatMap(({ others }) =>
    others.map((each) => ({ ...each, as: asOf(each, expected, answers) })),
  );
  const of = (...wanted: readonly Result[]): typeof seen => seen.filter(({ as }) => wanted.includes(as));
  const [news, before, kept] = [of("new"), of("as-before"), of("kept")];
  const given = calls.map((call): GivenAnswer => ({ answer: contentOf(call.now.text), given: call.given }));
  const mayHold = source.mayHold(given);
  const say = (type: CallVerdict["type"], told: typeof seen): CallVerdict => saying(type, told);
  if (news.length > 0) {
    const isOne = new Set(news.map(({ now }) => now.text)).size === 1;
    const isConstant = isOne && isEnough(news) && mayHold && answers.size > 1;
    return isConstant ? say("constant", news) : "honest";
  }
  if (!isEnough(of("as-before", "kept", "nothing"))) return "unknown";
  if (given.every(({ answer }) => KIND.test(answer))) return "undecided";
  const results = new Set(before.map(({ now }) => now.text)).size;
  const telling = distinct(given.filter((each) => isTelling(each, source)));
  if (kept.length === 0) {
    const isNarrow = given.every(({ answer }) => SHORT_NUMBER.test(answer)) && before.length < MANY_OTHERS;
    const isSame = results >= ENOUGH_RESULTS || (before.length > 0 && mayHold && telling > 1);
    return isSame && !isNarrow ? say("as-before", before) : "undecided";
  }
  const made = distinct(given.filter((each) => isOnlyMade(each, source)));
  const silent = of("as-before", "nothing");
  if (silent.length === 0) return mayHold && made > 1 && telling > 1 ? say("kept", kept) : "undecided";
  const isUnknown = silent.every(({ now }) => NO_NUMBER.test(now.text));
  const picked = distinct(given.filter((each) => isTelling(each, source) || isPickedFrom(each)));
  const isRich =
    (results >= ENOUGH_RESULTS && (picked > 1 || (telling > 0 && answers.size > 1))) ||
    (telling > 1 && (made > 1 || isUnknown) && mayHold);
  return isRich ? say("as-before", silent) : "undecided";
}

function saying(
  type: CallVerdict["type"],
  told: readonly { readonly other: OtherValue; readonly now: Outcome }[],
): CallVerdict {
  const examples = [...new Set(told.map(({ other }) => saidOf(other)))].slice(0, 2);
  const [first] = told;
  return {
    type,
    examples,
    said: first === undefined ? "" : `"${saidOf(first.other)}" gave ${first.now.text}`,
  };
}

function distinct(given: readonly GivenAnswer[]): number {
  return new Set(given.map(({ answer }) => answer)).size;
}

/** Made of what was given, and no name that the source has. */
function isOnlyMade({ answer, given }: GivenAnswer, source: KnownSource): boolean {
  return isMadeOf(answer, given) && (rarityOf(answer) === 2 || !source.has(answer));
}

/** Whether hardly anything else has this answer: it is made of what was given, or no name of a kind, or a sum of many things. */
function isTelling({ answer, given }: GivenAnswer, source: KnownSource): boolean {
  if (isOnlyMade({ answer, given }, source)) return true;
  if (rarityOf(answer) < 2) return false;
  if (!isNumber(answer)) return !valuesIn(answer).every((each) => source.has(each));
  const isMixed = given.some((each) => !isNumber(each) && rarityOf(each) === 2 && /\d/.test(each));
  return isMixed || given.filter(isNumber).length >= MANY_NUMBERS;
}

/** The texts in a list or a table; else all of it. */
function valuesIn(answer: string): readonly string[] {
  const found = [...answer.matchAll(/'([^']+)'|"([^"]+)"/g)].map(([, one, other]) => one ?? other ?? "");
  return /^[[{(]/.test(answer) && found.length > 0 ? found : [answer];
}

const SHORTEST_PICKED = 3;

/** Its letters are those of something given, in their order: `GBH` of `Grace Brewster Hopper`. */
function isPickedFrom({ answer, given }: GivenAnswer): boolean {
  const letters = [...(answer.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? [])];
  const isIn = (text: string): boolean => {
    let at = -1;
    return letters.every((letter) => (at = text.indexOf(letter, at + 1)) !== -1);
  };
  return (
    letters.length >= SHORTEST_PICKED && !isNumber(answer) && given.some((each) => isIn(each.toLowerCase()))
  );
}

/** A yes or a no: half of all other values have the same. */
const KIND = /^(?:true|false|True|False|null|None|nil|undefined)$/;
const MANY_NUMBERS = 4;

type Result = "new" | "as-before" | "kept" | "nothing" | "refused";

/** What says that nobody knows: as honest as anything else, and no answer. */
const NOTHING = /^(?:undefined|null|NaN|None|nil|nan|''|""|\[\]|\{\}|\[ \]|0|-1|false|False)$/;

function asOf(
  { now, before, other }: ChangedCall["others"][number],
  ...answers: readonly ReadonlySet<string>[]
): Result {
  const isSame = before !== null && before.isError === now.isError && before.text === now.text;
  if (now.isError) return "refused";
  if (isSame) return "as-before";
  if (answers.some((each) => each.has(now.text))) return "kept";
  if (NOTHING.test(now.text)) return "nothing";
  // What comes back as it was given.
  return before === null && contentOf(now.text) === saidOf(other) ? "nothing" : "new";
}

/** A text without its quotes. */
export function contentOf(shown: string): string {
  return /^(["'`])([\s\S]*)\1$/.exec(shown)?.[2] ?? shown;
}

function saidOf({ value }: OtherValue): string {
  return typeof value === "object" ? JSON.stringify(value).replaceAll(/\{"[ltd]":|\}/g, "") : String(value);
}

function isEnough(seen: readonly { readonly other: OtherValue }[]): boolean {
  const values = new Set(seen.map(({ other }) => `${JSON.stringify(other.path)} ${saidOf(other)}`));
  const ways = new Set(seen.map(({ other }) => other.how));
  return values.size >= ENOUGH_OTHERS && ways.size >= ENOUGH_WAYS;
}
