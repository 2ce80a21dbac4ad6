import type { SessionId } from "../../../core/loop/id.ts";
import { parseSessionId } from "../../../core/loop/id.ts";
import type { Binding } from "../../../core/loop/loop.ts";
import type { Machine } from "../../../storage/loops/machine.ts";
import type { Project } from "../../../storage/home/project.ts";
import { beginAttempt } from "../begin-attempt.ts";
import type { AttemptEnvelope, AttemptOutcome, Executor } from "../executor.ts";
import { NOTHING_SHOWN } from "../executor.ts";
import type { Workshop } from "../workshop.ts";

/** Prepares attempts and leaves the work to the session's agent, whose transcript is charged as a whole. */
export function sessionExecutor(machine: Machine, project: Project, workshop: Workshop): Executor {
  return {
    runAttempt: async (envelope, { signal }) => {
      const binding = attemptBinding(envelope);
      const begun = await beginAttempt(
        { machine, project, workshop, binding, prepare: () => {} },
        envelope,
        signal,
      );
      const outcome: AttemptOutcome = begun.type === "over" ? begun.outcome : { type: "stopped" };
      return { ...NOTHING_SHOWN, key: envelope.key, outcome };
    },
  };
}

/** Whose stops are judged in the loop of an attempt: nobody's but ours. */
function attemptBinding({ loop, agent }: AttemptEnvelope): Binding {
  return { session: parseSessionId(`task-${loop}`) as SessionId, host: agent };
}
