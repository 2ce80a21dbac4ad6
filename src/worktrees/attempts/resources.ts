import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import { isResourceName } from "../../core/loop/id.ts";
import { findGitFolders } from "../../system/git/git-files.ts";
import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { errnoOf } from "../../system/files/path-errors.ts";
import { readJsonFile } from "../../system/files/json-file.ts";
import { isStillAlive, ownMark } from "../../system/process/process-facts.ts";

export type Acquired =
  /** Hold on to it until the end, then release. Whoever dies releases by that. */
  | { readonly type: "acquired"; readonly release: () => void }
  /** Nothing is held: this one is in use. Try again. */
  | { readonly type: "busy"; readonly name: string };

/**
 * Takes one unit of each resource that a project has only so many of, such as `{db: 1}`: all of them or none, by their names in order.
 * Among all processes of this machine, in whichever checkout of the repository they work.
 */
export function acquireResources(options: {
  readonly stateHome: string;
  readonly root: string;
  /** How many there are of each. */
  readonly resources: { readonly [name: string]: number };
}): Acquired {
  const { stateHome, root, resources } = options;
  const repository = findGitFolders(root)?.commonFolder ?? root;
  const project = createHash("sha256").update(repository).digest("hex").slice(0, 16);
  const held: Unit[] = [];
  const release = (): void => {
    for (const unit of held.splice(0).toReversed()) unit.release();
  };
  for (const name of Object.keys(resources).toSorted()) {
    if (!isResourceName(name)) throw new Error(`${name} can't name a resource`);
    const folder = join(stateHome, "resources", project, name);
    const unit = takeAny(folder, resources[name] ?? 0);
    if (unit === null) {
      release();
      return { type: "busy", name };
    }
    held.push(unit);
  }
  return { type: "acquired", release };
}

function takeAny(folder: string, count: number): Unit | null {
  for (let number = 1; number <= count; number += 1) {
    const unit = takeUnit(join(folder, String(number)));
    if (unit !== null) return unit;
  }
  return null;
}

/** Below the ports that systems hand out by themselves. */
const FIRST_PORT = 20_000;
const PORTS_PER_SLOT = 20;
const MOST_SLOTS = 600;

/** What tells commands that run at once apart, so that servers and databases of theirs don't meet. Slots count from 0. */
function slotEnvironment(slot: number): { readonly LOOP_SLOT: string; readonly LOOP_PORT_BASE: string } {
  return { LOOP_SLOT: String(slot), LOOP_PORT_BASE: String(FIRST_PORT + slot * PORTS_PER_SLOT) };
}

export interface Slot {
  readonly env: ReturnType<typeof slotEnvironment>;
  /** Whoever dies releases by that. */
  readonly release: () => void;
}

/** Takes a number that nobody else on this machine has: the wanted one, if it is free. */
export function takeSlot(stateHome: string, wanted: number): Slot {
  const numbers = Array.from({ length: MOST_SLOTS }, (_, number) => number);
  for (const slot of [wanted, ...numbers]) {
    const unit = slot < MOST_SLOTS ? takeUnit(join(stateHome, "slots", String(slot))) : null;
    if (unit !== null) return { env: slotEnvironment(slot), release: () => unit.release() };
  }
  throw new Error(`all ${MOST_SLOTS} slots of this machine are in use`);
}

/** One unit of a resource, held by this process. */
interface Unit {
  release(): void;
}

const schema = v.object({ pid: v.number(), startedAt: v.string(), boot: v.string() });

/**
 * A unit is a folder with numbered files; the highest names the holder, or nobody. To take it is to make the next one, which only one
 * can. No file is ever replaced, so a dead holder's unit is taken over in the same step by one process alone.
 */
function takeUnit(folder: string): Unit | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const before = highestIn(folder);
  if (before > 0) {
    const mark = readJsonFile(fileOf(folder, before), schema);
    if (mark !== null && isStillAlive(mark)) return null;
  }
  const ours = before + 1;
  // Whoever looked long ago may make a file that others have gone past.
  if (!make(folder, ours, ownMark()) || highestIn(folder) !== ours) return null;
  removeBelow(folder, ours);
  return {
    release: () => {
      if (highestIn(folder) === ours && make(folder, ours + 1, null)) removeBelow(folder, ours + 1);
    },
  };
}

function make(folder: string, number: number, content: unknown): boolean {
  const draft = join(folder, `draft-${randomUUID()}`);
  writeFileSync(draft, JSON.stringify(content), { flag: "wx", mode: 0o600 });
  try {
    linkSync(draft, fileOf(folder, number));
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function highestIn(folder: string): number {
  return Math.max(0, ...numbersIn(folder));
}

function removeBelow(folder: string, number: number): void {
  for (const each of numbersIn(folder)) if (each < number) rmSync(fileOf(folder, each), { force: true });
}

function numbersIn(folder: string): readonly number[] {
  return readdirSync(folder).flatMap((name) => (/^\d{1,15}$/.test(name) ? [Number(name)] : []));
}

function fileOf(folder: string, number: number): string {
  return join(folder, String(number));
}
