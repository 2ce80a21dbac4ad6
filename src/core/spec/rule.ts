export type Dimension = "outcome" | "scope" | "constraints" | "success" | "done";

export const DIMENSIONS: readonly Dimension[] = ["outcome", "scope", "constraints", "success", "done"];

export type Points = 0 | 1 | 2;

/** What the command line says beside the spec. */
export interface Extras {
  readonly criteria: readonly { readonly name: string; readonly hasCheck: boolean }[];
  readonly mustNots: readonly string[];
  readonly protects: readonly string[];
}

/** Words of the spec that speak for a number of points, and why they do. */
export interface Earned {
  readonly points: Points;
  readonly quote: string;
  readonly reason: string;
}

export interface DimensionScore {
  readonly points: Points;
  readonly findings: readonly Earned[];
}

export const NOTHING: DimensionScore = { points: 0, findings: [] };

/** The best finding decides; those below it earned nothing and are left out. */
export function best(findings: readonly Earned[]): DimensionScore {
  const points = findings.reduce<Points>(
    (most, finding) => (finding.points > most ? finding.points : most),
    0,
  );
  return points === 0
    ? NOTHING
    : { points, findings: findings.filter((finding) => finding.points === points) };
}

/** One reason why words earn points. `unless` looks at the matched words only. */
export interface Rule {
  readonly pattern: RegExp;
  readonly points: Points;
  readonly reason: string;
  readonly unless?: RegExp | undefined;
}

type RuleRow = readonly [pattern: RegExp, reason: string, unless?: RegExp];

/** Rules that earn the same points, a row each. */
export function rules(points: Points, ...rows: readonly RuleRow[]): readonly Rule[] {
  return rows.map(([pattern, reason, unless]) => ({ pattern, points, reason, unless }));
}

/** A pattern made of others, whatever the case; backslashes are written once. */
export function anyCase(pattern: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(String.raw(pattern, ...parts), "i");
}

export function applyRules(from: readonly Rule[], texts: readonly string[]): Earned[] {
  return texts.flatMap((text) => from.flatMap((rule) => matchRule(rule, text)));
}

function matchRule(rule: Rule, text: string): Earned[] {
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
