import type { Loop } from "../../core/loop/loop.ts";
import { isBoundTo } from "../../core/loop/loop.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import type { RunContext } from "./run-context.ts";

export interface LossWatch {
  /** Somebody paused, ended, deleted or took the loop; the reason says which. */
  readonly lost: AbortSignal;
  readonly stop: () => void;
}

/** Watches whether the loop still belongs to this run. Calls `onChange` as long as it does. */
export function watchForLoss(
  { live, run }: Pick<RunContext, "live" | "run">,
  onChange: (loop: Loop) => void = () => {},
): LossWatch {
  const lost = new AbortController();
  const stop = live.onChange({
    changed: (loop) => {
      if (loop.phase !== "active") lost.abort(`the loop is ${loop.phase}`);
      else if (isBoundTo(loop, run)) onChange(loop);
      else lost.abort("another session has taken the loop");
    },
    failed: (error) => {
      if (error instanceof JournalError && error.code === "missing") lost.abort("the loop was deleted");
    },
  });
  return { lost: lost.signal, stop };
}
