const DELAY =
  /(?:retry (?:after|in)|resets? (?:after|in)|"retryDelay"\s*:\s*")\s*((?:\d{1,9}(?:\.\d{1,12})?(?:ms|h|m|s))+)/i;
const PIECE = /(\d+(?:\.\d+)?)(ms|h|m|s)/g;
const MS: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds out of `Please retry in 31.5s` or `Your quota will reset after 3h15m20s`; null if there is no delay. */
export function delayIn(text: string): number | null {
  const named = DELAY.exec(text)?.[1];
  if (named === undefined) return null;
  return [...named.matchAll(PIECE)].reduce(
    (sum, [, amount, unit]) => sum + Math.ceil(Number(amount) * (MS[unit ?? ""] ?? 0)),
    0,
  );
}
