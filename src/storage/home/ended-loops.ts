import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../core/plain-object.ts";
import { readBounded } from "../../system/files/read-file.ts";
import { writeAtomically } from "../../system/files/write-atomically.ts";
import { digestOfProject } from "./approval-record.ts";

/** What is kept of a loop that nobody has to open again: it ended, or it is an attempt, which only its workflow opens. */
export interface EndedLoop {
  /** Of its journal when it was read; with another mark, something was appended since. */
  readonly mark: string;
  readonly kind: "completed" | "cancelled" | "attempt";
  readonly updatedAt: number;
}

export type EndedLoops = ReadonlyMap<string, EndedLoop>;

const FORMAT = 1;
const SIZE_LIMIT_BYTES = 32 * 1024 * 1024;

/** By id. A list that cannot be used is an empty one: then the journals are read. */
export function readEndedLoops(home: string, root: string): EndedLoops {
  const known = new Map<string, EndedLoop>();
  try {
    const { format, loops } = JSON.parse(readBounded(pathOf(home, root), SIZE_LIMIT_BYTES)) as {
      readonly [key: string]: unknown;
    };
    if (format !== FORMAT || !isObject(loops)) return known;
    for (const [id, row] of Object.entries(loops)) {
      if (!Array.isArray(row)) continue;
      const [mark, kind, updatedAt] = row as readonly unknown[];
      if (typeof mark === "string" && isKind(kind) && typeof updatedAt === "number")
        known.set(id, { mark, kind, updatedAt });
    }
  } catch {
    known.clear();
  }
  return known;
}

function isKind(value: unknown): value is EndedLoop["kind"] {
  return value === "completed" || value === "cancelled" || value === "attempt";
}

/** Of two writers at once one wins, and what only the other knew is read from the journals again. */
export function writeEndedLoops(home: string, root: string, ended: EndedLoops): void {
  const path = pathOf(home, root);
  const loops = Object.fromEntries(
    [...ended].map(([id, each]) => [id, [each.mark, each.kind, each.updatedAt]]),
  );
  try {
    makeFolder(dirname(path));
    writeAtomically(path, JSON.stringify({ format: FORMAT, loops }));
  } catch {
    // Only speed is lost.
  }
}

/** Not recursive: a list doesn't bring back a state home that was deleted. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // it exists, or the state home doesn't; the write will tell
  }
}

function pathOf(home: string, root: string): string {
  return join(home, "ended", `${digestOfProject(root)}.json`);
}
