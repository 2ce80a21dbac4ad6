import type { LoopEvent } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { topFrame } from "../../core/loop/loop.ts";
import type { ForeignFrame, ForeignLoop } from "./foreign-loop.ts";
import { readIdleLoopFile } from "./idle-loop-file.ts";
import { readJwzMessage } from "./jwz-message.ts";
import { eventsOfFrame } from "./foreign-opening.ts";
import type { Trace } from "./trace.ts";

/** The frames as they last were in the store. */
export function knownFrames(origin: "idle-loop" | "jwz", trace: Trace | null): readonly ForeignFrame[] {
  if (trace === null) return [];
  const state = origin === "jwz" ? readJwzMessage(trace.running).state : readIdleLoopFile(trace.running);
  return state.type === "running" ? state.loop.frames : [];
}

/** Whether it is still the same loop, not another one that replaced it in the store. */
export function isSameOuter(frames: ForeignLoop["frames"], known: readonly ForeignFrame[]): boolean {
  const [outer] = known;
  return outer === undefined || isSame(frames[0], outer);
}

/** Applies to the loop what was pushed, popped and counted in the store. */
export function eventsOfStack(
  loop: Loop,
  foreign: ForeignLoop,
  known: readonly ForeignFrame[],
): readonly LoopEvent[] {
  const { frames } = foreign;
  // The active frame was opened here; the store doesn't know it.
  if (loop.frames.length > Math.max(known.length, 1)) return [];
  let kept = 1;
  while (kept < Math.min(frames.length, loop.frames.length) && isKept(frames, known, kept)) kept += 1;
  const events: LoopEvent[] = [];
  let current = loop;
  const record = (...more: readonly LoopEvent[]): void => {
    events.push(...more);
    current = evolveAll(current, more, loop.updatedAt);
  };
  while (current.frames.length > kept) record({ type: "frame.popped", outcome: "satisfied" });
  const counted = frames[kept - 1];
  if (counted !== undefined) {
    const iteration = believed(current, counted);
    if (iteration > topFrame(current).iteration) record({ type: "iteration.adopted", iteration });
  }
  for (const frame of frames.slice(kept)) record(...eventsOfFrame(foreign, frame));
  return events;
}

function isKept(frames: readonly ForeignFrame[], known: readonly ForeignFrame[], index: number): boolean {
  const [now, before] = [frames[index], known[index]];
  return now === undefined || before === undefined || isSame(now, before);
}

function isSame(a: ForeignFrame, b: ForeignFrame): boolean {
  return a.id !== null && b.id !== null ? a.id === b.id : a.mode === b.mode;
}

/** Only in the direction of letting go: a higher counter, or a lower limit. */
function believed(loop: Loop, { iteration, iterationLimit }: ForeignFrame): number {
  const frame = topFrame(loop);
  const isUsedUp =
    iterationLimit !== null &&
    frame.iterationLimit !== null &&
    iterationLimit < frame.iterationLimit &&
    Math.max(iteration, frame.iteration) >= iterationLimit;
  return isUsedUp ? Math.max(frame.iterationLimit, frame.iteration) : iteration;
}
