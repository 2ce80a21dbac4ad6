export type Dimension = "outcome" | "scope" | "constraints" | "success" | "done";

export const DIMENSIONS: readonly Dimension[] = ["outcome", "scope", "constraints", "success", "done"];

export type Points = 0 | 1 | 2;

export interface Extras {
  readonly criteria: readonly { readonly name: string; readonly hasCheck: boolean }[];
  readonly mustNots: readonly string[];
  readonly protects: readonly string[];
}

/** Words of the spec that speak for a number of points, and why they do. */
export interface Finding {
  readonly points: Points;
  readonly quote: string;
  readonly reason: string;
}

export interface DimensionScore {
  readonly points: Points;
  readonly findings: readonly Finding[];
}

export const NOTHING: DimensionScore = { points: 0, findings: [] };

/** The best finding decides; those below it earned nothing and are left out. */
export function best(findings: readonly Finding[]): DimensionScore {
  const points = findings.reduce<Points>(
    (most, finding) => (finding.points > most ? finding.points : most),
    0,
  );
  return points === 0
    ? NOTHING
    : { points, findings: findings.filter((finding) => finding.points === points) };
}
