import type { Trouble } from "../../core/stop/trouble.ts";
import { durationText } from "../../system/text/quantities.ts";

export const STOPPED = "it was stopped";

interface AnswerWatch {
  readonly signal: AbortSignal;
  readonly costs: (usd: number) => void;
  readonly cause: () => Trouble | null;
  readonly stop: () => void;
}

/** What ends a turn from outside: whoever asked, the time, the money. */
export function watchAnswer(asker: AbortSignal, timeLimitMs: number, budgetUsd: number | null): AnswerWatch {
  const controller = new AbortController();
  let first: Trouble | null = null;
  const end = (cause: Trouble): void => {
    first ??= cause;
    controller.abort();
  };
  const onStop = (): void => end({ kind: "interrupted", detail: STOPPED });
  if (asker.aborted) onStop();
  asker.addEventListener("abort", onStop);
  const detail = `there was no answer within ${durationText(timeLimitMs)}`;
  const timer = setTimeout(() => end({ kind: "interrupted", detail }), timeLimitMs);
  return {
    signal: controller.signal,
    costs: (usd) => {
      if (budgetUsd !== null && usd > budgetUsd)
        end({ kind: "budget", detail: "the budget was used up in the middle of the answer" });
    },
    cause: () => first,
    stop: () => {
      clearTimeout(timer);
      asker.removeEventListener("abort", onStop);
    },
  };
}
