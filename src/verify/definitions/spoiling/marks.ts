/** What a marked script prints where it begins, and where it ends by itself and would succeed. */
export interface Marks {
  /** Twelve digits that nobody can expect. */
  readonly nonce: string;
  /** Whether it then fails instead. */
  readonly fails: boolean;
}

export function begun({ nonce }: Marks): string {
  return `1${nonce}`;
}

export function ended({ nonce }: Marks): string {
  return `2${nonce}`;
}

/** How scripts of a language are marked. null: it cannot be told where such a text ends. */
export interface Language {
  readonly file: RegExp;
  /** The script that is run. */
  readonly script: (text: string, marks: Marks) => string | null;
  /** A file that it loads: only its own ways to end the process are marked. null: it has none, or they cannot be marked. */
  readonly loaded: (text: string, marks: Marks) => string | null;
  /** Whether a file that it loads ends the process in a way that cannot be marked. */
  readonly endsUnmarked: (text: string) => boolean;
  /** Code in a command's own words, which fails where it ends; null: not in this language. What is added needs no quotes. */
  readonly code: ((text: string, marks: Marks) => string) | null;
}

/** Behind a first line that names the interpreter. */
export function afterInterpreter(text: string, inserted: string): string {
  const first = /^#!.*\n/.exec(text)?.[0] ?? "";
  return `${first}${inserted}\n${text.slice(first.length)}`;
}
