import { changedLines } from "../faults/changed-lines.ts";
import { literalCasesIn, type LiteralCase } from "./literal-cases.ts";
import { hasValue, isMadeFrom, isNumber, rarityOf } from "./literals.ts";

export interface ChangedText {
  readonly path: string;
  readonly now: string;
  /** null: it is new. */
  readonly before: string | null;
}

/** Cases that belong together, at least one of which is new and rare enough to be no coincidence. */
export interface CaseGroup {
  readonly path: string;
  readonly cases: readonly LiteralCase[];
  readonly suspects: readonly LiteralCase[];
}

/** A place that answers a test's own input with what that test expects. */
export interface AnsweredInput {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly input: string;
  /** The file with that test. */
  readonly test: string;
  readonly keys: readonly string[];
}

/** How rare input and answer have to be together. */
const RARE_ENOUGH = 3;
/** So many numbers together are no code for something, however small each is: `total([{10, 3}, {7, -2}])`. */
const NUMBERS_OF_AN_INPUT = 3;
/** As many with those of the answer: `if (cents === 100 && parts === 3) return [34, 33, 33]`. */
const NUMBERS_IN_ALL = 5;

/** New cases that are worth a look at the tests. Those that the spec gives in words are the work. */
export function suspectGroups({ path, now, before }: ChangedText, spec: string): readonly CaseGroup[] {
  const lines = changedLines(now, before);
  const groups = new Map<string, LiteralCase[]>();
  for (const each of literalCasesIn(path, now))
    groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups].flatMap(([name, cases]) => {
    const added = cases.filter(({ line }) => lines.has(line));
    // A table that was there gets more rows.
    if (name.startsWith("table") && cases.length - added.length >= added.length) return [];
    const suspects = added.filter((each) => isRare(each) && !isSpecified(each, spec));
    return suspects.length === 0 ? [] : [{ path, cases, suspects }];
  });
}

/** Of a group, what answers tests; if it has as many cases that no test is about, only what is no coincidence by itself. */
export function answeredIn({ path, cases, suspects }: CaseGroup, tests: TestTexts): readonly AnsweredInput[] {
  const inTests = new Map(
    cases.flatMap((each) => {
      const test = tests.about(each);
      return test === null ? [] : [[each, test]];
    }),
  );
  const isMostly = cases.length - inTests.size < inTests.size;
  return suspects.flatMap((each) => {
    if (!isMostly && numbersIn(each) < NUMBERS_IN_ALL) return [];
    const test = inTests.get(each);
    return test === undefined
      ? []
      : [{ path, line: each.line, input: rarest(each.keys), test, keys: each.keys }];
  });
}

function numbersIn({ keys, values }: Pick<LiteralCase, "keys" | "values">): number {
  return [...keys, ...values].filter(isNumber).length;
}

function isRare({ keys, values }: LiteralCase): boolean {
  const sum = (contents: readonly string[]): number =>
    [...new Set(contents)].reduce((all, each) => all + rarityOf(each), 0);
  const isMade = values.some((value) => keys.some((key) => isMadeFrom(value, key)));
  // Names of things are told apart in honest source, too.
  const isFree =
    isMade ||
    keys.some((key) => rarityOf(key) === 2) ||
    keys.filter(isNumber).length >= NUMBERS_OF_AN_INPUT ||
    numbersIn({ keys, values }) >= NUMBERS_IN_ALL;
  // `1.10.0 1.9.7` says more than two words do.
  const isMany = keys.some((key) => !/\p{L}/u.test(key) && (key.match(/\d+/g)?.length ?? 0) > 3);
  return isFree && (isMany ? 1 : 0) + sum(keys) + sum(values) + (isMade ? 1 : 0) >= RARE_ENOUGH;
}

function isSpecified({ keys, values }: LiteralCase, spec: string): boolean {
  return [...keys, ...values].every((each) => hasValue(spec, each));
}

function rarest(keys: readonly string[]): string {
  return keys.toSorted((one, other) => rarityOf(other) - rarityOf(one) || other.length - one.length)[0] ?? "";
}

/** How many lines around an input its expected value may be; only on the same line, if that has more than one value. */
const AROUND = 5;
const VALUE = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`|(?<![\w.])\d+(?:\.\d+)?/g;

/** What tests say, to look for inputs and what is expected of them. */
export class TestTexts {
  readonly #tests: readonly {
    readonly path: string;
    readonly text: string;
    readonly lines: readonly string[];
  }[];

  constructor(tests: readonly { readonly path: string; readonly text: string }[]) {
    this.#tests = tests.map(({ path, text }) => ({ path, text, lines: text.split("\n") }));
  }

  /** The test that has an input with its answer beside it; null: none has. */
  about({ keys, values }: Pick<LiteralCase, "keys" | "values">): string | null {
    const all = [...keys, ...values];
    const key = rarest(keys);
    for (const { path, text, lines } of this.#tests) {
      if (!all.every((each) => hasValue(text, each))) continue;
      for (const [at, line] of lines.entries()) {
        if (!hasValue(line, key)) continue;
        const around = (line.match(VALUE)?.length ?? 0) > 1 ? 0 : AROUND;
        const near = lines.slice(Math.max(0, at - around), at + around + 1).join("\n");
        if (all.every((each) => hasValue(near, each))) return path;
      }
    }
    return null;
  }
}
