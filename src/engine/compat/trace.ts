import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LoopId } from "../../core/loop/id.ts";
import { parseLoopId } from "../../core/loop/id.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";
import type { Store } from "./find-stores.ts";

/**
 * What we last saw in another hook's store or wrote to it, and for which loop. It tells our own writes from somebody's
 * changes.
 */
export interface Trace {
  readonly loop: LoopId;
  readonly digest: string;
  /** The last text with the loop still running, to continue from after our end. */
  readonly running: string;
  /** Whether we wrote an end to it. */
  readonly ended: boolean;
}

type StoreName = Pick<Store, "origin" | "name">;

export function digestOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function readTrace(home: string, root: string, store: StoreName): Trace | null {
  try {
    const value = JSON.parse(readFileSync(tracePath(home, root, store), "utf8")) as {
      readonly [key: string]: unknown;
    };
    const { digest, running, ended } = value;
    const loop = parseLoopId(value["loop"]);
    if (loop === null || typeof digest !== "string" || typeof running !== "string") return null;
    return { loop, digest, running, ended: ended === true };
  } catch {
    return null;
  }
}

export function writeTrace(home: string, root: string, store: StoreName, trace: Trace): void {
  writePrivateJson(tracePath(home, root, store), trace);
}

export function isAsLeft(trace: Trace | null, store: Store): boolean {
  return trace !== null && trace.digest === digestOfText(store.text);
}

function tracePath(home: string, root: string, store: StoreName): string {
  const key = createHash("sha256").update([root, store.origin, store.name].join("\0")).digest("hex");
  return join(home, "foreign", `${key.slice(0, 32)}.json`);
}
