import type { Code } from "../faults/code.ts";
import { SHELL } from "../faults/languages.ts";
import type { Token } from "../faults/tokens.ts";
import { contentOf } from "./literals.ts";

/** How many tokens one value, or what answers a condition, may have. */
export const MOST_TOKENS = 40;
/** What computes or orders, instead of naming a value. */
export const ARITHMETIC =
  /^(?:\+|\*|\/|%|\*\*|<<|>>|&|\^|<|>|<=|>=|\/\/|\.\.|\+\+|\+=|\*=|<>|\|>|div|mod|rem)$/;

/** One value, or several in brackets. */
export interface WrittenValue {
  /** Its last token. */
  readonly end: number;
  readonly contents: readonly string[];
}

/** Code, read for the values that are written in it. */
export class WrittenCode {
  readonly code: Code;

  constructor(code: Code) {
    this.code = code;
  }

  at(index: number): Token | null {
    return this.code.at(index);
  }

  is(index: number, pattern: RegExp): boolean {
    return pattern.test(this.at(index)?.text ?? "");
  }

  /** What a literal stands for; a shell's words need no quotes where it prints or compares them. null: it is none. */
  contentAt(index: number): string | null {
    const token = this.at(index);
    if (token === null) return null;
    const isWord = token.type === "word" && /^[\w./:@%+,-]*\w$/.test(token.text);
    const isBare = isWord && this.code.language === SHELL && this.is(index - 1, /^(?:echo|printf|==?)$/);
    return contentOf(token) ?? (isBare ? token.text : null);
  }

  /** What a shell's word gives a name: `out=a-b`. null: it gives none, or nothing that is written there. */
  assignedAt(index: number): string | null {
    const token = this.at(index);
    if (this.code.language !== SHELL || token?.type !== "word") return null;
    const given = /^[A-Za-z_]\w*=(.*)$/.exec(token.text)?.[1] ?? null;
    if (given !== "") return given !== null && /^[\w./:@%+,-]+$/.test(given) ? given : null;
    const next = this.at(index + 1);
    return next === null || next.isSpaced ? null : contentOf(next);
  }

  /** The end of one written value, or of brackets with nothing else in them, and what it says; null: something else begins there. */
  value(from: number): WrittenValue | null {
    let at = from;
    while (this.is(at, /^[-'&#@]$/)) at += 1;
    const token = this.at(at);
    if (token === null) return null;
    if (token.type === "open") {
      const end = this.code.closerOf(at);
      if (end === null || end - at > MOST_TOKENS) return null;
      const inside = this.code.tokens.slice(at + 1, end);
      const isPlain = inside.every(
        ({ type, text }) =>
          (type !== "word" || /^_\w*$/.test(text)) && (type !== "operator" || /^[-,;:'#|.]$|^=>$/.test(text)),
      );
      const contents = inside.map(contentOf).filter((each) => each !== null);
      return isPlain && contents.length > 0 ? { end, contents } : null;
    }
    const content = this.contentAt(at);
    return content === null ? null : { end: at, contents: [content] };
  }

  /** What is in brackets, one by one, if all of it is written there. */
  elements(open: number): readonly (readonly string[])[] {
    if (this.at(open)?.type !== "open" || this.value(open) === null) return [];
    const close = this.code.closerOf(open) ?? open;
    const found: (readonly string[])[] = [];
    for (let at = open + 1; at < close; at += 1) {
      const value = this.value(at);
      if (value === null) continue;
      found.push(value.contents);
      at = value.end;
    }
    return found;
  }
}
