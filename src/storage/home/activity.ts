import { appendFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import type { SessionId } from "../../core/loop/id.ts";
import type { FileEdit } from "../../core/stop/facts.ts";
import { sessionPath } from "./session-path.ts";

/** One deed of the agent: a line of a file that only the next stop reads. */
export type Deed =
  | { readonly type: "used"; readonly tool: string }
  | { readonly type: "edited"; readonly path: string; readonly contentDigest: string }
  | { readonly type: "failed"; readonly failure: string };

export function recordDeed(home: string, session: SessionId, deed: Deed): void {
  appendFileSync(sessionPath(home, session, "activity"), `${JSON.stringify(deed)}\n`, { mode: 0o600 });
}

export interface Activity {
  readonly toolUses: number;
  readonly edits: readonly FileEdit[];
}

/** Takes the deeds since the last stop. Renames the file first, so later deeds belong to the next stop. */
export function takeActivity(home: string, session: SessionId): Activity {
  const path = sessionPath(home, session, "activity");
  const taken = `${path}.taken`;
  let text: string;
  try {
    renameSync(path, taken);
    text = readFileSync(taken, "utf8");
    rmSync(taken, { force: true });
  } catch {
    return { toolUses: 0, edits: [] };
  }
  return activityOf(text.split("\n").flatMap(parseDeed));
}

/** Assigns to each edit the first failure after it. */
export function activityOf(deeds: readonly Deed[]): Activity {
  const edits: FileEdit[] = [];
  let failure: string | null = null;
  for (const deed of deeds.toReversed()) {
    if (deed.type === "failed") failure = deed.failure;
    if (deed.type === "edited")
      edits.unshift({ path: deed.path, contentDigest: deed.contentDigest, failure });
  }
  return { toolUses: deeds.length, edits };
}

function parseDeed(line: string): readonly Deed[] {
  try {
    const deed = JSON.parse(line) as Deed;
    return deed.type === "used" || deed.type === "edited" || deed.type === "failed" ? [deed] : [];
  } catch {
    return [];
  }
}
