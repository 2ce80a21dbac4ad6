import type { Language } from "./language.ts";
import { endOfHeredoc } from "./literals-and-comments.ts";

export interface Token {
  readonly type: "word" | "number" | "text" | "character" | "opaque" | "operator" | "open" | "close";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where something may be written into a literal. */
  readonly inside: number;
  /** From 1. */
  readonly line: number;
  readonly isFirst: boolean;
  readonly isSpaced: boolean;
  /** The bracket that it is in, by its index; -1: none. An opening bracket is in the one around it, and so is its closing one. */
  readonly opener: number;
  /** An attribute in front of it marks a test. */
  readonly isTest: boolean;
}

const NUMBER = /\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?\w*/y;
const OPERATOR =
  /===|!==|<=>|\.\.\.|\.\.=|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|<<<|==|!=|<=|>=|&&|\|\||=>|->|<-|<<|>>|\+\+|--|\+=|-=|\*=|\/=|%=|\|=|&=|\^=|\?\?|\?\.|::|\.\.|\*\*|\/\/|:=|=~|!~|~=|<>|\|>|[^\s\w]/uy;

/** Larger files are left alone. */
const LONGEST_TEXT = 400_000;

/** The code in a text, without blanks and comments. */
export function tokensOf(text: string, language: Language): readonly Token[] {
  if (text.length > LONGEST_TEXT) return [];
  const tokens: Token[] = [];
  const openers: number[] = [];
  let line = 1;
  let at = 0;
  let isFirst = true;
  let isTest = false;
  const heredocs: string[] = [];
  const skipTo = (end: number): void => {
    for (; at < end; at += 1) if (text[at] === "\n") line += 1;
  };
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  const add = (type: Token["type"], end: number, inside = end): void => {
    const isSpaced = at > 0 && /\s/.test(text.charAt(at - 1));
    const piece = text.slice(at, end);
    if (type === "close") openers.pop();
    const opener = openers.at(-1) ?? -1;
    tokens.push({ type, text: piece, start: at, end, inside, line, isFirst, isSpaced, opener, isTest });
    if (type === "open") openers.push(tokens.length - 1);
    isFirst = false;
    isTest = false;
    for (const letter of piece) if (letter === "\n") line += 1;
    at = end;
  };
  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === "\n") {
      skipTo(at + 1);
      isFirst = true;
      for (const word of heredocs.splice(0)) skipTo(endOfHeredoc(text, at, word));
      continue;
    }
    if (/\s/.test(letter)) {
      at += 1;
      continue;
    }
    const spot = { text, at, before: tokens.at(-1)?.text ?? "", isFirst };
    let piece = null;
    for (const find of language.pieces) if ((piece ??= find(spot)) !== null) break;
    if (piece !== null) {
      if (piece.type === "comment" || piece.type === "test") {
        isTest ||= piece.type === "test";
        skipTo(piece.end);
      } else add(piece.type, piece.end, piece.inside);
      continue;
    }
    const heredoc = language.heredoc?.exec(text.slice(at, at + 80));
    if (heredoc?.[1] !== undefined) {
      heredocs.push(heredoc[1]);
      add("opaque", at + heredoc[0].length);
      continue;
    }
    const word = take(language.word);
    const number = word === null ? take(NUMBER) : null;
    if (word !== null) add("word", at + word.length);
    else if (number !== null) add("number", at + number.length);
    else if (/[([{]/.test(letter)) add("open", at + 1);
    else if (/[)\]}]/.test(letter)) add("close", at + 1);
    else add("operator", at + (take(OPERATOR)?.length ?? 1));
  }
  return tokens;
}
