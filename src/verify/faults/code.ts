import type { Language } from "./language.ts";
import { languageOf } from "./languages.ts";
import { tokensOf, type Token } from "./tokens.ts";

/** What surrounds a piece of code. */
export interface Surroundings {
  /** The innermost function, if any: its header. */
  readonly header: readonly Token[] | null;
  /** The outermost one, by its place; null: outside of all functions. */
  readonly owner: number | null;
  /** A loop whose end depends on what is done in it. */
  readonly isOpenLoop: boolean;
  readonly isTest: boolean;
  /** Types, which nothing executes. */
  readonly isDeclaration: boolean;
}

const NOTHING: Surroundings = {
  header: null,
  owner: null,
  isOpenLoop: false,
  isTest: false,
  isDeclaration: false,
};

const FUNCTION_WORDS = new Set([
  "function",
  "def",
  "defp",
  "fn",
  "func",
  "fun",
  "sub",
  "lambda",
  "constructor",
]);
const CONTROL =
  /^(?:if|else|elif|elsif|elseif|for|foreach|while|until|switch|match|case|when|catch|except|with|do|try|finally|loop|select|synchronized|using|lock|unless|guard|unsafe|repeat|then)$/;
const TYPES = /^(?:interface|enum|type|declare)$/;
const OPEN_LOOPS = /^(?:while|until|loop|do|repeat)$/;

/** A text as code: its tokens, and what is around each of them. */
export class Code {
  readonly language: Language;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly #around: readonly Surroundings[];
  readonly #closers = new Map<number, number>();
  readonly #openers = new Map<number, number>();

  private constructor(text: string, language: Language) {
    this.language = language;
    this.text = text;
    this.tokens = tokensOf(text, language);
    const open: number[] = [];
    for (const [index, { type }] of this.tokens.entries()) {
      if (type === "open") open.push(index);
      const opener = type === "close" ? open.pop() : undefined;
      if (opener === undefined) continue;
      this.#closers.set(opener, index);
      this.#openers.set(index, opener);
    }
    this.#around = language.blocks === "braces" ? this.#byBraces() : this.#byIndentation();
  }

  /** null: the language isn't known. */
  static of(path: string, text: string): Code | null {
    const language = languageOf(path, text);
    return language === null ? null : new Code(text, language);
  }

  at(index: number): Token | null {
    return this.tokens[index] ?? null;
  }

  /** The bracket that closes one; null: none does. */
  closerOf(opener: number): number | null {
    return this.#closers.get(opener) ?? null;
  }

  /** The bracket that one closes; null: it is none, or it closes none. */
  openerOf(closer: number): number | null {
    return this.#openers.get(closer) ?? null;
  }

  textOf(from: number, to: number): string {
    return this.text.slice(this.tokens[from]?.start ?? 0, this.tokens[to]?.end ?? 0);
  }

  isLastOfLine(index: number): boolean {
    return this.at(index + 1)?.isFirst !== false;
  }

  /** The first token on the line of another. */
  startOfLine(index: number): number {
    let start = index;
    while (start > 0 && this.at(start)?.isFirst === false) start -= 1;
    return start;
  }

  surroundingsOf(index: number): Surroundings {
    return this.#around[index] ?? NOTHING;
  }

  #byBraces(): readonly Surroundings[] {
    const around: Surroundings[] = [];
    const ofOpener = new Map<number, Surroundings>();
    for (const [index, { opener, type, text }] of this.tokens.entries()) {
      const outer = ofOpener.get(opener) ?? NOTHING;
      around.push(outer);
      if (type !== "open") continue;
      ofOpener.set(index, text === "{" ? this.#inside(this.#headerBefore(index), index, outer) : outer);
    }
    return around;
  }

  /** What comes before a brace, since the last statement. */
  #headerBefore(brace: number): readonly Token[] {
    const { opener } = this.tokens[brace] as Token;
    let start = brace;
    while (start - 1 > opener && brace - start < LONGEST_HEADER) {
      const before = this.tokens[start - 1] as Token;
      if (before.opener === opener && /^[;{}]$/.test(before.text)) break;
      start -= 1;
      const isNewLine = before.isFirst && before.opener === opener && before.type !== "close";
      if (this.language.endsWithLine && isNewLine) break;
    }
    return this.tokens.slice(start, brace);
  }

  #byIndentation(): readonly Surroundings[] {
    const around: Surroundings[] = [];
    const open: { readonly indent: number; readonly inside: Surroundings }[] = [];
    for (let index = 0; index < this.tokens.length;) {
      let end = index + 1;
      while (end < this.tokens.length && this.tokens[end]?.isFirst === false) end += 1;
      const first = this.tokens[index] as Token;
      const indent = first.start - (this.text.lastIndexOf("\n", first.start - 1) + 1);
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
      const outer = open.at(-1)?.inside ?? NOTHING;
      // `):` ends a header that began lines before.
      const start = first.type === "close" ? this.startOfLine(this.#openers.get(index) ?? index) : index;
      const header = this.tokens.slice(start, Math.min(end, start + LONGEST_HEADER));
      for (let each = index; each < end; each += 1) around.push(outer);
      open.push({ indent, inside: this.#inside(header, start, outer) });
      index = end;
    }
    return around;
  }

  #inside(header: readonly Token[], place: number, outer: Surroundings): Surroundings {
    const words = header.map(({ text }) => text);
    const isTest = outer.isTest || isTestHeader(header, words);
    if (isFunction(words, this.language))
      return { header, owner: outer.owner ?? place, isOpenLoop: false, isDeclaration: false, isTest };
    return {
      ...outer,
      isTest,
      isOpenLoop: outer.isOpenLoop || isOpenLoopHeader(words),
      isDeclaration: outer.isDeclaration || words.slice(0, 3).some((word) => TYPES.test(word)),
    };
  }
}

const LONGEST_HEADER = 200;

function isFunction(words: readonly string[], { blocks }: Language): boolean {
  if (words.some((word) => FUNCTION_WORDS.has(word)) || words.at(-1) === "=>") return true;
  if (blocks === "indentation") return words.slice(1, 4).join("") === "(){";
  const first = words.find((word) => /^\w/.test(word)) ?? "";
  const hasParameters = /^[\w$]/.test(words[words.indexOf("(") - 1] ?? "");
  return hasParameters && !CONTROL.test(first) && !/^(?:class|struct|object|return)$/.test(first);
}

function isTestHeader(header: readonly Token[], words: readonly string[]): boolean {
  if (header[0]?.isTest === true) return true;
  const line = words.join(" ");
  return (
    /^mod tests?$/.test(line) ||
    /\bimport \. meta \. vitest\b/.test(line) ||
    /^(?:async )?def test_|^class Test[A-Z_]/.test(line) ||
    /^func (?:Test|Benchmark|Fuzz)/.test(line) ||
    /^(?:TEST\w*|SCENARIO\w*|BOOST_AUTO_TEST_CASE) \(/.test(line) ||
    /^(?:describe|context|it|test|specify) (?:\( )?["'`]/.test(line)
  );
}

function isOpenLoopHeader(words: readonly string[]): boolean {
  const [first = ""] = words[0] === "}" ? words.slice(1) : words;
  // A shell's `while read -r line` ends with what it reads.
  if (words.includes("read") && !words.includes("(")) return false;
  if (OPEN_LOOPS.test(first)) return true;
  const isCounted =
    words.includes("range") || words.includes("in") || words.includes("of") || words.includes(":");
  return first === "for" && !isCounted && words.filter((word) => word === ";").length < 2;
}
