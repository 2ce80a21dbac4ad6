import type { Asker } from "../../../core/questions/question.ts";
import { isActiveFor, type Loop } from "../../../core/loop/loop.ts";
import { stageOf, type Stage } from "../../../core/stages/stages.ts";
import { learnFromIt } from "../../lifecycle/lifecycle.ts";
import { usedUpLimit } from "../../../core/stop/limits.ts";
import type { KnownLoop } from "../../../storage/loops/known-loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import { driverOf } from "../../run/agent-choice.ts";
import { INTERRUPTED } from "../../run/run-context.ts";
import { beginRun, type AskingRun } from "../take-workflow.ts";
import { leaveLoop, recordOurs } from "../../run/take-loop.ts";
import { adoptPlan } from "./adopt-plan.ts";
import { drawWorkShape } from "./draw-work-shape.ts";
import { factsOf } from "../../opening/propose-checks.ts";
import { settleIntent } from "./settle-intent.ts";
import { stagesOf, type StageContext, type StageRequest } from "./stage-context.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { recoveryFor } from "../../../core/stop/trouble.ts";

/** Each carries its stage out and records its result, or pauses the loop. */
const CARRY_OUT: { readonly [Each in Stage]?: (context: StageContext) => Promise<void> } = {
  intent: settleIntent,
  shape: drawWorkShape,
  decompose: adoptPlan,
};

/** Brings a workflow to its plan, from the stage it is in. The loop afterwards has a plan, or is paused, or somebody else's. */
export async function runStages(machine: Machine, chosen: KnownLoop, request: StageRequest): Promise<Loop> {
  const isResumed = chosen.live.loop.driven !== null;
  const own = await beginRun(machine, chosen, request);
  const { live, run } = own;
  request.tell({ type: "stages-began", loop: live.loop, resumed: isResumed });
  const asker = askerFor(own, request);
  let read: ReturnType<typeof factsOf> | null = null;
  const facts: StageContext["facts"] = async () => (read ??= factsOf(machine, chosen.workingDirectory));
  const context: StageContext = { ...request, ...own, chosen, asker, facts };
  try {
    for (;;) {
      const loop = await live.refresh();
      const carryOut = CARRY_OUT[stageOf(loop) ?? "complete"];
      if (carryOut === undefined || !isActiveFor(loop, run)) break;
      const trip = usedUpLimit(loop, machine.now());
      if (request.interrupts.asked()) await recordOurs(own, [INTERRUPTED]);
      else if (trip !== null) await recordOurs(own, [{ type: "loop.paused", ...trip, by: "machine" }]);
      else {
        request.tell({ type: "stage-began", loop });
        await carryOut(context).catch((error: unknown) => {
          if (!(error instanceof StoppedWaiting)) throw error;
        });
      }
    }
  } finally {
    await leaveLoop(own);
  }
  const loop = await live.refresh();
  await learnFromIt(machine, live);
  return loop;
}

/** null: no model is asked, because a person said so, or because this agent can't be held to reading. */
function askerFor(own: AskingRun, request: StageRequest): Asker | null {
  const { choice, cli, tell } = request;
  if (!stagesOf(own.live.loop).policy.asks) return null;
  const { canBeAsked, title } = driverOf(choice, cli);
  if (!canBeAsked) tell({ type: "note", text: `${title} can't be held to reading, so no model is asked.` });
  return canBeAsked ? patientAsker(own, request) : null;
}

/** How often to check whether somebody wants it to stop. */
const LOOK_MS = 500;

/** Nothing of the stage is recorded; whoever resumes begins it again. */
class StoppedWaiting extends Error {}

/** Waits out a usage limit that says when it ends, as a run does, before it goes on without an answer. */
function patientAsker(
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
        const remedy = recoveryFor(limit, { retries: 0, waits, resumed: false }, machine.now());
        if (remedy.type !== "wait") return asked;
        tell({ type: "waiting", now: machine.now(), until: remedy.until, detail: asked.why });
        await waitUntil(remedy.until);
      }
    },
  };
}
