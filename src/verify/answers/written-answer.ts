import type { Token } from "../faults/tokens.ts";
import { EQUALS, EQUAL_CALL, isResultOfComparing, type Condition } from "./conditions.ts";
import { ARITHMETIC, MOST_TOKENS, type WrittenCode } from "./written-code.ts";

/** What a condition is answered with, if that is written out. */
export interface WrittenAnswer {
  readonly alternatives: readonly (readonly string[])[];
  readonly values: readonly string[];
}

/** Words that a written value may have around it. */
const WRAPPING =
  /^(?:return|then|do|new|Some|Ok|Just|Right|Left|list|List|vec|Vec|String|str|string|std|to_string|to_owned|into|from|of|c|quote|tuple|Array|array|Arrays|asList|i\d+|u\d+|f\d+|print\w*|echo|puts|put|say|write\w*|format|strcpy|it|ok|pure|box|Box|toList|Tuple|struct|map)$/;
const ENDS_CASE = /^(?:;|else|elif|elsif|elseif|case|when|\||end|default|otherwise|fi|_)$/;
const ANSWERS = /^(?:\?|->|=>|then|return|:|do|echo|printf?|puts)$/;
/** How many lines behind a condition its answer may be. */
const FARTHEST = 4;

/** null: nothing is answered, or something is computed for it. */
export function answerTo(
  code: WrittenCode,
  at: number,
  { alternatives, end }: Condition,
): WrittenAnswer | null {
  const leading = leadingValue(code, at);
  if (leading !== null) return { alternatives, values: leading };
  return new AnswerReader(code, at, end + 1, alternatives).read();
}

/** `return 5 if x == "a b"`: what is answered comes first. */
function leadingValue(code: WrittenCode, at: number): readonly string[] | null {
  const start = code.code.startOfLine(at);
  for (let index = at - 1; index > start && !code.is(index, /^[;{}]$/); index -= 1) {
    if (!code.is(index, /^(?:if|unless)$/)) continue;
    let first = index;
    while (first > start && !code.is(first - 1, /^(?:return|=|;|\{|->)$/)) first -= 1;
    const value = code.value(first);
    return value !== null && value.end === index - 1 ? value.contents : null;
  }
  return null;
}

/** Goes on behind the first value of a condition: through the rest of it, and through its answer. */
class AnswerReader {
  readonly #code: WrittenCode;
  readonly #at: number;
  readonly #from: number;
  readonly #alternatives: string[][];
  readonly #values: string[] = [];
  #isAnswer: boolean;

  constructor(code: WrittenCode, at: number, from: number, given: Condition["alternatives"]) {
    this.#code = code;
    this.#at = at;
    this.#from = from;
    this.#alternatives = given.map((each) => [...each]);
    this.#isAnswer = code.is(from, /^(?:=|,|\{)$/);
  }

  read(): WrittenAnswer | null {
    const stop = Math.min(this.#from + MOST_TOKENS, this.#code.code.tokens.length);
    for (let index = this.#from; index < stop; index += 1) {
      const token = this.#code.at(index) as Token;
      if (this.#endsAt(index, token)) break;
      const next = this.#isAnswer ? this.#readAnswer(index, token) : this.#readCondition(index, token);
      if (next === null) return null;
      index = next;
    }
    return this.#values.length === 0 ? null : { alternatives: this.#alternatives, values: this.#values };
  }

  #endsAt(index: number, token: Token): boolean {
    const first = this.#code.at(this.#at);
    if (token.line > (first?.line ?? 0) + FARTHEST) return true;
    if (this.#isAnswer && ENDS_CASE.test(token.text)) return true;
    if (this.#values.length === 0) return false;
    const opener = this.#code.code.openerOf(index);
    return (
      token.text === ":" ||
      (token.isFirst && token.type !== "close") ||
      (token.text === "," && token.opener === first?.opener) ||
      (opener !== null && opener < this.#from)
    );
  }

  /** The last token that was read; null: this is no such case. */
  #readCondition(index: number, token: Token): number | null {
    if (EQUALS.test(token.text) || EQUAL_CALL.test(token.text)) {
      const more = this.#code.value(index + 1);
      if (more === null) return index;
      if (!isResultOfComparing(this.#code, index - 1)) this.#alternatives.at(-1)?.push(...more.contents);
      return more.end;
    }
    if (/^(?:\|\||or)$/.test(token.text)) this.#alternatives.push([]);
    if (this.#code.is(index - 1, /^&&$/) && this.#code.assignedAt(index) !== null) {
      this.#isAnswer = true;
      return this.#readAnswer(index, token);
    }
    const quoted = token.text === "'" && this.#code.is(index - 1, /^\)$/) ? this.#code.value(index) : null;
    if (quoted !== null) {
      this.#isAnswer = true;
      this.#values.push(...quoted.contents);
      return quoted.end;
    }
    const content = this.#code.contentAt(index);
    if (content === null) {
      this.#isAnswer = ANSWERS.test(token.text) || token.text === "{";
      return index;
    }
    // Without a sign in front of it, it is part of something else.
    if (!this.#code.is(index - 1, /^(?:[)\]=]|:=)$/)) return null;
    this.#isAnswer = true;
    this.#values.push(content);
    return index;
  }

  #readAnswer(index: number, token: Token): number | null {
    const content = this.#code.contentAt(index);
    const given = content ?? this.#code.assignedAt(index);
    if (given !== null) {
      this.#values.push(given);
      // A quoted one is a token of its own.
      return content === null && token.text.endsWith("=") ? index + 1 : index;
    }
    if (ANSWERS.test(token.text)) return index;
    if (token.type === "operator" && ARITHMETIC.test(token.text)) return null;
    const isNamed = token.type === "word" && !WRAPPING.test(token.text);
    return isNamed && !this.#code.is(index + 1, /^(?:=|:=|<-|:)$/) ? null : index;
  }
}
