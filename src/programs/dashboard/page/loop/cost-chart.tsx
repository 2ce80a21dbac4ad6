import type { StatusView } from "../../../../views/status.ts";
import { isFalseClaim } from "../../../../views/story/iterations.ts";
import { clock, costWords, dollars } from "../shown/words.ts";

const COLORS = { verified: "var(--green)", weak: "var(--amber)", unverified: "var(--ink-2)" } as const;

/** Cost over time against the budget, with a cross where a claim did not hold. */
export function CostChart({ view }: { readonly view: StatusView }) {
  const points = view.iterations.filter(({ endedAt, costUsd }) => endedAt !== null && costUsd !== null);
  if (points.length === 0 || view.startedAt === null) return <p class="dim">{costWords(view.cost)}</p>;
  const from = Date.parse(view.startedAt);
  const to = Math.max(from + 1, ...points.map(({ endedAt }) => Date.parse(endedAt ?? "")));
  let sum = 0;
  const sums = points.map((each) => ({
    each,
    at: Date.parse(each.endedAt ?? ""),
    usd: (sum += each.costUsd ?? 0),
  }));
  const top = Math.max(view.budgetUsd ?? 0, sum) || 1;
  const x = (at: number): number => 4 + ((at - from) / (to - from)) * 196;
  const y = (usd: number): number => 74 - (usd / top) * 62;
  let path = `M4 ${y(0)}`;
  for (const { at, usd } of sums) path += `H${x(at)}V${y(usd)}`;
  const wasted = sums
    .filter(({ each }) => isFalseClaim(each))
    .reduce((total, { each }) => total + (each.costUsd ?? 0), 0);
  return (
    <figure>
      <svg
        viewBox="0 0 250 92"
        width="100%"
        role="img"
        aria-label={`cost over time: ${costWords(view.cost)}`}
      >
        {view.budgetUsd !== null && (
          <>
            <path d={`M4 ${y(view.budgetUsd)}H200`} stroke="var(--line-2)" stroke-dasharray="3 3" />
            <text x="206" y={budgetY(y(view.budgetUsd), y(sum)) + 4} font-size="12" fill="var(--ink-2)">
              {dollars(view.budgetUsd)}
            </text>
          </>
        )}
        <path d="M4 74H200" stroke="var(--line)" />
        <path d={path} fill="none" stroke="var(--ink-2)" stroke-width="1.5" />
        {sums.map(({ each, at, usd }, index) =>
          isFalseClaim(each) ? (
            <path
              key={index}
              d={`M${x(at) - 3.5} ${y(usd) - 3.5}l7 7m0 -7l-7 7`}
              stroke="var(--red)"
              stroke-width="1.8"
            />
          ) : (
            <circle
              key={index}
              cx={x(at)}
              cy={y(usd)}
              r="3"
              fill={each.verdict === "completed" ? COLORS[view.confidence ?? "unverified"] : "var(--bg)"}
              stroke={each.verdict === "completed" ? COLORS[view.confidence ?? "unverified"] : "var(--ink-2)"}
              stroke-width="1.5"
            />
          ),
        )}
        <text x="206" y={y(sum) + 4} font-size="12" font-weight="600" fill="var(--ink)">
          {dollars(Math.round(sum * 100) / 100)}
        </text>
        <text x="4" y="88" font-size="11" fill="var(--ink-2)">
          {clock(view.startedAt)}
        </text>
        <text x="200" y="88" font-size="11" fill="var(--ink-2)" text-anchor="end">
          {clock(new Date(to).toISOString())}
        </text>
      </svg>
      {wasted > 0 && (
        <figcaption class="dim">
          {dollars(Math.round(wasted * 100) / 100)} spent on claims that did not hold{" "}
          <span class="c-red">×</span>
        </figcaption>
      )}
    </figure>
  );
}

const LINE = 14;

/** Clear of the label of what was spent: below it where more was, else above. */
function budgetY(own: number, spent: number): number {
  if (Math.abs(own - spent) >= LINE) return own;
  return own >= spent || spent < LINE ? spent + LINE : spent - LINE;
}
