import type { UsageRow } from "./transcript.ts";
import { greaterOf, NO_USAGE, type Usage } from "./usage.ts";

/** A message with what was counted for it. Only the ends of its ids are kept, since they differ. */
export interface CountedMessage {
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
