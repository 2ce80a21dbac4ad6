/** Texts of a language in which code may stand: `"$(total 1)"` in shell, `` `${total(1)}` `` in JavaScript. */
export interface TextsWithCode {
  readonly quotes: string;
  /** What must stand in front of the quote: the `f` of Python. */
  readonly prefix?: RegExp;
  /** What code in it begins with, and what ends it. */
  readonly opens: readonly (readonly [mark: string, closes: string])[];
  /** A name in it without a bracket: `"$total"`. */
  readonly name?: RegExp;
  /** Whether it may go on in the next line. */
  readonly spans?: boolean;
}

const DOLLAR_NAME = /\$(?=[\p{L}_])/uy;

const TEXTS: readonly (TextsWithCode & { readonly files: RegExp })[] = [
  {
    files: /\.(?:sh|bash|bats|zsh|ksh)$/,
    quotes: '"',
    opens: [
      ["$(", ")"],
      ["${", "}"],
      ["`", "`"],
    ],
    name: DOLLAR_NAME,
    spans: true,
  },
  { files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/, quotes: "`", opens: [["${", "}"]], spans: true },
  { files: /\.pyi?$/, quotes: "\"'", prefix: /(?:^|\W)[rR]?[fFtT][rR]?$/, opens: [["{", "}"]] },
  { files: /\.(?:rb|rake|exs?)$/, quotes: '"`', opens: [["#{", "}"]] },
  { files: /\.php$/, quotes: '"', opens: [["{$", "}"]], name: /(?=\$[\p{L}_])/uy },
  { files: /\.(?:kts?|dart|groovy|scala)$/, quotes: '"', opens: [["${", "}"]], name: DOLLAR_NAME },
  { files: /\.swift$/, quotes: '"', opens: [["\\(", ")"]] },
  { files: /\.cs$/, quotes: '"', prefix: /\$@?$/, opens: [["{", "}"]] },
];

export function textsWithCodeIn(path: string): TextsWithCode | null {
  return TEXTS.find(({ files }) => files.test(path)) ?? null;
}

/** Whether a text begins here that has code in it. */
export function hasCode(texts: TextsWithCode, text: string, at: number): boolean {
  const quote = text.charAt(at);
  if (!texts.quotes.includes(quote)) return false;
  if (texts.prefix?.test(text.slice(Math.max(0, at - 4), at)) === false) return false;
  const stretch = stretchOf(texts, text, at + 1, quote);
  return stretch !== null && stretch.to !== "end";
}

const LONGEST = 2_000;

/** Where a text goes on to: its end, code in brackets, or a name. */
type Stretch =
  | { readonly to: "end" | "name"; readonly end: number }
  | { readonly to: "code"; readonly end: number; readonly closes: string };

/** Reads on inside of a text; null: nothing ends it nearby. */
export function stretchOf(texts: TextsWithCode, text: string, from: number, quote: string): Stretch | null {
  const last = Math.min(text.length, from + LONGEST);
  for (let at = from; at < last; at += 1) {
    if (text[at] === "\n" && texts.spans !== true) return null;
    if (text[at] === quote) return { to: "end", end: at + 1 };
    const opened = texts.opens.find(([mark]) => text.startsWith(mark, at));
    if (opened !== undefined) return { to: "code", end: at + opened[0].length, closes: opened[1] };
    const name = nameAt(texts, text, at);
    if (name !== null) return { to: "name", end: at + name };
    if (text[at] === "\\") at += 1;
  }
  return null;
}

/** How long the mark in front of a name is; null: none begins here. */
function nameAt({ name }: TextsWithCode, text: string, at: number): number | null {
  if (name === undefined) return null;
  name.lastIndex = at;
  return name.exec(text)?.[0].length ?? null;
}
