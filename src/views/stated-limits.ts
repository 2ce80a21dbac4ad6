import type { Loop } from "../core/loop/loop.ts";
import { boundariesIn } from "../core/stages/boundary.ts";

/** What the spec says must hold and nothing watches: "no new dependencies". Agents and reviewers read it; the machine can't tell. */
export function statedLimits({
  score,
  mustNots,
  frames: [{ spec }],
}: Pick<Loop, "score" | "mustNots" | "frames">): readonly string[] {
  const watched = mustNots.flatMap((each) =>
    each.kind === "path" ? [each.glob.replace(/\/?\*.*$/, "")] : [],
  );
  return score.evidence.constraints
    .flatMap((line) => /^"(.*)": /s.exec(line)?.[1] ?? [])
    .filter(
      (quote) => !boundariesIn(spec).some(({ words }) => words.includes(quote) || quote.includes(words)),
    )
    .filter((quote) => !watched.some((path) => path !== "" && quote.includes(path)));
}
