import { isMet, standardOf } from "../core/criterion.ts";
import type { SessionId } from "../core/id.ts";
import { isEnded, topFrame } from "../core/loop.ts";
import type { HookAnswer } from "../hosts/reply.ts";
import { renderAnnouncement } from "../hosts/reply.ts";
import { transact } from "../loops/loop-store.ts";
import { findProject } from "../store/project.ts";
import { forgetOldSessions, recordStart } from "../store/session-start.ts";
import { resumeAnnouncement } from "../views/loop-lines.ts";
import { oneLine } from "../text/plain-text.ts";
import type { ChosenLoop } from "../loops/find-loop.ts";
import { inspectLoops, openLoopOfSession } from "../loops/find-loop.ts";
import type { Machine } from "../loops/machine.ts";
import { otherVersionNotice } from "./other-version.ts";
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
  const { toUser, toModel } = await announcement(machine, session, host.folder);
  const lines = [otherVersionNotice(machine.env), toUser].filter((line) => line !== null);
  return renderAnnouncement(lines.length === 0 ? null : lines.join("\n"), toModel);
}

interface Announcement {
  readonly toUser: string | null;
  readonly toModel: string | null;
}

const NOTHING: Announcement = { toUser: null, toModel: null };

async function announcement(machine: Machine, session: SessionId, folder: string): Promise<Announcement> {
  const own = openLoopOfSession(machine, session);
  if (own !== null) {
    await beginSpending(machine, own, session);
    return own.standing.loop.phase === "active" ? { ...NOTHING, toModel: resumeText(own) } : NOTHING;
  }
  const others = inspectLoops(machine, findProject(folder)).filter(
    (each) => each.type === "loop" && each.standing.loop.phase === "active",
  );
  if (others.length === 0) return NOTHING;
  const names = others.map((each) => oneLine(each.id, 80)).join(", ");
  return {
    ...NOTHING,
    toUser: `[LOOP] Active in this project: ${names}. To go on with it in this session: /loop:continue`,
  };
}

/** A loop that was opened for a session before that began has nowhere to count from yet. */
async function beginSpending(machine: Machine, { standing }: ChosenLoop, session: SessionId): Promise<void> {
  if (standing.loop.transcriptCursor !== null) return;
  await transact(standing, machine.now, (loop) => ({
    events: loop.transcriptCursor === null && !isEnded(loop) ? startOfSpending(machine, session) : [],
    result: undefined,
  }));
}

function resumeText({ standing: { loop } }: ChosenLoop): string {
  const standard = standardOf(loop);
  const unmet = topFrame(loop).criteria.filter((each) => !isMet(each, standard));
  return resumeAnnouncement(
    loop,
    unmet.map((each) => each.name),
  );
}
