import type { CallSite } from "./call-sites.ts";
import type { RecordedValue, ValuePath } from "./recorded-value.ts";

/** Larger calls are left alone: they are written down, and stand in the test that asks them. In characters, and in single values. */
export const LONGEST_KEY = 20_000;
export const MOST_PARTS = 5_000;
/** By one process; no more is read, either. */
export const MOST_WRITTEN = 20_000_000;

/** Arguments of a call that was recorded, and what else is to be tried in their places. */
export interface AskedCall {
  /** Which call it is, by its number in what is asked. */
  readonly id: number;
  readonly site: number;
  /** As it was written down. */
  readonly key: string;
  /** Where else the same is called, so that nobody has to wait until a test gets there; empty: the arguments can't be made again. */
  readonly sites: readonly number[];
  readonly args: RecordedValue;
  readonly named: RecordedValue;
  readonly others: readonly (readonly [ValuePath, RecordedValue])[];
}

/** How the calls of a test are written down, and asked once more with other values. */
export interface Asking {
  /** Where it is written. */
  readonly path: string;
  /** A name that nobody can expect. */
  readonly nonce: string;
  readonly asked: readonly AskedCall[];
}

export interface NumberedSite extends CallSite {
  readonly site: number;
}

export interface CallDialect {
  readonly file: RegExp;
  /** The test, whose calls are written down. */
  readonly withCalls: (
    file: { readonly path: string; readonly text: string },
    sites: readonly NumberedSite[],
    asking: Asking,
  ) => string;
}

/** The text with what goes around each call: before its expression, and in place of the dot and name, or behind the name. */
export function aroundCalls(
  text: string,
  sites: readonly NumberedSite[],
  around: (site: NumberedSite, called: string) => { readonly before: string; readonly name: string },
): string {
  const edits = sites.flatMap((site) => {
    const nameFrom = site.isMethod ? dotBefore(text, site.nameFrom) : site.nameFrom;
    const { before, name } = around(site, text.slice(nameFrom, site.to));
    return [
      // Of those that begin together, the longest is around the others.
      { from: site.from, to: site.from, text: before, rank: -site.to },
      { from: nameFrom, to: site.to, text: name, rank: 1 },
    ];
  });
  let result = "";
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.rank - other.rank)) {
    result += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + text.slice(at);
}

/** A text in Ruby and PHP. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

const LONGEST_DOT = 100;

function dotBefore(text: string, at: number): number {
  return at - (/(?:\.|::|->|\\)\s*$/.exec(text.slice(Math.max(0, at - LONGEST_DOT), at))?.[0].length ?? 0);
}
