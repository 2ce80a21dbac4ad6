/** Where a scan is: `before` is the last token's text, empty at the start of the file. */
interface Spot {
  readonly text: string;
  readonly at: number;
  readonly before: string;
  /** Whether only blanks come before it on its line. */
  readonly isFirst: boolean;
}

/**
 * A piece of a text that is no code, and where it ends. `text`: a literal that anything may be written into at `inside`. `opaque`:
 * a literal that has to stay as it is. `test`: an attribute that marks what follows as a test.
 */
interface Piece {
  readonly type: "comment" | "text" | "character" | "opaque" | "test";
  readonly end: number;
  readonly inside?: number;
}

/** Finds a piece at a spot; null: none begins there. All of them are linear, also where an end is missing. */
export type PieceFinder = (spot: Spot) => Piece | null;

/** What has to end on its line is looked for no further than this. */
const LONGEST = 2_000;

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export function lineComment(mark: string, { afterBlank = false } = {}): PieceFinder {
  return ({ text, at }) => {
    if (!text.startsWith(mark, at)) return null;
    if (afterBlank && at > 0 && !/[\s;]/.test(text.charAt(at - 1))) return null;
    return { type: "comment", end: endOfLine(text, at) };
  };
}

export function blockComment(open: string, close: string, { nests = false } = {}): PieceFinder {
  return ({ text, at }) => {
    if (!text.startsWith(open, at)) return null;
    let depth = 1;
    let next = at + open.length;
    while (depth > 0 && next < text.length) {
      if (text.startsWith(close, next)) {
        depth -= 1;
        next += close.length;
      } else if (nests && text.startsWith(open, next)) {
        depth += 1;
        next += open.length;
      } else next += 1;
    }
    return { type: "comment", end: next };
  };
}

/** From one line to another, both whole: `=begin` and `=end`. Without `close`: to the end. */
export function lineBlock(open: string, close?: string): PieceFinder {
  return ({ text, at }) => {
    if (!text.startsWith(open, at) || (at > 0 && text[at - 1] !== "\n")) return null;
    const end = close === undefined ? -1 : text.indexOf(`\n${close}`, at);
    return { type: "comment", end: end === -1 ? text.length : endOfLine(text, end + 1) };
  };
}

/** `#include`, `#if`: a line, and those that it continues on. */
export const preprocessorLine: PieceFinder = ({ text, at, isFirst }) => {
  if (text[at] !== "#" || !isFirst) return null;
  let end = endOfLine(text, at);
  while (text[end - 1] === "\\" && end < text.length) end = endOfLine(text, end + 1);
  return { type: "comment", end };
};

const TEST_ATTRIBUTE = /^#!?\[\s*(?:cfg\s*\(\s*test\b|(?:\w+::)*(?:test|rstest|test_case|bench)\b)/;

/** `#[derive(Debug)]`. */
export const rustAttribute: PieceFinder = ({ text, at }) => {
  if (text[at] !== "#" || !/^#!?\[/.test(text.slice(at, at + 3))) return null;
  let depth = 0;
  for (let end = at; end < Math.min(text.length, at + LONGEST); end += 1) {
    if (text[end] === "[") depth += 1;
    if (text[end] === "]" && (depth -= 1) === 0)
      return { type: TEST_ATTRIBUTE.test(text.slice(at, end)) ? "test" : "comment", end: end + 1 };
  }
  return null;
};

interface Quotes {
  /** Whether it may go on in the next line. */
  readonly spans?: boolean;
  readonly escapes?: boolean;
  readonly type?: Piece["type"];
  /** What may stand in front of it: `f` or `rb` in Python. */
  readonly prefix?: RegExp;
}

export function quoted(
  quote: string,
  { spans = false, escapes = true, type = "text", prefix }: Quotes = {},
): PieceFinder {
  return ({ text, at }) => {
    const start = at + (prefix === undefined ? 0 : (prefix.exec(text.slice(at, at + 4))?.[0].length ?? 0));
    if (!text.startsWith(quote, start)) return null;
    const inside = start + quote.length;
    for (let end = inside; end < text.length; end += 1) {
      if (escapes && text[end] === "\\") end += 1;
      else if (text.startsWith(quote, end)) return { type, end: end + quote.length, inside };
      else if (!spans && (text[end] === "\n" || end - at > LONGEST)) return null;
    }
    return spans ? { type: "opaque", end: text.length } : null;
  };
}

/** `'a'`, and not the `'a` of a lifetime. */
export const character: PieceFinder = ({ text, at }) => {
  const found = /^'(?:\\[^\n]{1,8}?|[^'\\\n]{1,2})'/u.exec(text.slice(at, at + 14))?.[0];
  return found === undefined ? null : { type: "character", end: at + found.length, inside: at + 1 };
};

