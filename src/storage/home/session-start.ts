import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { SessionId } from "../../core/loop/id.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { sessionPath } from "./session-path.ts";

const schema = v.object({
  startedAt: v.number(),
  transcriptPath: v.nullable(v.string()),
  /** The host; missing if an earlier version wrote this. */
  host: v.exactOptional(v.string()),
  /** The version of the hooks; missing if an earlier version wrote this. */
  version: v.exactOptional(v.string()),
});

/** What a host reported when a session began. */
export type SessionStart = Readonly<v.InferOutput<typeof schema>>;

export function findStart(home: string, session: SessionId): SessionStart | null {
  return readJsonFile(sessionPath(home, session, "start"), schema);
}

/** Keeps the first start of a resumed conversation, but updates the version of its hooks. */
export function recordStart(home: string, session: SessionId, start: SessionStart): void {
  const known = findStart(home, session);
  writePrivateJson(sessionPath(home, session, "start"), {
    startedAt: known?.startedAt ?? start.startedAt,
    transcriptPath: start.transcriptPath ?? known?.transcriptPath ?? null,
    host: start.host ?? known?.host,
    version: start.version,
  });
}

const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Deletes the files of sessions untouched for a month, except those that still have a loop. */
export function forgetOldSessions(home: string, now: number): void {
  const folder = join(home, "sessions");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  const bound = new Set(
    names.filter((name) => name.endsWith(".loop.json")).map((name) => name.slice(0, -".loop.json".length)),
  );
  for (const name of names) {
    const session = name.replace(/\.[a-z]+\.json$/, "");
    if (bound.has(session)) continue;
    try {
      if (now - statSync(join(folder, name)).mtimeMs > KEPT_MS) rmSync(join(folder, name), { force: true });
    } catch {
      // gone already
    }
  }
}
