import type { SessionId } from "../../core/loop/id.ts";
import type { ToolUse } from "../../agents/hosts/host-event.ts";
import { NO_REPLY, type Reply } from "../../agents/hosts/reply.ts";
import { findSession, recordToolEvent, takeNews } from "../../storage/home/session-files.ts";
import { digestOfEdited } from "../../system/tree/file-version.ts";

/** A tool was used in a session: the stop will know. Its user hears what was left for them. */
export function noteToolUse(home: string, session: SessionId, use: ToolUse): Reply {
  recordToolUse(home, session, use);
  const text = takeNews(home, session);
  return text === null ? NO_REPLY : { type: "message", text };
}

/** Records a tool call of a session with a loop: that work is in progress, and which file it edits. */
function recordToolUse(home: string, session: SessionId, use: ToolUse): void {
  if (findSession(home, session) === null) return;
  if (use.type !== "edited") return recordToolEvent(home, session, use);
  const contentDigest = digestOfEdited(use.path);
  return recordToolEvent(
    home,
    session,
    contentDigest === null
      ? { type: "used", tool: "edit" }
      : { type: "edited", path: use.path, contentDigest },
  );
}
