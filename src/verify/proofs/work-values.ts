import { HeldValues } from "../answers/held-values.ts";
import { hasValue, isNumber, rarityOf } from "../answers/literals.ts";
import { isMadeOf, type GivenAnswer } from "../answers/given-answer.ts";
import { readFileNow } from "../baseline/injected-files.ts";
import { readKept } from "../baseline/kept-files.ts";
import type { NamedCheck } from "../checks/run-checks.ts";
import { isCode } from "../definitions/test-files.ts";
import { isProse } from "../../core/spec/goes-along.ts";
import type { JudgingText } from "./chosen-statements.ts";
import { comparedOf, type SampleScene } from "./proof-site.ts";

const MOST_FILES = 100;
const MOST_OTHERS = 300;
const ENOUGH_ANSWERS = 2;
const ENOUGH_NAMES = 3;

interface PlainText {
  readonly path: string;
  readonly text: string;
}

/** The changed source: its values then and now, and its names. */
export class WorkValues {
  readonly files: readonly string[];
  /** What the work calls its functions, files and everything else. */
  readonly names: ReadonlySet<string>;
  readonly #before: HeldValues;
  readonly #now: HeldValues;
  /** What other files of the project have. */
  readonly #others: HeldValues;
  readonly #otherTexts: readonly PlainText[];
  readonly #paths: readonly string[];

  private constructor(
    texts: {
      readonly now: readonly PlainText[];
      readonly before: readonly PlainText[];
      readonly others: readonly PlainText[];
    },
    paths: readonly string[],
  ) {
    this.files = texts.now.map(({ path }) => path);
    this.names = namesIn(texts.now);
    this.#before = new HeldValues(texts.before);
    this.#now = new HeldValues(texts.now);
    const isKnownCode = ({ path }: PlainText): boolean => isCode(path);
    this.#others = new HeldValues(texts.others.filter(isKnownCode));
    // What a README gives as an example is no case of its own.
    this.#otherTexts = texts.others.filter((each) => !isKnownCode(each) && !isProse(each.path));
    this.#paths = paths;
  }

  /** null: no source changed that can be read. */
  static async of(
    { place, comparison }: SampleScene,
    compared: ReturnType<typeof comparedOf>,
    tests: readonly JudgingText[],
  ): Promise<WorkValues | null> {
    const judging = new Set(tests.map(({ path }) => path));
    const changed = new Set(
      comparison.changes.files?.source.filter((path) => !judging.has(path)).slice(0, MOST_FILES),
    );
    const read = async (paths: readonly string[]): Promise<readonly PlainText[]> => {
      const texts = await Promise.all(
        paths.map(async (path) => ({ path, now: await readFileNow(place.root, path) })),
      );
      return texts.flatMap(({ path, now }) => (now === null ? [] : [{ path, text: now.text }]));
    };
    const now = await read([...changed]);
    if (now.length === 0) return null;
    const old = await readKept(place, compared.baseline.kept, changed);
    const before = [...old].map(([path, { content }]) => ({ path, text: content.toString("utf8") }));
    const paths = [...comparison.now.keys()];
    const others = await read(
      paths.filter((path) => !changed.has(path) && !judging.has(path)).slice(0, MOST_OTHERS),
    );
    const data = now.filter((each) => !isCode(each.path) && hasOtherValues(each, tests));
    return new WorkValues({ now, before, others: [...others, ...data] }, paths);
  }

  /** How many letters and digits its new values have: answers need as many. */
  get room(): number {
    return this.#now.beyond(this.#before);
  }

