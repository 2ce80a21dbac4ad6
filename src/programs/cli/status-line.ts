import { parseSessionId } from "../../core/loop/id.ts";
import { topFrame } from "../../core/loop/loop.ts";
import { openLoopOfSession } from "../../storage/loops/known-loop.ts";
import { failedHoldouts, unmetNames } from "../../views/criterion.ts";
import { nextAction } from "../../views/next-action.ts";
import { progressText } from "../../views/plan.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import type { Context } from "./context.ts";

/** The loop of the session that a host describes on standard input, in one line for its status line; empty: it has none. */
export async function statusLine({ machine, readInput }: Context): Promise<string> {
  const session = sessionIn(readInput());
  const loop = session === null ? undefined : (await openLoopOfSession(machine, session))?.live.loop;
  if (loop === undefined) return "";
  const { iteration, iterationLimit, criteria, tasks } = topFrame(loop);
  const unmet = unmetNames(loop);
  const state = loop.phase === "paused" ? `⏸ ${loop.reason}` : `${iteration}/${iterationLimit ?? "∞"}`;
  return [
    `loop ${state}`,
    ...(tasks.length > 0 ? [`${progressText(loop)} tasks`] : []),
    ...(criteria.length > 0
      ? [
          `${criteria.length - unmet.length}/${criteria.length} met${failedHoldouts(loop).length > 0 ? ", but hidden tests fail" : ""}`,
        ]
      : []),
    ...(loop.phase === "active" ? [oneLine(nextAction(loop, unmet), 60)] : []),
  ].join(" · ");
}

function sessionIn(text: string): ReturnType<typeof parseSessionId> {
  try {
    const { session_id: id } = JSON.parse(text) as { readonly session_id?: unknown };
    return parseSessionId(id);
  } catch {
    return null;
  }
}
