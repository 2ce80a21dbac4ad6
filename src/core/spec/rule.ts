import type { Finding, Points } from "./dimension.ts";

/** One reason why words earn points. `unless` looks at the matched words only. */
export interface Rule {
  readonly pattern: RegExp;
  readonly points: Points;
  readonly reason: string;
  readonly unless?: RegExp;
}

export function applyRules(rules: readonly Rule[], texts: readonly string[]): Finding[] {
  return texts.flatMap((text) => rules.flatMap((rule) => matchRule(rule, text)));
}

function matchRule(rule: Rule, text: string): Finding[] {
  return matches(rule.pattern, text)
    .filter((quote) => !rule.unless?.test(quote))
    .map((quote) => ({ points: rule.points, quote, reason: rule.reason }));
}

const MATCH_LIMIT = 20;

/**
 * Finds the pattern in `text` and quotes `original`, of which `text` may be a masked copy of the same length.
 * Patterns bound every repetition of a group, so that a hostile text cannot make one match slow.
 */
export function matches(pattern: RegExp, text: string, original = text): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(globalOf(pattern))) {
    const quote = original.slice(match.index, match.index + match[0].length).trim();
    if (quote !== "") found.push(quote);
    if (found.length === MATCH_LIMIT) break;
  }
  return found;
}

/** Compiling costs more than matching a short clause. */
const compiled = new Map<RegExp, RegExp>();

function globalOf(pattern: RegExp): RegExp {
  const known = compiled.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  compiled.set(pattern, known);
  return known;
}
