import { readdirSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, parse } from "node:path";
import { readLines } from "../../system/files/lines.ts";
import { withFile } from "../../system/files/read-file.ts";
import { createLedger, MOST_COUNTED, MOST_SUBAGENTS } from "./spend-cursor.ts";
import { costOf, priceOf, type PriceTable } from "./price.ts";
import type { FilePosition, SpendCursor } from "./spend-cursor.ts";
import { tokensOf, type SubagentFiles, type Transcript, type UsageRow, type Usage } from "./transcript.ts";

interface SpendRequest {
  readonly transcript: Transcript;
  /** null: nothing has been counted yet. The cursor of another session starts counting at the current end. */
  readonly cursor: SpendCursor | null;
  /** Without a cursor, what was written after this counts; left out: nothing of what is there. */
  readonly since?: number;
  readonly table: PriceTable;
}

export interface Charge {
  readonly usd: number;
  readonly tokens: number;
  /** false: some of it is at the highest known price, because its own is unknown. */
  readonly priced: boolean;
}

type OnGrowth = (row: UsageRow, before: Usage, after: Usage) => void;

interface Subagent {
  readonly name: string;
  readonly path: string;
  readonly changedAt: number;
}

const NOWHERE: FilePosition = { inode: 0, offset: 0 };
/** A longer line is an image or the like, and is skipped. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** How much to read to find the current message when counting starts; its later rows then only cost their growth. */
const TAIL_BYTES = 128 * 1024;

/** What the session and its subagents spent since the cursor. Reads only what is new. */
export function readSpend({ transcript, cursor, since = Infinity, table }: SpendRequest): {
  readonly charge: Charge;
  readonly cursor: SpendCursor;
} {
  let usd = 0;
  let tokens = 0;
  let priced = true;
  const next = look(transcript, cursor, cursor === null ? since : Infinity, (row, before, after) => {
    const grown = tokensOf(after) - tokensOf(before);
    const { known, price } = priceOf(row.model, table, after.fast);
    const cost = Math.max(costOf(after, price) - costOf(before, price), 0);
    usd += cost;
    tokens += grown;
    if (!known && (grown > 0 || cost > 0)) priced = false;
  });
  return { charge: { usd: Number(usd.toFixed(9)), tokens, priced }, cursor: next };
}

export function cursorAtEnd(transcript: Transcript): SpendCursor {
  return look(transcript, null, Infinity, () => {});
}

function look(
  { path, format }: Transcript,
  given: SpendCursor | null,
  since: number,
  onGrowth: OnGrowth,
): SpendCursor {
  const lookedAt = Date.now();
  const session = parse(path).name;
  const cursor = given?.session === session ? given : null;
  const ledger = createLedger(cursor?.counted ?? []);

  /** null: the file cannot be read now. Without a position, nothing in the file is charged. */
  function follow(each: string, position: FilePosition | null, ofSubagent: boolean): FilePosition | null {
    return withFile(each, (file, stat) => {
      const { from, chargedAfter } = startOf(stat, position, cursor?.lookedAt ?? since);
      // It may stop anywhere inside a line that is too long: the rest of that line isn't JSON, so it isn't a row.
      const offset = readLines(file, { from, until: stat.size, limitBytes: LONGEST_LINE }, (line) => {
        for (const row of format.usageIn(line)) {
          const { before, after } = ledger.count(row, ofSubagent);
          if ((row.at ?? (cursor === null ? -Infinity : Number.MAX_VALUE)) > chargedAfter)
            onGrowth(row, before, after);
        }
      });
      return { inode: stat.ino, offset };
    });
  }

  const main = follow(path, cursor === null ? null : cursor.main, false) ?? cursor?.main ?? NOWHERE;
  const listed = format.subagents === null ? null : listSubagents(path, session, format.subagents);
  const { subagents, quietUntil } = followSubagents(listed, cursor, (each, position) =>
    follow(each, position, true),
  );
  // A file that doesn't exist yet is read from its start later: everything in it will be new.
  const isToCome = cursor !== null && main.inode === 0;
  const counted = ledger.latest(MOST_COUNTED);
  return { session, lookedAt: isToCome ? cursor.lookedAt : lookedAt, main, subagents, quietUntil, counted };
}

function startOf(
  stat: Stats,
  position: FilePosition | null,
  lookedAt: number,
): { readonly from: number; readonly chargedAfter: number } {
  const atEnd = { from: Math.max(stat.size - TAIL_BYTES, 0), chargedAfter: Infinity };
  if (position === null) return lookedAt === Infinity ? atEnd : { from: 0, chargedAfter: lookedAt };
  if (position.inode === 0 && position.offset === 0) return { from: 0, chargedAfter: lookedAt };
  // Replaced or truncated: its content may already have been charged.
  if (position.inode !== stat.ino || position.offset > stat.size) return atEnd;
  return { from: position.offset, chargedAfter: -Infinity };
}

/** Follows the files that changed recently; for the others it only needs the time of the last change. */
function followSubagents(
  listed: readonly Subagent[] | null,
  cursor: SpendCursor | null,
  follow: (path: string, position: FilePosition | null) => FilePosition | null,
): Pick<SpendCursor, "subagents" | "quietUntil"> {
  const known = cursor?.subagents ?? new Map<string, FilePosition>();
  const wereQuietUntil = cursor?.quietUntil ?? 0;
  let quietUntil = wereQuietUntil;
  if (listed === null) return { subagents: known, quietUntil };
  const positions = new Map<string, FilePosition>();
  for (const { name, path, changedAt } of listed) {
    const position = known.get(name);
    const isKept = positions.size < MOST_SUBAGENTS;
    if (position === undefined && (cursor === null ? !isKept : changedAt <= wereQuietUntil)) {
      quietUntil = Math.max(quietUntil, changedAt);
      continue;
    }
    const next = follow(path, cursor === null ? null : (position ?? NOWHERE));
    if (isKept) positions.set(name, next ?? position ?? NOWHERE);
    else quietUntil = Math.max(quietUntil, changedAt);
  }
  return { subagents: positions, quietUntil };
}

/** Latest change first; null if there are none. Workflows keep theirs in subfolders. */
function listSubagents(
  transcriptPath: string,
  session: string,
  files: SubagentFiles,
): readonly Subagent[] | null {
  const folder = join(dirname(transcriptPath), ...files.folderOf(session));
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => files.name.test(basename(name)))
      .flatMap((name) => {
        const path = join(folder, name);
        const stat = statSync(path, { throwIfNoEntry: false });
        return stat === undefined ? [] : [{ name, path, changedAt: stat.mtimeMs }];
      })
      .sort((one, other) => other.changedAt - one.changedAt);
  } catch {
    return null;
  }
}
