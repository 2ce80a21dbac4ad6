import type { Driven, Loop, ProcessMark } from "../../core/loop/loop.ts";
import { isDriven } from "../../core/loop/loop.ts";
import { isStillAlive } from "../../system/process/process-facts.ts";

/** The process of the run that has the loop; null if there is none or it is gone. */
export function livingDriver(loop: Loop): ProcessMark | null {
  const driver = loop.driven?.process ?? null;
  return driver !== null && isStillAlive(driver) ? driver : null;
}

/** The run that drove it is gone and did not pause it. */
export function isAbandoned(loop: Loop): boolean {
  return loop.phase === "active" && isDriven(loop) && !isDrivenNow(loop);
}

type DrivenNow = Loop & { readonly driven: Driven & { readonly process: ProcessMark } };

/** The loop belongs to a run whose process lives. */
export function isDrivenNow(loop: Loop): loop is DrivenNow {
  return isDriven(loop) && livingDriver(loop) !== null;
}
