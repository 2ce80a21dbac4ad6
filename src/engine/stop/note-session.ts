import { NOTHING_MORE, type LoopEvent } from "../../core/events/event.ts";
import { describeCheck, isRepeatable } from "../../core/loop/criterion.ts";
import type { SessionId } from "../../core/loop/id.ts";
import { isHandedBack, isWorkflow, topFrame, type Loop } from "../../core/loop/loop.ts";
import { planHold } from "../../core/stop/hold-reason.ts";
import { NO_REPLY, type Reply } from "../../agents/hosts/reply.ts";
import { planLines } from "../../views/prompts/hold.ts";
import type { ApiTrouble } from "../../agents/hosts/host-event.ts";
import { openLoopOfSession } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { iterationLine } from "../../views/loop-lines.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { hooksNeededLine } from "../../views/session-texts.ts";

/**
 * A prompt begins a turn. It also ends a usage limit: the user works again. After a hand-back it answers "Continue?": a plain "no"
 * pauses the loop. Returns what is said of a loop that goes on.
 */
export async function notePrompt(
  machine: Machine,
  session: SessionId,
  { isAnswer, declines }: Prompt,
): Promise<Reply> {
  const chosen = await openLoopOfSession(machine, session);
  if (chosen === null) return NO_REPLY;
  const { live } = chosen;
  const { phase } = live.loop;
  const answersQuestion = isAnswer && isHandedBack(live.loop);
  await live.record((loop) => {
    if (loop.phase === "active" && declines && isHandedBack(loop))
      return [{ type: "loop.paused", reason: "user", detail: null, by: "person" }];
    if (loop.phase === "active") return [{ type: "turn.started" }];
    if (loop.phase !== "paused" || loop.reason !== "rate-limit") return [];
    return [{ type: "loop.continued", ...NOTHING_MORE, by: "machine" }];
  });
  const { loop } = live;
  const isResumed = phase === "paused" && loop.phase === "active";
  const goesOn = loop.phase === "active" && (answersQuestion || isResumed);
  if (!goesOn) return NO_REPLY;
  // The agent of a plain loop knows what it was at. That of a workflow was let go before it heard what is next.
  return isWorkflow(loop)
    ? { type: "announcement", at: "prompt", text: planLines(planHold(loop, null)).join("\n"), toUser: null }
    : { type: "message", text: iterationLine(loop, topFrame(loop).iteration + 1) };
}

interface Prompt {
  /** Words of the user's own, and no command. */
  readonly isAnswer: boolean;
  readonly declines: boolean;
}

/** The session is busy with itself, which doesn't count as silence. */
export async function noteWait(machine: Machine, session: SessionId, what: string): Promise<void> {
  await note(machine, session, (loop) => (loop.phase === "active" ? [{ type: "wait.began", what }] : []));
}

/** An API error ends a turn without a stop. It neither counts nor loses an iteration. */
export async function noteApiTrouble(
  machine: Machine,
  session: SessionId,
  trouble: ApiTrouble,
): Promise<void> {
  await note(machine, session, (loop) => {
    if (loop.phase !== "active") return [];
    switch (trouble.type) {
      case "usage-limit":
        return [{ type: "loop.paused", reason: "rate-limit", detail: trouble.detail, by: "machine" }];
      case "needs-person":
        return [{ type: "loop.paused", reason: "blocked", detail: trouble.detail, by: "machine" }];
      case "passing":
        return [{ type: "wait.began", what: "api-error" }];
    }
  });
}

/**
 * An agent can call a hook, too. Above that call stands a shell that the host gave to it: a process can change its own variables, but
 * not its parent's.
 */
export function isMadeUp(
  { processes }: Pick<Machine, "processes">,
  { marks }: Host,
  own: SessionId,
): boolean {
  return processes
    .processesAbove()
    .some(({ env }) =>
      marks.some(
        ({ session, hooksOnly }) =>
          session !== undefined &&
          hooksOnly !== undefined &&
          env[session] === own &&
          env[hooksOnly] === undefined,
      ),
    );
}

async function note(
  machine: Machine,
  session: SessionId,
  decide: (loop: Loop) => readonly LoopEvent[],
): Promise<void> {
  const chosen = await openLoopOfSession(machine, session);
  if (chosen === null) return;
  await chosen.live.record(decide);
}

/** Whether a shell line is, word for word, a check of the session's loop or of its plan's tasks: that runs at each claim anyway. */
export async function isOwnCheck(machine: Machine, session: SessionId, line: string): Promise<boolean> {
  const loop = (await openLoopOfSession(machine, session))?.live.loop;
  if (loop?.phase !== "active") return false;
  const checked = [...topFrame(loop).criteria, ...(loop.workflow?.plan.tasks ?? [])];
  return checked.some(
    (each) => isRepeatable(each) && each.check !== null && describeCheck(each.check) === line.trim(),
  );
}

const SIZE_LIMIT_BYTES = 1024 * 1024;

/** Nobody could say any more that the loop no longer holds its session: so it is paused first, by its user. */
export async function replyToSettings(
  machine: Machine,
  session: SessionId,
  file: string | null,
  host: Host,
): Promise<Reply> {
  const text = file === null ? null : settingsIn(file);
  if (text === null || !host.silencesHooks(text)) return NO_REPLY;
  const loop = (await openLoopOfSession(machine, session))?.live.loop;
  if (loop?.phase !== "active") return NO_REPLY;
  const reason = hooksNeededLine(loop, host);
  return { type: "hold", reason, line: reason };
}

function settingsIn(file: string): string | null {
  try {
    return readBounded(file, SIZE_LIMIT_BYTES);
  } catch {
    return null;
  }
}
