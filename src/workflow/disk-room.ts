import { statfs } from "node:fs/promises";
import { attemptWorktrees, removeDeadWorktrees } from "../app/attempt-worktrees.ts";
import { bytesText } from "../text/bytes.ts";
import { diskUse } from "../worktrees/disk-use.ts";
import { QUEUE_NAME } from "../worktrees/kept-attempt.ts";
import { markersOf, worktreePath } from "../worktrees/marker.ts";
import type { WorkshopOptions } from "./fresh-worktree.ts";

/** How many more attempts there is room for on the disk, and why not for more. */
export interface Room {
  readonly attempts: number;
  readonly why: string;
}

/** How long a worktree is taken to be as large as it was. */
const MEASURED_FOR_MS = 2 * 60_000;
/** How long to wait before looking for worktrees to remove again. */
const LOOKED_FOR_MS = 10_000;

/** What the worktrees of a project's attempts take on the disk, and what more they may. */
export class DiskRoom {
  readonly #options: WorkshopOptions;
  readonly #measured = new Map<string, { readonly bytes: number; readonly at: number }>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WorkshopOptions) {
    this.#options = options;
  }

  /** Removes dead worktrees where there is no room, and of those only what is kept elsewhere. */
  async room(): Promise<Room> {
    const room = await this.#measure();
    const { machine } = this.#options;
    if (room.attempts > 0 || machine.now() - this.#lookedAt < LOOKED_FOR_MS) return room;
    this.#lookedAt = machine.now();
    await removeDeadWorktrees(machine, await attemptWorktrees(machine));
    this.#measured.clear();
    return this.#measure();
  }

  async #measure(): Promise<Room> {
    const { machine, project, loop, how } = this.#options;
    const where = { stateHome: machine.home, root: project.root };
    let used = 0;
    let fresh = 1;
    for (const marker of markersOf(where)) {
      const bytes = await this.#sizeOf(worktreePath({ ...where, ...marker }));
      used += bytes;
      // Nobody works in it: it has what every attempt begins with.
      if (marker.loop === loop && marker.name === QUEUE_NAME) fresh = Math.max(fresh, bytes);
    }
    const allowed = Math.floor((how.diskBytes - used) / fresh);
    const { bavail, bsize } = await statfs(machine.home);
    const fitting = Math.floor((bavail * bsize) / fresh);
    const needed = `one more takes about ${bytesText(fresh)}`;
    if (fitting < allowed) {
      const why = `the disk has ${bytesText(bavail * bsize)} left, and ${needed}; make room, then: loop continue`;
      return { attempts: Math.max(0, fitting), why };
    }
    const bound = bytesText(how.diskBytes);
    const why = `the worktrees of attempts take ${bytesText(used)} of the ${bound} that they may, and ${needed}; see loop worktrees, or allow more with: loop run --loop ${loop} --max-disk GB`;
    return { attempts: Math.max(0, allowed), why };
  }

  async #sizeOf(path: string): Promise<number> {
    const now = this.#options.machine.now();
    const known = this.#measured.get(path);
    if (known !== undefined && now - known.at < MEASURED_FOR_MS) return known.bytes;
    const { bytes } = await diskUse(path);
    this.#measured.set(path, { bytes, at: now });
    return bytes;
  }
}
