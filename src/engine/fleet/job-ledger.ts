import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { namesIn } from "../../system/files/folders.ts";
import { readJsonFile, writePrivateJson } from "../../system/files/json-file.ts";
import { LONGEST_MS, type FetchedJob } from "./fleet-engine.ts";
import { sweepDrafts } from "../../system/files/write-atomically.ts";
import { fleetFolder } from "./keys.ts";

const entry = v.object({
  id: v.pipe(v.string(), v.uuid()),
  queue: v.string(),
  envelope: v.string(),
  isOver: v.boolean(),
  /** Its worktree is, since it can be resumed. */
  isKept: v.optional(v.boolean(), false),
});

/** After that no envelope is valid any more. */
const KEPT_MS = 2 * LONGEST_MS;

/** The jobs that a worker has ever taken: none is taken twice, and what a kill cut off is resumed. */
export class JobLedger {
  readonly #folder: string;

  constructor(home: string, worker: string) {
    this.#folder = join(fleetFolder(home), "jobs", worker);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    sweepDrafts(this.#folder);
  }

  has(id: string): boolean {
    return readJsonFile(this.#path(id), entry) !== null;
  }

  note(
    { id, queue, envelope }: FetchedJob,
    { isOver, isKept = false }: { readonly isOver: boolean; readonly isKept?: boolean },
  ): void {
    writePrivateJson(this.#path(id), { id, queue, envelope, isOver, isKept });
  }

  /** Those that were being worked on when the last process ended. */
  unfinished(): readonly FetchedJob[] {
    return this.#entries().filter(({ isOver }) => !isOver);
  }

  /** Those that may be resumed, and whose worktrees are still there. */
  kept(): readonly FetchedJob[] {
    return this.#entries().filter(({ isOver, isKept }) => isOver && isKept);
  }

  #entries(): readonly v.InferOutput<typeof entry>[] {
    return namesIn(this.#folder).flatMap((name) => readJsonFile(join(this.#folder, name), entry) ?? []);
  }

  prune(now: number): void {
    for (const name of namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found !== undefined && now - found.mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}
