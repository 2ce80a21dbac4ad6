import type { SessionId } from "../../core/loop/id.ts";
import type { Host } from "../../agents/hosts/host.ts";
import { NO_REPLY, type Reply } from "../../agents/hosts/reply.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { openLoopOfSession } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { hooksNeededLine } from "../../views/session-texts.ts";

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
