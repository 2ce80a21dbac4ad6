import type { SessionId } from "../../core/id.ts";
import type { ToolUse } from "../../agents/hosts/host-event.ts";
import { recordDeed, findSession } from "../../storage/home/session-files.ts";
import { digestOfEdited } from "../../system/tree/edited-file.ts";
import type { Machine } from "../../storage/loops/machine.ts";

/** Records a tool call of a session with a loop: that work is in progress, and which file it edits. */
export function recordToolUse(machine: Machine, session: SessionId, use: ToolUse): void {
  if (findSession(machine.home, session) === null) return;
  if (use.type !== "edited") return recordDeed(machine.home, session, use);
  const contentDigest = digestOfEdited(use.path);
  return recordDeed(
    machine.home,
    session,
    contentDigest === null
      ? { type: "used", tool: "edit" }
      : { type: "edited", path: use.path, contentDigest },
  );
}
