import { appendFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { OWN_MARKS } from "../../agents/hosts/caller.ts";
import type { Host } from "../../agents/hosts/host.ts";
import type { SessionId } from "../../core/loop/id.ts";

/**
 * Tells the agent's shells which session they are in, where the host gives them a file to read and no id of its own. Ids of
 * hosts and sessions have no character that a shell reads in another way. A file that isn't there, or isn't ours, is left alone.
 */
export function exportSession(file: string | null, host: Host, session: SessionId): void {
  if (file === null || !isAbsolute(file)) return;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && (!found.isFile() || found.uid !== process.getuid?.())) return;
    appendFileSync(file, `export ${OWN_MARKS.host}=${host.id} ${OWN_MARKS.session}=${session}\n`, {
      mode: 0o600,
    });
  } catch {
    // The process above tells it, too, where processes can be seen.
  }
}
