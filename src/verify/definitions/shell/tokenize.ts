import { quoted as inQuotes } from "../../../system/text/plain-text.ts";
export type Operator = "&&" | "||" | ";" | "|" | "&" | "(" | ")";

type Token =
  | {
      readonly type: "word";
      readonly text: string;
      /** The command lines in `$(…)` and in backquotes. */
      readonly inner: readonly string[];
      readonly quoted: boolean;
    }
  | { readonly type: "operator"; readonly text: Operator };

const LONGEST_LINE = 64 * 1024;
const OPERATOR = /&&|\|\||;;|\|&|[;|&()\n]/y;
const REDIRECTION = /(?:&>>?|<<<|<<-?|[<>]&|>>|>\||<>|[<>])/y;
const BLANK = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;

/** Simple shell text as tokens. Best effort: only to know what a line calls; it never runs. */
export function tokenize(source: string): readonly Token[] {
  const text = source.slice(0, LONGEST_LINE);
  const tokens: Token[] = [];
  const hereDocuments: string[] = [];
  let redirection: string | null = null;
  let at = 0;
  while (at < text.length) {
    const skipped = matchAt(BLANK, text, at) ?? matchAt(COMMENT, text, at);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const arrow = matchAt(REDIRECTION, text, at);
    if (arrow !== null && !/^[<>]\(/.test(text.slice(at, at + 2))) {
      dropDescriptor(tokens, text, at);
      redirection = arrow;
      at += arrow.length;
      continue;
    }
    const operator = matchAt(OPERATOR, text, at);
    if (operator !== null) {
      at += operator.length;
      redirection = null;
      tokens.push({ type: "operator", text: joined(operator) });
      if (operator === "\n") at = afterHereDocuments(text, at, hereDocuments.splice(0));
      continue;
    }
    const word = readWord(text, at);
    at = word.end;
    if (redirection === null) tokens.push({ type: "word", ...word.word });
    else if (redirection.startsWith("<<") && redirection !== "<<<") hereDocuments.push(word.word.text);
    redirection = null;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function joined(operator: string): Operator {
  if (operator === "\n" || operator === ";;") return ";";
  return operator === "|&" ? "|" : (operator as Operator);
}

/** The `2` of `2>&1` isn't a word. */
function dropDescriptor(tokens: Token[], text: string, at: number): void {
  const last = tokens.at(-1);
  if (last?.type === "word" && /^\d$/.test(last.text) && text[at - 1] === last.text) tokens.pop();
}

function afterHereDocuments(text: string, from: number, ends: readonly string[]): number {
  let at = from;
  for (const end of ends) {
    while (at < text.length) {
      const next = text.indexOf("\n", at);
      const line = text.slice(at, next === -1 ? text.length : next);
      at = next === -1 ? text.length : next + 1;
      if (line.trim() === end) break;
    }
  }
  return at;
}

interface ReadWord {
  readonly word: Omit<Extract<Token, { type: "word" }>, "type">;
  readonly end: number;
}

function readWord(text: string, from: number): ReadWord {
  const inner: string[] = [];
  let quoted = false;
  let word = "";
  let at = from;
  let quote: '"' | null = null;
  while (at < text.length) {
    const mark = text[at] ?? "";
    if (quote === null && /[\s;|&()<>]/.test(mark) && at > from) break;
    if (mark === "'" && quote === null) {
      const end = closing(text, at + 1, "'");
      word += text.slice(at + 1, end);
      quoted = true;
      at = end + 1;
    } else if (mark === '"') {
      quote = quote === null ? '"' : null;
      quoted = true;
      at += 1;
    } else if (mark === "\\") {
      word += text[at + 1] === "\n" ? "" : (text[at + 1] ?? "");
      at += 2;
    } else if (/^(?:[$<>]\()/.test(text.slice(at, at + 2)) || mark === "`") {
      const end = mark === "`" ? closing(text, at + 1, "`") : closingParenthesis(text, at + 2);
      inner.push(text.slice(at + (mark === "`" ? 1 : 2), end));
      word += text.slice(at, end + 1);
      at = end + 1;
    } else {
      word += mark;
      at += 1;
    }
  }
  return { word: { text: word, inner, quoted }, end: Math.max(at, from + 1) };
}

function closing(text: string, from: number, mark: string): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
}

function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "'") at = closing(text, at + 1, "'");
    else if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && (depth -= 1) === 0) return at;
  }
  return text.length;
}

/** A word as a shell reads it back; a pattern stays one. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) ? word : inQuotes(word);
}
