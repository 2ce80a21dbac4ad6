import type { LoopEvent } from "../../core/events/event.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { openKnown } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { Pulse } from "./patience.ts";

const LOOK_MS = 500;

/**
 * Tells an attempt's own loop what a person told its plan, as `loop tell` does where both are on one machine. What can't be recorded
 * now is tried again; the attempt doesn't end over it.
 */
export function passWords(
  { machine, project, loop }: { readonly machine: Machine; readonly project: Project; readonly loop: LoopId },
  told: () => readonly string[],
): Pulse {
  let passed = 0;
  return new Pulse(LOOK_MS, async () => {
    const words = told();
    if (words.length === passed) return;
    const own = await openKnown(machine, project, loop).catch(() => null);
    if (own === null) return;
    try {
      await own.live.record((now) => (isEnded(now) ? [] : missingIn(now, words)));
      passed = words.length;
    } catch {
      // The next beat tries again.
    }
  });
}

/** An earlier process of this worker may have passed on some. What is said twice is passed on twice. */
function missingIn(loop: Loop, words: readonly string[]): readonly LoopEvent[] {
  const known = loop.words.map(({ text }) => text);
  return words.flatMap((text) => {
    const at = known.indexOf(text);
    if (at === -1) return [{ type: "words.told", text, task: null }];
    known.splice(at, 1);
    return [];
  });
}
