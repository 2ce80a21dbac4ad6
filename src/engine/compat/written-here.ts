import { statSync } from "node:fs";
import { join } from "node:path";
import { readLines, withFile } from "../../system/files/read-lines.ts";
import type { Host } from "../../agents/hosts/host.ts";
import type { Project } from "../../storage/home/project.ts";
import type { SessionStart } from "../../storage/home/session-files.ts";

const LONGEST_ROW_BYTES = 8 * 1024 * 1024;

/**
 * Whether a session wrote a store itself. If the repository is older than the session, a newer, untracked store was written in the
 * session. If the repository is newer, or there is none, the project may be a copy of a template whose store contains untrusted
 * text for the model: then the session's transcript has to show who wrote it.
 */
export function isWrittenHere(
  { root }: Project,
  store: string,
  { startedAt }: Pick<SessionStart, "startedAt">,
  transcript: { readonly path: string; readonly host: Host },
): boolean {
  const made = statSync(join(root, ".git"), { throwIfNoEntry: false })?.birthtimeMs;
  if (made !== undefined && made < startedAt) return true;
  let isSeen = false;
  withFile(transcript.path, (file, { size }) =>
    readLines(file, { from: 0, until: size, limitBytes: LONGEST_ROW_BYTES }, (line) => {
      isSeen ||= transcript.host.isToolWriting(line, store);
    }),
  );
  return isSeen;
}