/** `r#"…"#` in Rust and Swift, `R"(…)"` in C++. */
export function fenced(open: RegExp, close: (found: RegExpExecArray) => string): PieceFinder {
  return ({ text, at }) => {
    const found = open.exec(text.slice(at, at + 40));
    if (found === null) return null;
    const end = text.indexOf(close(found), at + found[0].length);
    return { type: "opaque", end: end === -1 ? text.length : end + close(found).length };
  };
}

/** Where the text of a heredoc ends that begins in the next line: after the line that has only its word. */
export function endOfHeredoc(text: string, at: number, word: string): number {
  const last = new RegExp(`^\\s*${word}\\b`);
  for (let line = at; line < text.length;) {
    const next = endOfLine(text, line);
    if (last.test(text.slice(line, Math.min(next, line + 200)))) return next;
    line = next + 1;
  }
  return text.length;
}

const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** A text with code in it, which may have such texts in turn. `mark`: what the code begins with, as `${`. */
export function interpolated(quote: string, ...marks: readonly string[]): PieceFinder {
  return ({ text, at, before }) => {
    if (text[at] !== quote) return null;
    /** For each text and each bracket that is open, what ends it. */
    const open = [quote];
    let next = at + 1;
    while (open.length > 0 && next < text.length) {
      const inText = open.at(-1) === quote;
      const letter = text.charAt(next);
      const mark = inText ? marks.find((each) => text.startsWith(each, next)) : undefined;
      if (mark !== undefined) {
        open.push(CLOSING[mark.slice(-1)] ?? mark);
        next += mark.length - 1;
      } else if (letter === "\\") next += 1;
      else if (letter === open.at(-1)) open.pop();
      else if (!inText && letter === quote) open.push(quote);
      else if (!inText && /["']/.test(letter)) next = endOfQuoted(text, next) - 1;
      else if (!inText && CLOSING[letter] === open.at(-1)) open.push(CLOSING[letter] ?? letter);
      next += 1;
    }
    const isTagged = quote === "`" && /[\w)\]]$/.test(before) && !ENDS_BEFORE_VALUE.test(before);
    const isWhole = open.length === 0 && !isTagged;
    return { type: isWhole ? "text" : "opaque", end: Math.min(next, text.length), inside: at + 1 };
  };
}

/** After the quote that ends what begins at one; after that one, where the line has no other. */
function endOfQuoted(text: string, at: number): number {
  for (let end = at + 1; end < Math.min(text.length, at + LONGEST) && text[end] !== "\n"; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === text[at]) return end + 1;
  }
  return at + 1;
}

/** Words that a value comes after. */
const ENDS_BEFORE_VALUE =
  /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|instanceof|yield|await|and|or|not|if|unless|when|while|until|puts|default)$/;

/** A regular expression, where no division can be. */
export const regularExpression: PieceFinder = ({ text, at, before }) => {
  if (text[at] !== "/") return null;
  if (/[\w)\]}"'`]$/.test(before) && !ENDS_BEFORE_VALUE.test(before)) return null;
  let isClass = false;
  for (let end = at + 1; end < Math.min(text.length, at + LONGEST) && text[end] !== "\n"; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === "[") isClass = true;
    else if (text[end] === "]") isClass = false;
    else if (text[end] === "/" && !isClass)
      return {
        type: "opaque",
        end: end + 1 + (/^[a-z]*/.exec(text.slice(end + 1, end + 10))?.[0].length ?? 0),
      };
  }
  return null;
};

/** `%w[a b]` in Ruby, `~r/a/` in Elixir: a literal with delimiters of its own. `s/a/b/` in Perl has two `parts`. */
export function sigil(open: RegExp, { parts = 1 } = {}): PieceFinder {
  return ({ text, at, before }) => {
    const found = open.exec(text.slice(at, at + 6))?.[0];
    if (found === undefined || (/[\w)\]]$/.test(before) && text[at - 1] !== " ")) return null;
    const delimiter = found.slice(-1);
    let end = endOfDelimited(text, at + found.length, delimiter);
    for (let part = 1; part < parts; part += 1) {
      const isPaired = CLOSING[delimiter] !== undefined;
      end = endOfDelimited(text, isPaired ? text.indexOf(delimiter, end) + 1 || text.length : end, delimiter);
    }
    return { type: "opaque", end };
  };
}

/** Behind what closes a delimiter that was opened before `from`. */
function endOfDelimited(text: string, from: number, delimiter: string): number {
  const closing = CLOSING[delimiter] ?? delimiter;
  let depth = 1;
  for (let end = from; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === closing && (depth -= 1) === 0) return end + 1;
    else if (closing !== delimiter && text[end] === delimiter) depth += 1;
  }
  return text.length;
}
