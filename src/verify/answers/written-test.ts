import { Code } from "../faults/code.ts";
import type { Token } from "../faults/tokens.ts";
import { contentOf, hasValue, placeOf } from "./literals.ts";
import { TestLines } from "./test-lines.ts";

/** A value that is written in a test: its place in the text, without quotes. */
export interface WrittenInput {
  readonly from: number;
  readonly to: number;
  readonly content: string;
}

/** A statement, from its first token to its last. */
interface Range {
  readonly first: number;
  readonly last: number;
}

export interface Literal {
  readonly index: number;
  readonly line: number;
  /** How many calls are around it. */
  readonly depth: number;
  readonly written: WrittenInput;
}

/** A list of words: `qw(a b)`, `%w[a b]`. */
const WORDS = /^(?:qw\s*|%[wWi])[^\w\s]/;

/** A function or a macro that a test file has for itself. */
const HELPERS =
  /(?:\bfunction\s+|\bdef\s+|\bfunc\s+|\bfn\s+|\bsub\s+|#\s*define\s+|\b(?:void|int|bool)\s+|\bconst\s+)([A-Za-z_]\w*)\s*(?:\(|=\s*\()|^([A-Za-z_]\w*)\(\)\s*\{/gm;

/** A test as it is written: its statements, its values, and the calls around them. */
export class WrittenTest {
  readonly lines: TestLines;
  readonly #code: Code;
  readonly #helpers: ReadonlySet<string>;
  /** By line, its first token. A large test is asked about each of its lines. */
  readonly #firstOn = new Map<number, number>();
  /** Every value, in the order of the text. */
  readonly #literals: readonly Literal[];
  readonly #inSetup = new Map<string, boolean>();

  private constructor(code: Code) {
    this.#code = code;
    this.lines = new TestLines(code.text);
    this.#helpers = new Set([...code.text.matchAll(HELPERS)].map(([, one, other]) => one ?? other ?? ""));
    for (const [index, { line }] of code.tokens.entries())
      if (!this.#firstOn.has(line)) this.#firstOn.set(line, index);
    this.#literals = code.tokens.flatMap((_, index) => this.#literalAt(index));
  }

  /** null: its language isn't known. */
  static of(path: string, text: string): WrittenTest | null {
    const code = Code.of(path, text);
    return code === null ? null : new WrittenTest(code);
  }

  /** The lines with code on them. */
  get filled(): ReadonlySet<number> {
    return new Set(this.#firstOn.keys());
  }

  lineOf(index: number): number | null {
    return this.#code.at(index)?.line ?? null;
  }

  rangeAt(line: number): Range | null {
    const { tokens } = this.#code;
    let first = this.#firstOn.get(line);
    if (first === undefined) return null;
    for (;;) {
      const opener = tokens[first]?.opener ?? -1;
      if (opener === -1 || this.#isBlock(opener) || this.#isInFunction(first, opener)) break;
      first = this.#code.startOfLine(opener);
    }
    let end = line;
    let last = first;
    for (let index = first; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token === undefined) break;
      if (token.line > end && !(token.isFirst && /^(?:\.|->|\|>)/.test(token.text))) break;
      end = Math.max(end, token.line);
      last = index;
      const closer = token.type === "open" ? this.#code.closerOf(index) : null;
      if (closer !== null && !this.#isBlock(index) && !this.#hasBlock(index, closer))
        end = Math.max(end, this.#code.at(closer)?.line ?? end);
    }
    return { first, last };
  }

  /** `it("…", function()`, which has an end and no braces: what begins on a line of its own there is a statement. */
  #isInFunction(first: number, opener: number): boolean {
    const line = this.#code.at(first)?.line ?? 0;
    return this.#code.tokens
      .slice(opener + 1, first)
      .some((token) => token.text === "function" && token.opener === opener && token.line < line);
  }

  /** Braces with statements in them, and not a value. */
  #isBlock(opener: number): boolean {
    const bracket = this.#code.at(opener);
    const before = this.#code.at(opener - 1);
    if (bracket?.text !== "{" || before === null) return bracket?.text === "{";
    const isTyped = !bracket.isSpaced && (before.type === "word" || before.text === "]");
    return !isTyped && !/^(?:[(,[{=:?]|return|=>\()$/.test(before.text);
  }

  #hasBlock(opener: number, closer: number): boolean {
    for (let index = opener + 1; index < closer; index += 1) if (this.#isBlock(index)) return true;
    return false;
  }

  literalsIn({ first, last }: Range): readonly Literal[] {
    return this.#literalsWith(({ index }) => index, first, last);
  }

  /** The values on some lines. */
  literalsBetween(first: number, last: number): readonly Literal[] {
    return this.#literalsWith(({ line }) => line, first, last);
  }

  /** Places and lines grow together. */
  #literalsWith(numberOf: (literal: Literal) => number, first: number, last: number): readonly Literal[] {
    const literals = this.#literals;
    let [from, to] = [0, literals.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const each = literals[middle];
      if (each !== undefined && numberOf(each) < first) from = middle + 1;
      else to = middle;
    }
    let end = from;
    for (let each = literals[end]; each !== undefined && numberOf(each) <= last; each = literals[end])
      end += 1;
    return literals.slice(from, end);
  }

  #literalAt(index: number): readonly Literal[] {
    const token = this.#code.at(index);
    if (token !== null && WORDS.test(token.text)) return this.#wordsOf(token, index);
    const content = token === null ? null : contentOf(token);
    if (token === null || content === null || content === "") return [];
    const place = placeOf(token.text, content);
    if (place === null) return [];
    const written = { from: token.start + place.from, to: token.start + place.to, content };
    return [{ index, line: token.line, depth: this.#calleesOf(index).length, written }];
  }

  #wordsOf(token: Token, index: number): readonly Literal[] {
    const depth = this.#calleesOf(index).length;
    const inside = token.text.replace(WORDS, (opening) => " ".repeat(opening.length)).slice(0, -1);
    return [...inside.matchAll(/\S+/g)].map(({ 0: content, index: at }) => {
      const line = token.line + (inside.slice(0, at).match(/\n/g)?.length ?? 0);
      const from = token.start + at;
      return { index, line, depth, written: { from, to: from + content.length, content } };
    });
  }

  /** Whether it goes to something of the work: in a call, or, in a shell, on its line. */
  isGiven(index: number, names: ReadonlySet<string>): boolean {
    if (this.#code.language.condition === "command") {
      const { line = 0 } = this.#code.at(index) ?? {};
      return this.#code.tokens.some(
        (token) =>
          token.line === line &&
          token.type === "word" &&
          token.text.split(/\W+/).some((word) => names.has(word)),
      );
    }
    const before = this.#code.at(index - 1);
    const called = before?.type === "word" ? [before.text] : [];
    return [...called, ...this.#calleesOf(index)].some((word) => names.has(word.replace(/^\W+/, "")));
  }

  /** `const text = "a b"`, above `slug(text)`. */
  isPassedOn(index: number, { first, last }: Range, names: ReadonlySet<string>): boolean {
    const assigned = this.#code.tokens.slice(this.#code.startOfLine(index), index);
    const at = assigned.findIndex(({ text }) => /^:?=$/.test(text));
    const name = assigned[at - 1]?.text;
    if (name === undefined) return false;
    return this.#code.tokens
      .slice(first, last + 1)
      .some(
        ({ text }, from) => text === name && this.#calleesOf(first + from).some((word) => names.has(word)),
      );
  }

  /** The names of the calls around it, from within. */
  #calleesOf(index: number): readonly string[] {
    const callees: string[] = [];
    let opener = this.#code.at(index)?.opener ?? -1;
    while (opener !== -1 && !this.#isBlock(opener)) {
      const before = this.#code.at(opener - 1);
      if (this.#code.at(opener)?.text === "(" && before?.type === "word") callees.push(before.text);
      opener = this.#code.at(opener)?.opener ?? -1;
    }
    return callees;
  }

  /** What a test is called: the function that it is stands beside it. */
  isTitle(index: number): boolean {
    const opener = this.#code.at(index)?.opener ?? -1;
    const closer = opener === -1 ? null : this.#code.closerOf(opener);
    if (closer === null) return false;
    return this.#code.tokens
      .slice(index, closer)
      .some(
        (token) => token.opener === opener && /^(?:=>|->|function|func|do|lambda|async)$/.test(token.text),
      );
  }

  /** A call of a function of the test's own, which does all the rest. */
  callsHelper({ first, last }: Range): boolean {
    return this.#code.tokens
      .slice(first, last + 1)
      .some(
        ({ type, text }, at) =>
          type === "word" && this.#helpers.has(text) && this.#code.at(first + at + 1)?.text === "(",
      );
  }

  /** Whether a longer value, which the test begins with, has it: a row to look up, an address with a number in it. */
  isInSetup(content: string): boolean {
    const known = this.#inSetup.get(content);
    if (known !== undefined) return known;
    const own = new Set(
      this.#literals.flatMap(({ line, written }) => (written.content === content ? [line] : [])),
    );
    const isIn = this.#literals.some(({ index, line, written: { content: other } }) => {
      // What is expected of a row may be made of what the row gives.
      if (other === content || own.has(line) || !hasValue(other, content)) return false;
      return !this.lines.asserts(line) && !this.lines.setsUp(line) && !this.isTitle(index);
    });
    this.#inSetup.set(content, isIn);
    return isIn;
  }
}

/** The text with other values in these places. */
export function withValues(
  text: string,
  values: readonly { readonly place: WrittenInput; readonly value: string }[],
): string {
  let result = text;
  for (const { place, value } of values.toSorted((a, b) => b.place.from - a.place.from))
    result = result.slice(0, place.from) + value + result.slice(place.to);
  return result;
}
