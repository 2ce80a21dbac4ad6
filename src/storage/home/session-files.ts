import { rmSync, readdirSync, statSync, appendFileSync, readFileSync, renameSync } from "node:fs";
import * as v from "valibot";
import { parseLoopId, parseSessionId, type LoopId, type SessionId } from "../../core/loop/id.ts";
import type { ProcessMark } from "../../core/loop/loop.ts";
import { namesIn } from "../../system/files/folders.ts";
import { isUnreadable, readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { sessionPath } from "./state-home.ts";
import { join } from "node:path";
import type { FileEdit } from "../../core/stop/facts.ts";

/** Which loop a session has. Only a hint for speed: the loop's journal has the binding. */
export interface SessionEntry {
  readonly root: string;
  readonly loop: LoopId;
  /** The process that drives it; missing for a host's session. */
  readonly process?: ProcessMark;
  /** It was cancelled elsewhere, and the session's user has yet to be told. */
  readonly isCancelled?: true;
}

const processSchema = v.object({ pid: v.number(), startedAt: v.string(), boot: v.string() });

const entrySchema = v.object({
  root: v.string(),
  process: v.exactOptional(processSchema),
  isCancelled: v.exactOptional(v.literal(true)),
  loop: v.custom<LoopId>((value) => parseLoopId(value) !== null),
});

export function findSession(home: string, session: SessionId): SessionEntry | null {
  return readJsonFile(sessionPath(home, session, "loop"), entrySchema);
}

/** Whether the session's entry cannot be read: damaged, or without permission. */
export function isEntryUnreadable(home: string, session: SessionId): boolean {
  return isUnreadable(sessionPath(home, session, "loop"), entrySchema);
}

/** The run that one of these processes drives; null: none of them drives any. */
export function runOfProcesses(home: string, processes: readonly ProcessMark[]): SessionId | null {
  if (processes.length === 0) return null;
  for (const { session, driver } of runs(home))
    if (processes.some((each) => isSameProcess(each, driver))) return session;
  return null;
}

/** The process that drives a loop, or did so last; for those who can't ask its journal. */
export function driverOf(
  home: string,
  { root, loop }: Pick<SessionEntry, "root" | "loop">,
): ProcessMark | null {
  for (const { entry, driver } of runs(home)) if (entry.loop === loop && entry.root === root) return driver;
  return null;
}

function* runs(
  home: string,
): Generator<{ readonly session: SessionId; readonly entry: SessionEntry; readonly driver: ProcessMark }> {
  for (const name of namesIn(join(home, "sessions"))) {
    const session = parseSessionId(/^(run-[\w-]+)\.loop\.json$/.exec(name)?.[1]);
    const entry = session === null ? null : findSession(home, session);
    if (session !== null && entry?.process !== undefined) yield { session, entry, driver: entry.process };
  }
}

export function isSameProcess(one: ProcessMark, other: ProcessMark): boolean {
  return one.pid === other.pid && one.startedAt === other.startedAt && one.boot === other.boot;
}

export function rememberSession(home: string, session: SessionId, entry: SessionEntry): void {
  writePrivateJson(sessionPath(home, session, "loop"), entry);
}

/** Only if the entry is for that loop: the session may have another one by now. */
export function forgetSession(home: string, session: SessionId, loop: LoopId): void {
  if (findSession(home, session)?.loop !== loop) return;
  rmSync(sessionPath(home, session, "loop"), { force: true });
}

/** For an entry of that loop: the next hook of the session says so, and forgets it. */
export function noteCancelled(home: string, session: SessionId, loop: LoopId): void {
  const entry = findSession(home, session);
  if (entry?.loop === loop) rememberSession(home, session, { ...entry, isCancelled: true });
}

const startSchema = v.object({
  startedAt: v.number(),
  transcriptPath: v.nullable(v.string()),
  /** The host; missing if an earlier version wrote this. */
  host: v.exactOptional(v.string()),
  /** The version of the hooks; missing if an earlier version wrote this. */
  version: v.exactOptional(v.string()),
  /** The host's process; missing where none could be told from the others. */
  client: v.exactOptional(processSchema),
  /** Its user left it. */
  hasEnded: v.exactOptional(v.literal(true)),
});

/** What a host reported when a session began. */
export type SessionStart = Readonly<v.InferOutput<typeof startSchema>>;

export function findStart(home: string, session: SessionId): SessionStart | null {
  return readJsonFile(sessionPath(home, session, "start"), startSchema);
}

/** Keeps the first start of a resumed conversation, but updates the version of its hooks. */
export function recordStart(home: string, session: SessionId, start: SessionStart): void {
  const known = findStart(home, session);
  writePrivateJson(sessionPath(home, session, "start"), {
    startedAt: known?.startedAt ?? start.startedAt,
    transcriptPath: start.transcriptPath ?? known?.transcriptPath ?? null,
    host: start.host ?? known?.host,
    version: start.version,
    client: start.client,
  });
}

/** Until it starts again, as a resumed conversation does. */
export function recordEnd(home: string, session: SessionId): void {
  const known = findStart(home, session);
  if (known !== null) writePrivateJson(sessionPath(home, session, "start"), { ...known, hasEnded: true });
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

/** One tool event of the agent: a line of a file that only the next stop reads. */
export type ToolEvent =
  | { readonly type: "used"; readonly tool: string }
  | { readonly type: "edited"; readonly path: string; readonly contentDigest: string }
  | { readonly type: "failed"; readonly failure: string };

export function recordToolEvent(home: string, session: SessionId, toolEvent: ToolEvent): void {
  appendFileSync(sessionPath(home, session, "activity"), `${JSON.stringify(toolEvent)}\n`, { mode: 0o600 });
}

interface Activity {
  readonly toolUses: number;
  readonly edits: readonly FileEdit[];
}

/** Takes the tool events since the last stop. Renames the file first, so later tool events belong to the next stop. */
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
  return activityOf(text.split("\n").flatMap(parseToolEvent));
}

/** Assigns to each edit the first failure after it. */
export function activityOf(toolEvents: readonly ToolEvent[]): Activity {
  const edits: FileEdit[] = [];
  let failure: string | null = null;
  for (const toolEvent of toolEvents.toReversed()) {
    if (toolEvent.type === "failed") failure = toolEvent.failure;
    if (toolEvent.type === "edited")
      edits.unshift({ path: toolEvent.path, contentDigest: toolEvent.contentDigest, failure });
  }
  return { toolUses: toolEvents.length, edits };
}

function parseToolEvent(line: string): readonly ToolEvent[] {
  try {
    const toolEvent = JSON.parse(line) as ToolEvent;
    return toolEvent.type === "used" || toolEvent.type === "edited" || toolEvent.type === "failed"
      ? [toolEvent]
      : [];
  } catch {
    return [];
  }
}

const shellsSchema = v.array(v.string());

/** Ids of the shells that ran when the session last stopped. */
export function shellsAtLastStop(home: string, session: SessionId): readonly string[] {
  return readJsonFile(sessionPath(home, session, "background"), shellsSchema) ?? [];
}

export function rememberShells(home: string, session: SessionId, ids: readonly string[]): void {
  if (ids.length === 0 && shellsAtLastStop(home, session).length === 0) return;
  writePrivateJson(sessionPath(home, session, "background"), ids);
}

/** What the user of a session is shown after its agent's next tool call. What wasn't shown until then is out of date. */
export function leaveNews(home: string, session: SessionId, text: string): void {
  try {
    writeAtomically(sessionPath(home, session, "news"), JSON.stringify(text));
  } catch {
    // The hold that it is about counts anyway.
  }
}

/** Takes it, so that it is shown once. */
export function takeNews(home: string, session: SessionId): string | null {
  const path = sessionPath(home, session, "news");
  const text = readJsonFile(path, v.string());
  if (text !== null) rmSync(path, { force: true });
  return text;
}

const heldSchema = v.object({ times: v.number(), digest: v.string() });

/** How often its prompt was held, and a digest of what was said last; for hosts that count holds, or report them as prompts. */
export type Held = Readonly<v.InferOutput<typeof heldSchema>>;

export function lastHeld(home: string, session: SessionId): Held | null {
  return readJsonFile(sessionPath(home, session, "held"), heldSchema);
}

export function rememberHeld(home: string, session: SessionId, held: Held): void {
  writePrivateJson(sessionPath(home, session, "held"), held);
}

/** The sessions of these processes, the one that started last first. A client has one at a time, and may have had others. */
export function sessionsOfClients(
  home: string,
  clients: readonly ProcessMark[],
): readonly { readonly session: SessionId; readonly host: string }[] {
  if (clients.length === 0) return [];
  return namesIn(join(home, "sessions"))
    .flatMap((name) => {
      const session = parseSessionId(/^(.+)\.start\.json$/.exec(name)?.[1]);
      const start = session === null ? null : findStart(home, session);
      if (session === null || start?.client === undefined || start.host === undefined) return [];
      const { client, host } = start;
      if (start.hasEnded === true || !clients.some((each) => isSameProcess(each, client))) return [];
      const at = statSync(sessionPath(home, session, "start"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return [{ session, host, at }];
    })
    .toSorted((one, other) => other.at - one.at);
}

/** Whether its user was last told this about a loop that doesn't hold it. */
export function wasTold(home: string, session: SessionId, what: string): boolean {
  return readJsonFile(sessionPath(home, session, "told"), v.string()) === what;
}

export function rememberTold(home: string, session: SessionId, what: string): void {
  writePrivateJson(sessionPath(home, session, "told"), what);
}

const permitSchema = v.object({
  command: v.string(),
  args: v.string(),
  at: v.number(),
  /** The host's id of the prompt it was typed in, which identifies a second report. */
  promptId: v.nullable(v.string()),
  isTaken: v.boolean(),
});

/** A command that the user typed in a session, word for word. The agent may run it once. */
export type Permit = Readonly<v.InferOutput<typeof permitSchema>>;

/** Long enough for an agent to get to it, too short to save for later. */
const VALID_MS = 10 * 60_000;

/** A host may report one typed command twice; it still counts once. */
export function grantPermit(home: string, session: SessionId, permit: Omit<Permit, "isTaken">): void {
  const path = sessionPath(home, session, "permit");
  const known = readJsonFile(path, permitSchema);
  if (permit.promptId !== null && known?.promptId === permit.promptId) return;
  writePrivateJson(path, { ...permit, args: wordsToKeep(permit.args), isTaken: false });
}

/** An agent could not repeat more on a command line: Linux takes no longer argument. */
const MOST_KEPT = 128 * 1024;

/** A prompt may be many megabytes. Half a word is left out, because half a flag is another one. */
function wordsToKeep(args: string): string {
  if (args.length <= MOST_KEPT) return args;
  const kept = args.slice(0, MOST_KEPT + 1);
  return kept.slice(0, Math.max(0, ...[" ", "\n", "\t"].map((blank) => kept.lastIndexOf(blank))));
}

/** Drops the permit, because the user has said something else since. */
export function revokePermit(home: string, session: SessionId): void {
  rmSync(sessionPath(home, session, "permit"), { force: true });
}

/** What the user typed last, if the agent may still run it; null: nothing. */
export function findPermit(home: string, session: SessionId, now: number): Permit | null {
  const permit = readJsonFile(sessionPath(home, session, "permit"), permitSchema);
  return permit === null || permit.isTaken || now - permit.at > VALID_MS ? null : permit;
}

/** The command of ours that its last prompt was; null: it was something else. */
export function lastTyped(home: string, session: SessionId): string | null {
  return readJsonFile(sessionPath(home, session, "permit"), permitSchema)?.command ?? null;
}

/** Takes a permit that covers the request, so it works only once; null: there is none. */
export function takePermit(
  home: string,
  session: SessionId,
  now: number,
  covers: (permit: Permit) => boolean,
): Permit | null {
  const permit = findPermit(home, session, now);
  if (permit === null || !covers(permit)) return null;
  writePrivateJson(sessionPath(home, session, "permit"), { ...permit, isTaken: true });
  return permit;
}
