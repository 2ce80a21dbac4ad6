import type { OpeningFlags } from "./opening.ts";

/** Options of a whole loop, which only its opening takes. */
const OF_THE_WHOLE_LOOP = {
  mustNot: "--must-not",
  protect: "--protect",
  budget: "--budget",
  maxTokens: "--max-tokens",
  maxMinutes: "--max-minutes",
  stuckLimit: "--stuck-limit",
  sameErrorLimit: "--same-error-limit",
  sameFileLimit: "--same-file-limit",
  noProgressLimit: "--no-progress-limit",
  ttl: "--ttl",
  shape: "--shape",
  proof: "--proof",
  mayChange: "--may-change",
  holdoutFrom: "--holdout-from",
  here: "--here",
} as const satisfies { readonly [Name in keyof OpeningFlags]?: string };

/** Those that were given, as they are typed. */
export function wholeLoopFlags(flags: OpeningFlags): readonly string[] {
  return givenOf(flags, OF_THE_WHOLE_LOOP);
}

/** The flags of a table that were given, as they are typed. */
export function givenOf<Flags extends object>(
  flags: Flags,
  table: { readonly [Name in keyof Flags]?: string },
): readonly string[] {
  return Object.entries(table).flatMap(([name, flag]) =>
    flags[name as keyof Flags] === undefined ? [] : [String(flag)],
  );
}
