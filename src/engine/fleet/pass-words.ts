import { isEnded } from "../../core/loop/loop.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Project } from "../../storage/home/project.ts";
import { openKnown } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { Pulse } from "./patience.ts";

const LOOK_MS = 500;

/** Tells an attempt's own loop what a person told its plan, as `loop tell` does where both are on one machine. */
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
    await own.live.record((now) => {
      // An earlier process of this worker may have passed on some.
      const known = new Set(now.words.map(({ text }) => text));
      const missing = isEnded(now) ? [] : words.filter((text) => !known.has(text));
      return missing.map((text) => ({ type: "words.told", text, task: null }));
    });
    passed = words.length;
  });
}
