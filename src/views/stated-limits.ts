import type { Loop } from "../core/loop.ts";

/** What the spec says must hold and no must-not watches: "no new dependencies". Agents and reviewers read it; the machine can't tell. */
export function statedLimits({ score, mustNots }: Pick<Loop, "score" | "mustNots">): readonly string[] {
  const watched = mustNots.flatMap((each) =>
    each.kind === "path" ? [each.glob.replace(/\/?\*.*$/, "")] : [],
  );
  return score.evidence.constraints
    .flatMap((line) => /^"(.*)": /s.exec(line)?.[1] ?? [])
    .filter((quote) => !watched.some((path) => path !== "" && quote.includes(path)));
}
