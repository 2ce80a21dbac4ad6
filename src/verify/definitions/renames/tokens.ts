import { hasCode, stretchOf, textsWithCodeIn, type TextsWithCode } from "./texts-with-code.ts";

/** A piece of code: a name, a string with its quotes, or anything else that isn't white space or a comment. */
export interface Token {
  readonly kind: "word" | "string" | "other";
  readonly text: string;
  readonly start: number;
}

const LONGEST_TEXT = 256 * 1024;

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
/** There `$` isn't a part of a name, but asks for its value. */
const SHELL_WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** Within a line, and not too long: an apostrophe in a comment is no string. */
const STRING = /"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\$]|\\.){0,2000}`/y;
const SPACE = /\s+/y;

const SHELL = /\.(?:sh|bash|bats|zsh|ksh)$/;
const HASH_COMMENTS = /\.(?:py|pyi|rb|rake|exs?|php|ya?ml|toml)$/;
const SLASH_COMMENTS =
  /\.(?:[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|groovy|php|cs|fs|swift|dart|c|cc|cpp|cxx|h|hpp|zig|mm?)$/;
const TRIPLE_QUOTES = /\.pyi?$/;

/** The tokens of a file, as far as its language is known by its name. Code inside of a text is code. */
export function tokensOf(path: string, source: string): readonly Token[] {
  return new Scan(path, `${source.slice(0, LONGEST_TEXT)}\n`).tokens;
}

/** A text that is open, or code inside of one, with how many of its brackets are. */
type Open = { readonly quote: string } | { readonly closes: string; depth: number };

class Scan {
  readonly tokens: Token[] = [];
  readonly #text: string;
  readonly #word: RegExp;
  readonly #blocks: readonly Block[];
  readonly #texts: TextsWithCode | null;
  readonly #unclosed = new Set<string>();
  readonly #open: Open[] = [];
  #at = 0;

  constructor(path: string, text: string) {
    this.#text = text;
    this.#word = SHELL.test(path) ? SHELL_WORD : WORD;
    this.#blocks = blocksOf(path);
    this.#texts = textsWithCodeIn(path);
    while (this.#at < text.length) if (!this.#readText() && !this.#skip() && !this.#leaveCode()) this.#read();
  }

  #add(kind: Token["kind"], end: number): void {
    if (end > this.#at) this.tokens.push({ kind, text: this.#text.slice(this.#at, end), start: this.#at });
    this.#at = end;
  }

  /** Inside of a text, to the next code in it or to its end. */
  #readText(): boolean {
    const inside = this.#open.at(-1);
    if (this.#texts === null || inside === undefined || !("quote" in inside)) return false;
    const stretch = stretchOf(this.#texts, this.#text, this.#at, inside.quote);
    if (stretch === null || stretch.to === "end") this.#open.pop();
    this.#add("other", stretch?.end ?? this.#at);
    if (stretch?.to === "code") this.#open.push({ closes: stretch.closes, depth: 1 });
    if (stretch?.to === "name")
      this.#add("word", this.#at + (matchAt(this.#word, this.#text, this.#at)?.length ?? 0));
    return true;
  }

  /** Comments, strings over several lines, white space. */
  #skip(): boolean {
    const text = this.#text;
    const block = this.#blocks.find(
      (each) => !this.#unclosed.has(each.opens) && begins(each, text, this.#at),
    );
    const end = block === undefined ? -1 : text.indexOf(block.closes, this.#at + block.opens.length);
    if (block !== undefined && end !== -1) {
      if (block.isString) this.#add("string", end + block.length);
      else this.#at = end + block.length;
      return true;
    }
    // Searched once: looking again from each place would take forever.
    if (block !== undefined) this.#unclosed.add(block.opens);
    const space = matchAt(SPACE, text, this.#at)?.length ?? 0;
    this.#at += space;
    return space > 0;
  }

  /** Back to the text that the code stands in. */
  #leaveCode(): boolean {
    const inside = this.#open.at(-1);
    if (inside === undefined || !("closes" in inside)) return false;
    const letter = this.#text.charAt(this.#at);
    if (letter === OPENING[inside.closes]) inside.depth += 1;
    if (letter === inside.closes) inside.depth -= 1;
    if (inside.depth > 0) return false;
    this.#open.pop();
    this.#add("other", this.#at + 1);
    return true;
  }

  #read(): void {
    const [text, at] = [this.#text, this.#at];
    if (this.#texts !== null && hasCode(this.#texts, text, at)) {
      this.#open.push({ quote: text.charAt(at) });
      return this.#add("other", at + 1);
    }
    const string = matchAt(STRING, text, at);
    const word = string === null ? matchAt(this.#word, text, at) : null;
    const kind = string !== null ? "string" : word !== null ? "word" : "other";
    this.#add(kind, at + (string ?? word ?? text.charAt(at)).length);
  }
}

const OPENING: { readonly [closes: string]: string } = { ")": "(", "}": "{" };

interface Block {
  readonly opens: string;
  readonly closes: string;
  /** How much of its end belongs to it. */
  readonly length: number;
  readonly isString: boolean;
  /** Whether it begins a word: `$#` and `${a#b}` of a shell are no comments. */
  readonly isAfterBlank: boolean;
}

function begins({ opens, isAfterBlank }: Block, text: string, at: number): boolean {
  return text.startsWith(opens, at) && (!isAfterBlank || at === 0 || /[\s;(]/.test(text.charAt(at - 1)));
}

function blocksOf(path: string): readonly Block[] {
  const block = (opens: string, closes: string, isString = false): Block => ({
    ...{ opens, closes, isString },
    length: closes === "\n" ? 0 : closes.length,
    isAfterBlank: SHELL.test(path),
  });
  return [
    ...(TRIPLE_QUOTES.test(path) ? [block('"""', '"""', true), block("'''", "'''", true)] : []),
    ...(SLASH_COMMENTS.test(path) ? [block("//", "\n"), block("/*", "*/")] : []),
    ...(HASH_COMMENTS.test(path) || SHELL.test(path) ? [block("#", "\n")] : []),
  ];
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** A text with some of its tokens replaced; null from `replace` leaves a token as it is. */
export function withTokens(path: string, text: string, replace: (token: Token) => string | null): string {
  let result = "";
  let end = 0;
  for (const token of tokensOf(path, text)) {
    const other = replace(token);
    if (other === null) continue;
    result += text.slice(end, token.start) + other;
    end = token.start + token.text.length;
  }
  return result + text.slice(end);
}

export function wordsOf(path: string, text: string): ReadonlySet<string> {
  return new Set(tokensOf(path, text).flatMap((each) => (each.kind === "word" ? [each.text] : [])));
}

/** Words that stand for themselves somewhere, and not only as what something else has: `push` of `push(item) {`, not of `list.push(item)`. */
export function ownNamesOf(path: string, text: string): ReadonlySet<string> {
  const tokens = tokensOf(path, text);
  const textAt = (at: number): string | undefined => tokens[at]?.text;
  const isAssigned = (at: number): boolean => textAt(at + 1) === "=" && textAt(at + 2) !== "=";
  const isMember = (at: number): boolean =>
    textAt(at - 1) === "." || (textAt(at - 1) === ">" && textAt(at - 2) === "-");
  return new Set(
    tokens.flatMap((each, at) =>
      each.kind === "word" && (!isMember(at) || isAssigned(at)) ? [each.text] : [],
    ),
  );
}
