import { isMet, standardOf } from "../core/criterion.ts";
import type { SessionId } from "../core/id.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import type { HookAnswer } from "../hosts/reply.ts";
import { SILENCE, renderMessage } from "../hosts/reply.ts";
import { findProject } from "../store/project.ts";
import { forgetOldSessions, recordStart } from "../store/session-start.ts";
import { resumeAnnouncement } from "../views/loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";
import type { ChosenLoop } from "../loops/find-loop.ts";
import { inspectLoops, openLoopOfSession } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { startOfSpending } from "./spending.ts";

/**
 * A session starts, goes on or was compacted. A loop of this very conversation is announced to the model;
 * any other active one of the project only to the user, who alone may take it over.
 */
export async function announceLoops(
  machine: Machine,
  session: SessionId,
  host: { readonly transcriptPath: string | null; readonly folder: string },
): Promise<HookAnswer> {
  recordStart(machine.home, session, { startedAt: machine.now(), transcriptPath: host.transcriptPath });
  forgetOldSessions(machine.home, machine.now());
  const own = await openLoopOfSession(machine, session);
  if (own !== null) {
    await beginSpending(machine, own, session);
    return own.live.loop.phase === "active" ? announceToModel(own) : SILENCE;
  }
  const others = (await inspectLoops(machine, findProject(host.folder))).filter(
    (each) => each.type === "loop" && each.live.loop.phase === "active",
  );
  if (others.length === 0) return SILENCE;
  const names = others.map((each) => oneLine(each.id, 80)).join(", ");
  return renderMessage(
    `[LOOP] Active in this project: ${names}. To go on with it in this session: /loop:continue`,
    "decision",
  );
}

/** A loop that was opened for a session before that began has nowhere to count from yet. */
async function beginSpending(machine: Machine, { live }: ChosenLoop, session: SessionId): Promise<void> {
  if (live.loop.transcriptCursor !== null) return;
  await live.record((loop) =>
    loop.transcriptCursor === null && !isEnded(loop) ? startOfSpending(machine, session) : [],
  );
}

function announceToModel({ live: { loop } }: ChosenLoop): HookAnswer {
  const standard = standardOf(loop);
  const unmet = topFrame(loop).criteria.filter((each) => !isMet(each, standard));
  const additionalContext = resumeAnnouncement(
    loop,
    unmet.map((each) => each.name),
  );
  return {
    ...SILENCE,
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } }),
  };
}
