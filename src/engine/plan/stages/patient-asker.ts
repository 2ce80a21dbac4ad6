import { setTimeout as sleep } from "node:timers/promises";
import type { Asker } from "../../../core/questions/question.ts";
import { isActiveFor } from "../../../core/loop.ts";
import { remedyFor } from "../../../core/trouble/remedy.ts";
import type { AskingRun } from "../take-workflow.ts";
import type { StageRequest } from "./stage-context.ts";

/** How often it looks whether somebody wants it to stop. */
const LOOK_MS = 500;

/** Nothing of the stage is recorded; whoever resumes begins it again. */
export class StoppedWaiting extends Error {}

/** Waits out a usage limit that says when it ends, as a run does, before it goes on without an answer. */
export function patientAsker(
  { machine, live, run, asker }: AskingRun,
  { interrupts, tell }: Pick<StageRequest, "interrupts" | "tell">,
): Asker {
  const waitUntil = async (until: number): Promise<void> => {
    for (let left = until - machine.now(); left > 0; left = until - machine.now()) {
      if (interrupts.asked() || !isActiveFor(await live.refresh(), run)) throw new StoppedWaiting();
      await sleep(Math.min(left, LOOK_MS), undefined, { signal: interrupts.now }).catch(() => undefined);
    }
  };
  return {
    ...asker,
    ask: async (question, signal) => {
      for (let waits = 0; ; waits += 1) {
        const asked = await asker.ask(question, signal);
        if (asked.type === "answered" || asked.waitsUntil === undefined || signal.aborted) return asked;
        const limit = { kind: "usage-limit", detail: asked.why, resetsAt: asked.waitsUntil } as const;
        const remedy = remedyFor(limit, { retries: 0, waits, resumed: false }, machine.now());
        if (remedy.type !== "wait") return asked;
        tell({ type: "waiting", now: machine.now(), until: remedy.until, detail: asked.why });
        await waitUntil(remedy.until);
      }
    },
  };
}
