import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { attemptWorktrees, removeDeadWorktrees } from "./attempt-worktrees.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { running } from "../../core/plan/workflow.ts";
import { bytesText } from "../../system/text/quantities.ts";
import { diskUse } from "../../worktrees/attempts/list-worktrees.ts";
import { QUEUE_NAME } from "../../worktrees/attempts/kept-attempt.ts";
import { markersOf, worktreePath } from "../../worktrees/attempts/marker.ts";
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
  async room(workflow: Workflow): Promise<Room> {
    const room = await this.#measure(workflow);
    const { machine } = this.#options;
    const isBusy = workflow.merge !== null || running(workflow).length > 0;
    if (room.attempts > 0 || (isBusy && machine.now() - this.#lookedAt < LOOKED_FOR_MS)) return room;
    this.#lookedAt = machine.now();
    await removeDeadWorktrees(machine, await attemptWorktrees(machine));
    this.#measured.clear();
    return this.#measure(workflow);
  }

  async #measure(workflow: Workflow): Promise<Room> {
    const { machine, project, loop, how } = this.#options;
    const where = { stateHome: machine.home, root: project.root };
    const paths = markersOf(where).map((marker) => worktreePath({ ...where, ...marker }));
    const sizes = new Map<string, number>();
    for (const path of paths) sizes.set(path, await this.#sizeOf(path));
    // Nobody works in it: it has what every attempt begins with.
    const queue = worktreePath({ ...where, loop, name: QUEUE_NAME });
    const fresh = Math.max(1, sizes.get(queue) ?? 0);
    // Those that began a moment ago may not be all there yet.
    for (const { worktree, state } of workflow.attempts)
      if (worktree !== null && (state.type === "running" || state.type === "finished"))
        sizes.set(worktree, Math.max(fresh, sizes.get(worktree) ?? 0));
    const used = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const allowed = Math.floor((how.diskBytes - used) / fresh);
    const { bavail, bsize } = await statfs(dirname(queue)).catch(() => statfs(machine.home));
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
