import { greaterOf, NO_USAGE, type UsageRow, type Usage } from "./transcript.ts";

/** How far one file has been counted; 0 and 0 for a file that didn't exist. */
export interface FilePosition {
  readonly inode: number;
  /** After the last whole line. */
  readonly offset: number;
}

/** Where counting continues: stored with each charge, so it has to stay small. */
export interface SpendCursor {
  readonly session: string;
  /** Milliseconds since the epoch. In a file that appears later, earlier rows are copies. */
  readonly lookedAt: number;
  readonly main: FilePosition;
  readonly subagents: ReadonlyMap<string, FilePosition>;
  /** No subagent's file that isn't listed above changed after this. */
  readonly quietUntil: number;
  readonly counted: readonly CountedMessage[];
}

export const MOST_SUBAGENTS = 32;
export const MOST_COUNTED = 32;

const VERSION = 1;
const LONGEST_TEXT = 64 * 1024;

export function encodeCursor(cursor: SpendCursor): string {
  return JSON.stringify([
    VERSION,
    cursor.session,
    cursor.lookedAt,
    [cursor.main.inode, cursor.main.offset],
    [...cursor.subagents].map(([name, { inode, offset }]) => [name, inode, offset]),
    cursor.quietUntil,
    cursor.counted.map(({ message, request, ofSubagent, usage }) => [
      message,
      request,
      (ofSubagent ? 1 : 0) + (usage.inUs ? 2 : 0) + (usage.fast ? 4 : 0),
      usage.input,
      usage.output,
      usage.cacheWrite,
      usage.cacheWrite1h,
      usage.cacheRead,
      usage.webSearches,
    ]),
  ]);
}

/** null: not one of our cursors, so counting starts again at the current end. */
export function decodeCursor(text: string): SpendCursor | null {
  if (text.length > LONGEST_TEXT) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 7) return null;
  const [version, session, lookedAt, main, subagents, quietUntil, counted] = value as unknown[];
  if (version !== VERSION || typeof session !== "string" || !isAmount(lookedAt) || !isAmount(quietUntil))
    return null;
  const mainPlace = positionFrom(main);
  const positions = listFrom(subagents, MOST_SUBAGENTS, namedPlaceFrom);
  const messages = listFrom(counted, MOST_COUNTED, messageFrom);
  if (mainPlace === null || positions === null || messages === null) return null;
  return { session, lookedAt, main: mainPlace, subagents: new Map(positions), quietUntil, counted: messages };
}

function listFrom<Item>(
  value: unknown,
  most: number,
  from: (item: unknown) => Item | null,
): readonly Item[] | null {
  if (!Array.isArray(value) || value.length > most) return null;
  const items = value.map(from);
  return items.every((item) => item !== null) ? items : null;
}

function positionFrom(value: unknown): FilePosition | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [inode, offset] = value as unknown[];
  return isAmount(inode) && isCount(offset) ? { inode, offset } : null;
}

function namedPlaceFrom(value: unknown): readonly [string, FilePosition] | null {
  if (!Array.isArray(value)) return null;
  const [name, ...rest] = value as unknown[];
  const position = positionFrom(rest);
  return typeof name === "string" && position !== null ? [name, position] : null;
}

function messageFrom(value: unknown): CountedMessage | null {
  if (!Array.isArray(value) || value.length !== 9) return null;
  const [message, request, ...rest] = value as unknown[];
  if (typeof message !== "string" || typeof request !== "string" || !rest.every(isCount)) return null;
  const [flags = 0, input = 0, output = 0, cacheWrite = 0, cacheWrite1h = 0, cacheRead = 0, webSearches = 0] =
    rest;
  const inUs = (flags & 2) !== 0;
  const fast = (flags & 4) !== 0;
  const usage = { input, output, cacheWrite, cacheWrite1h, cacheRead, webSearches, inUs, fast };
  return { message, request, ofSubagent: (flags & 1) !== 0, usage };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isCount(value: unknown): value is number {
  return isAmount(value) && Number.isSafeInteger(value);
}

/** A message with what was counted for it. Only the ends of its ids are kept, since they differ. */
interface CountedMessage {
  readonly message: string;
  readonly request: string;
  /** The file its last row was in. */
  readonly ofSubagent: boolean;
  readonly usage: Usage;
}

/** Counts every message once, however many rows and files repeat it. */
interface Ledger {
  /** What was counted for the row's message before, and what is counted now. */
  count(row: UsageRow, ofSubagent: boolean): { readonly before: Usage; readonly after: Usage };
  /** The latest ones, oldest first. */
  latest(limit: number): readonly CountedMessage[];
}

interface Entry extends CountedMessage {
  readonly at: number;
}

const MESSAGE_LENGTH = 12;
const REQUEST_LENGTH = 6;
const KEPT_IN_MEMORY = 4096;
/** More than one only if a gateway doesn't give its messages ids. */
const KEPT_OF_ONE_ID = 64;

export function createLedger(counted: readonly CountedMessage[]): Ledger {
  const entries = new Map<string, Entry[]>();
  let latestAt = 0;
  for (const each of counted) put({ ...each, at: 0 }, null);

  function put(entry: Entry, instead: Entry | null): void {
    const others = (entries.get(entry.message) ?? []).filter((each) => each !== instead);
    entries.delete(entry.message);
    entries.set(entry.message, [...others, entry].slice(-KEPT_OF_ONE_ID));
    if (entries.size <= KEPT_IN_MEMORY) return;
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      break;
    }
  }

  return {
    count(row, ofSubagent) {
      const message = row.message.slice(-MESSAGE_LENGTH);
      const request = row.request.slice(-REQUEST_LENGTH);
      const alike = entries.get(message)?.filter((each) => isSame(each, { request, ofSubagent })) ?? [];
      const found = alike.find((each) => each.request === request) ?? alike[0] ?? null;
      const before = found?.usage ?? NO_USAGE;
      const after = greaterOf(before, row.usage);
      latestAt = Math.max(latestAt, row.at ?? 0);
      const at = row.at ?? latestAt;
      put({ message, request, ofSubagent, usage: after, at }, found);
      return { before, after };
    },
    latest(limit) {
      return [...entries.values()]
        .flat()
        .sort((one, other) => one.at - other.at)
        .slice(-limit)
        .map(({ message, request, ofSubagent, usage }) => ({ message, request, ofSubagent, usage }));
    },
  };
}

/** The copy in a subagent's file may name another request; within a file, the request tells two messages apart. */
function isSame(entry: CountedMessage, row: Pick<CountedMessage, "request" | "ofSubagent">): boolean {
  if (entry.ofSubagent !== row.ofSubagent) return true;
  return entry.request === row.request || entry.request === "" || row.request === "";
}
