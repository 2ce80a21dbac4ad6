import type { Marker } from "./marks.ts";

/** What a marked script prints where it begins, and where it ends by itself and would succeed. */
export interface Sentinels {
  /** Twelve digits that nobody can expect. */
  readonly nonce: string;
  /** Whether it then fails instead. */
  readonly fails: boolean;
}

export function begun({ nonce }: Sentinels): string {
  return `1${nonce}`;
}

export function ended({ nonce }: Sentinels): string {
  return `2${nonce}`;
}

/** How failures are put into the scripts of a language. */
export interface Language {
  readonly file: RegExp;
  /** The script that is run, marked. null: it cannot be told where such a text ends. */
  readonly script: (text: string, marks: Sentinels) => string | null;
  /** The script that is run, comparing with other values than it should, and telling where it does. */
  readonly wrongValues: (file: { readonly path: string; readonly text: string }, marker: Marker) => string;
  /** A file that it loads: only its own ways to end the process are marked. null: it has none, or they cannot be marked. */
  readonly loaded: (text: string, marks: Sentinels) => string | null;
  /** Whether a file that it loads ends the process in a way that cannot be marked. */
  readonly endsUnmarked: (text: string) => boolean;
  /** Code in a command's own words, which fails where it ends; null: not in this language. What is added needs no quotes. */
  readonly code: ((text: string, marks: Sentinels) => string) | null;
}

/** Behind a first line that names the interpreter. */
export function afterInterpreter(text: string, inserted: string): string {
  const first = /^#!.*\n/.exec(text)?.[0] ?? "";
  return `${first}${inserted}\n${text.slice(first.length)}`;
}

/** A failing use of something that judges, and how a text shows that it uses it: one that was made harmless has to be noticed. */
export type Uses = readonly (readonly [used: RegExp, failing: string])[];

export function words(uses: { readonly [name: string]: string }): Uses {
  return Object.entries(uses).map(([name, failing]) => [new RegExp(`\\b${name}\\b`), failing]);
}

export function usedIn(text: string, uses: Uses): readonly string[] {
  return uses.filter(([used]) => used.test(text)).map(([, failing]) => failing);
}