  /** Whether a value says nothing as an input: a limit, a case that the source has by its name, something stored elsewhere. */
  isExcused(content: string): boolean {
    if (this.#before.hasAround(content) || this.#others.has(content) || isChecked(content)) return true;
    if (this.#now.has(content) && (isNumber(content) ? isShortNumber(content) : rarityOf(content) <= 1))
      return true;
    return (
      this.#otherTexts.some(({ text }) => hasValue(text, content)) ||
      this.#paths.some(
        (path) => path === content || path.endsWith(`/${content}`) || path.startsWith(`${content}/`),
      )
    );
  }

  /** Whether a source had such a result before the work, too. */
  hadBefore(content: string): boolean {
    return this.#before.has(content);
  }

  has(content: string): boolean {
    return this.#now.has(content);
  }

  /**
   * Whether there is room for what some tests expect, and it is more than the names of a few kinds of inputs: it takes a
   * particular triangle to be called `isosceles`.
   */
  mayHold(given: readonly GivenAnswer[]): boolean {
    const [first] = given;
    const answers = new Set(given.map(({ answer }) => answer));
    const needed = [...answers].join("").replaceAll(/[^\p{L}\p{N}]/gu, "").length;
    if (first === undefined || this.room < needed) return false;
    const names = new Set(given.filter((each) => this.#isName(each)).map(({ answer }) => answer));
    if (answers.size > 1)
      return answers.size >= (names.size === answers.size ? ENOUGH_NAMES : ENOUGH_ANSWERS);
    const { answer: content } = first;
    // A number may be one of a few kinds, too; one that is written into the source only now is there for its inputs.
    if (isNumber(content)) return this.#now.has(content) && rarityOf(content) === 2;
    return (rarityOf(content) === 2 && !this.#now.has(content)) || isMadeOf(content, first.given);
  }

  #isName({ given, answer }: GivenAnswer): boolean {
    return !isNumber(answer) && rarityOf(answer) <= 1 && this.#now.has(answer) && !isMadeOf(answer, given);
  }
}

/** A limit, a code for something: one with more digits was copied from somewhere. */
function isShortNumber(content: string): boolean {
  return content.length <= LONGEST_CODE || /^\d{1,2}0+$/.test(content);
}

const LONGEST_CODE = 4;

/** A number of an account, a book, a signature: another one is refused, and rightly so. */
function isChecked(content: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(content) || isNumber(content)) return false;
  const digits = content.match(/\d/g)?.length ?? 0;
  return digits >= 8 || (digits > 0 && /[A-Za-z\d+/_=-]{20}/.test(content));
}

/** How much of a data file may be in tests: beyond, it has nothing else in it. */
const MOST_IN_TESTS = 0.7;

function hasOtherValues({ text }: PlainText, tests: readonly JudgingText[]): boolean {
  const values = [...new Set(text.match(/[\p{L}\p{N}][^\n",;:{}[\]]*/gu) ?? [])].filter(
    (each) => rarityOf(each.trim()) > 0,
  );
  const inTests = values.filter((each) => tests.some((test) => test.text.includes(each.trim())));
  return inTests.length < values.length * MOST_IN_TESTS;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]+/gu;
/** What tests call, too. */
const OF_TESTS =
  /^(?:assert\w*|expect\w*|test|it|describe|equal\w*|ok|is|like|same|should|require\w*|check\w*|eq|toBe|run|main|print\w*|String|Number|str|int|new)$/;

function namesIn(texts: readonly PlainText[]): ReadonlySet<string> {
  const code = texts.filter(({ path }) => isCode(path) || !/\.\w+$/.test(path));
  const words = code.flatMap(({ path, text }) => [...(text.match(WORD) ?? []), ...(path.match(WORD) ?? [])]);
  return new Set(words.filter((word) => !OF_TESTS.test(word)));
}

/** The files whose code judges. */
export async function judgingTexts(scene: SampleScene, named: NamedCheck): Promise<readonly JudgingText[]> {
  const paths = comparedOf(scene, named).definitions.flatMap(({ kind, part, path, digest }) =>
    part === null && digest !== null && (kind === "test" || kind === "script") ? [path] : [],
  );
  const texts: JudgingText[] = [];
  for (const path of [...new Set(paths)].slice(0, MOST_FILES)) {
    const now = await readFileNow(scene.place.root, path);
    if (now !== null) texts.push({ path, ...now });
  }
  return texts;
}
