import type { GivenAnswer } from "./given-answer.ts";
import { isNumber, rarityOf } from "./literals.ts";
import { isOrdinary } from "./neighbours.ts";
import { WrittenTest, type Literal, type WrittenInput } from "./written-test.ts";

/** What the work is given, and everywhere else where the test has the same: what it looks up it may have stored before. */
export interface TestedInput extends WrittenInput {
  readonly twins: readonly WrittenInput[];
}

/** An assertion of a test: what the work is given, and a value that is expected of it. */
export interface TestedStatement {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly inputs: readonly TestedInput[];
  /** One value, wherever the test has it beside its inputs. */
  readonly expected: { readonly content: string; readonly places: readonly WrittenInput[] };
  /** The inputs are given to the work in a call; else they may not reach it. */
  readonly isSure: boolean;
}

export function givenAnswer({ inputs, expected }: TestedStatement): GivenAnswer {
  return { given: inputs.map(({ content }) => content), answer: expected.content };
}

export interface StatementOptions {
  /** What the work calls its functions. */
  readonly names: ReadonlySet<string>;
  /** Whether a failure shows a value. */
  readonly isShown: (content: string) => boolean;
  /** Whether a value says nothing: the source has it as a limit, or as a case of its own. */
  readonly isExcused: (content: string) => boolean;
  /** The inputs of rows that are chosen already, by their places. */
  readonly taken?: ReadonlySet<number>;
}

const MOST_ROWS = 2_000;
/** A line with more values is a list, of which a failure shows what it is about. */
const MOST_IN_ROW = 6;

/** A test, read for what it gives to the work. */
export class TestCode {
  readonly #path: string;
  readonly #test: WrittenTest;
  /** Where it has a value, by the value. */
  readonly #places = new Map<string, WrittenInput[]>();

  private constructor(path: string, test: WrittenTest) {
    this.#path = path;
    this.#test = test;
    for (const { written } of test.literalsBetween(1, Number.POSITIVE_INFINITY)) {
      const places = this.#places.get(written.content) ?? [];
      places.push(written);
      this.#places.set(written.content, places);
    }
  }

  static of(path: string, text: string): TestCode | null {
    const test = WrittenTest.of(path, text);
    return test === null ? null : new TestCode(path, test);
  }

