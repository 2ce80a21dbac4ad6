import type { AttemptEnvelope, AttemptOutcome, AttemptResult } from "../plan/executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "../plan/executor.ts";
import type { AttemptMirror } from "./attempt-mirror.ts";

export function stoppedResult({ key }: AttemptEnvelope): AttemptResult {
  return { ...NOTHING_SHOWN, key, outcome: { type: "stopped" } };
}

/** Stopped, and charged with what is known of its spending. */
export function stoppedAfterSpending(
  envelope: AttemptEnvelope,
  { loop, records }: Pick<AttemptMirror, "loop" | "records">,
): AttemptResult {
  const result = stoppedResult(envelope);
  if (loop === null) return result;
  const { usd, tokens, priced } = loop.spend;
  return { ...result, usage: { usd, tokens, priced, turnUsd: loop.dearestTurnUsd }, journal: [...records] };
}

export function unsendableResult({ key }: AttemptEnvelope, why: string): AttemptResult {
  return { ...NOTHING_SHOWN, key, outcome: { type: "paused", reason: "blocked", detail: why } };
}

export function lost(detail: string): AttemptOutcome {
  return { type: "set-back", setback: { kind: "lost", detail, carry: null, failing: [] } };
}

/** Nobody will ever tell what it came to. Another attempt is made, and what this one may have cost is charged. */
export function lostResult(
  envelope: AttemptEnvelope,
  mirror: Pick<AttemptMirror, "loop" | "records" | "isWhole">,
  detail: string,
): AttemptResult {
  return {
    ...NOTHING_SHOWN,
    key: envelope.key,
    outcome: lost(detail),
    ...lostUsage(envelope, mirror),
    journal: [...mirror.records],
  };
}

/** At most what it reported and one more turn; before any turn has ended, its whole share. */
function lostUsage(
  envelope: AttemptEnvelope,
  { loop, isWhole }: Pick<AttemptMirror, "loop" | "isWhole">,
): Pick<AttemptResult, "usage"> {
  const untold = untoldUsage(envelope);
  if (loop === null || !isWhole || loop.spend.usd === 0) return untold;
  const { usd, tokens } = loop.spend;
  const atMost = usd + loop.dearestTurnUsd;
  const share = envelope.limits.budgetUsd;
  return {
    usage: {
      usd: share === null ? atMost : Math.min(share, atMost),
      turnUsd: loop.dearestTurnUsd,
      tokens: envelope.limits.tokens ?? tokens,
      priced: false,
    },
  };
}