  /** The lines that give the work something and compare, up to so many. */
  assertions(options: StatementOptions, most: number): readonly TestedStatement[] {
    const found: TestedStatement[] = [];
    let tried = 0;
    for (const line of this.#test.filled) {
      if (!this.#test.lines.asserts(line)) continue;
      tried += 1;
      if (tried > most) break;
      const statement = this.statementAt(line, options);
      if (statement !== null && found.at(-1)?.inputs[0]?.from !== statement.inputs[0]?.from)
        found.push(statement);
    }
    return found;
  }

  /**
   * Rows with what a failure shows, wherever a test takes them from: a data provider, a list of words. `isExpected`: whether a value
   * is shown as what was expected.
   */
  shownRows(
    options: StatementOptions & { readonly isExpected: (content: string) => boolean },
  ): readonly TestedStatement[] {
    const rows = new Map<number, Literal[]>();
    for (const each of this.#test.literalsBetween(1, Number.POSITIVE_INFINITY))
      if (!this.#test.isTitle(each.index)) rows.set(each.line, [...(rows.get(each.line) ?? []), each]);
    const isShown = ({ written: { content } }: Literal): boolean =>
      content.length > 1 && isTelling(content) && options.isShown(content);
    const isWhole = (row: readonly Literal[]): boolean =>
      row.length > 1 &&
      row.every(
        (each) => isShown(each) || !(isTelling(each.written.content) && each.written.content.length > 1),
      );
    const all = [...rows].slice(0, MOST_ROWS);
    // A failure that shows all of a row is about that one, and not about another with the same word.
    const whole = all.filter(([, row]) => row.some(isShown) && isWhole(row));
    return (whole.length > 0 ? whole : all).flatMap(([line, row]) => {
      const isAlone = ({ written }: Literal): boolean =>
        row.filter((each) => each.written.content === written.content).length === 1;
      const shown = row.length < 2 ? [] : row.filter(isShown);
      const candidates = shown.filter(isAlone);
      const expected =
        candidates.findLast(({ written }) => options.isExpected(written.content)) ?? candidates.at(-1);
      if (expected === undefined) return [];
      if (shown.length < 2 && rarityOf(expected.written.content) < 2) return [];
      const others = row.filter((each) => each !== expected && !options.isExcused(each.written.content));
      const inputs = this.#tested(others.length > MOST_IN_ROW ? others.filter(isShown) : others);
      const { content } = expected.written;
      return inputs.length === 0
        ? []
        : [
            {
              path: this.#path,
              line,
              inputs,
              expected: { content, places: [expected.written] },
              isSure: false,
            },
          ];
    });
  }

  /** The statement on a line; null: it isn't clear what it gives to the work, or expects of it. */
  statementAt(line: number, options: StatementOptions): TestedStatement | null {
    const range = this.#test.lines.isTitle(line) ? null : this.#test.rangeAt(line);
    if (range === null) return null;
    const literals = this.#test.literalsIn(range);
    const own = literals.filter(({ index }) => this.#test.isGiven(index, options.names));
    const usable = own.filter(({ written }) => !options.isExcused(written.content));
    if (own.length > 0) return this.#statement(line, usable, minus(literals, own), { isSure: true }, options);
    if (this.#test.callsHelper(range)) return this.#rowFor(line, literals, options);
    const [above, isTable] = this.#above(range.first);
    if (isTable) return this.#rowFor(line, above, options);
    const given = above.filter(
      ({ index }) =>
        this.#test.isGiven(index, options.names) || this.#test.isPassedOn(index, range, options.names),
    );
    const feeding = (given.length > 0 ? given : above).filter(
      ({ written }) => !options.isExcused(written.content),
    );
    return this.#statement(line, feeding, literals, { isSure: given.length > 0 }, options);
  }

  #statement(
    line: number,
    inputs: readonly Literal[],
    others: readonly Literal[],
    { isSure }: { readonly isSure: boolean },
    { isShown }: StatementOptions,
  ): TestedStatement | null {
    const ordinary = this.#tested(inputs);
    const candidates = others.filter(
      ({ index, written: { content } }) =>
        !this.#test.isTitle(index) &&
        isShown(content) &&
        isTelling(content) &&
        !inputs.some(({ written }) => written.content === content),
    );
    const lowest = Math.min(...candidates.map(({ depth }) => depth));
    const content = candidates.find(({ depth }) => depth === lowest)?.written.content;
    if (ordinary.length === 0 || content === undefined) return null;
    return {
      path: this.#path,
      line,
      inputs: ordinary,
      expected: this.#expected(content, line, ordinary),
      isSure,
    };
  }

  #tested(inputs: readonly Literal[]): readonly TestedInput[] {
    return inputs
      .map(({ written }) => written)
      .filter(({ content }) => isOrdinary(content) && !this.#test.isInSetup(content))
      .map((written) => ({
        ...written,
        twins: (this.#places.get(written.content) ?? []).filter(({ from }) => from !== written.from),
      }));
  }

  /** A test may compare with a value, and then say it once more in a message. */
  #expected(content: string, line: number, inputs: readonly WrittenInput[]): TestedStatement["expected"] {
    const start = this.#test.lines.blockAround(line);
    const end = this.#test.lineOf(this.#test.rangeAt(line)?.last ?? 0) ?? line;
    const places = this.#test
      .literalsBetween(start, end)
      .map(({ written }) => written)
      .filter((each) => each.content === content && !inputs.some(({ from }) => from === each.from));
    return { content, places };
  }

  /** The row of a table that a failure shows. */
  #rowFor(line: number, above: readonly Literal[], options: StatementOptions): TestedStatement | null {
    const rows = new Map<number, Literal[]>();
    for (const each of above) rows.set(each.line, [...(rows.get(each.line) ?? []), each]);
    const shown = (row: readonly Literal[]): number =>
      new Set(row.map(({ written }) => written.content).filter(options.isShown)).size;
    for (const row of [...rows.values()].toSorted((one, other) => shown(other) - shown(one))) {
      const last = row.at(-1);
      if (row.length < 2 || last === undefined) continue;
      const { content } = last.written;
      if (content.length < 2 || !options.isShown(content) || !isTelling(content)) continue;
      const inputs = this.#tested(
        row.slice(0, -1).filter(({ written }) => !options.isExcused(written.content)),
      );
      if (inputs.length === 0 || options.taken?.has(inputs[0]?.from ?? -1) === true) continue;
      return { path: this.#path, line, inputs, expected: { content, places: [last.written] }, isSure: true };
    }
    return null;
  }

  /** What is written above a statement in its block, but not in other assertions; and whether it is gone through row by row. */
  #above(first: number): readonly [literals: readonly Literal[], isTable: boolean] {
    const { lines } = this.#test;
    const end = this.#test.lineOf(first) ?? 1;
    const start = lines.blockAround(end);
    const isTable = lines.repeats(start, end);
    const literals = this.#test
      .literalsBetween(start, end - 1)
      .filter(({ line }) => !lines.setsUp(line) && (isTable || !lines.asserts(line)));
    return [literals, isTable];
  }
}

function minus(all: readonly Literal[], some: readonly Literal[]): readonly Literal[] {
  return all.filter((each) => !some.includes(each));
}

/** Whether a value is none that many functions give. */
function isTelling(content: string): boolean {
  return isNumber(content) ? Number(content) >= 2 : (content.match(/[\p{L}\p{N}]/gu)?.length ?? 0) > 1;
}
