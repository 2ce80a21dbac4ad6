import type { LoopId } from "../../core/loop/id.ts";
import { isEnded, type Loop } from "../../core/loop/loop.ts";
import { attemptsOf, running, type Workflow } from "../../core/plan/workflow.ts";
import { inspectLoop, livingDriver } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { findProject, type Project } from "../../storage/home/project.ts";
import { shellWord } from "../../system/text/plain-text.ts";
import {
  attemptNamed,
  keptFiles,
  questionNamed,
  QUEUE_NAME,
  type ListedWorktree,
  type WorktreeFacts,
  listWorktrees,
  diskUse,
} from "../../worktrees/attempts/list-worktrees.ts";
import { attemptName, markersOf, worktreePath, type Marker } from "../../worktrees/attempts/marker.ts";
import { removeQueue, removeWorktree, throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import type { RemovedWorktree } from "../../worktrees/attempts/remove-worktree.ts";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { bytesText } from "../../system/text/quantities.ts";
import type { WorkspaceOptions } from "./fresh-worktree.ts";

export type AttemptWorktree = ListedWorktree;

type FoundWorkflow = Awaited<ReturnType<typeof inspectLoop>> | { readonly type: "deleted" };

/** The worktrees of a project's attempts, and whether anybody works in them or could go on there. */
export async function attemptWorktrees(machine: Machine): Promise<readonly AttemptWorktree[]> {
  const project = findProject(machine.cwd);
  const workflows = await lookup(machine, project);
  const attempts = attemptsHere(machine, project);
  return listWorktrees({ stateHome: machine.home, root: project.root }, async (marker) => {
    const found = await workflows(marker.loop);
    return factsOf(found, marker, await attempts(found, marker));
  });
}

export interface Removal {
  readonly worktree: AttemptWorktree;
  /** Why it is still there; null: it was removed. */
  readonly refusal: string | null;
}

/** Removes the dead ones whose files are all kept in a ref or a commit. */
export async function removeDeadWorktrees(
  machine: Machine,
  listed: readonly AttemptWorktree[],
): Promise<readonly Removal[]> {
  const workflows = await lookup(machine, findProject(machine.cwd));
  const removals: Removal[] = [];
  for (const worktree of listed.filter(({ state }) => state === "dead"))
    removals.push({ worktree, refusal: await remove(machine, worktree, await workflows(worktree.loop)) });
  return removals;
}

async function remove(
  machine: Machine,
  { root, loop, name, commit, path, isThere }: ListedWorktree,
  found: FoundWorkflow,
): Promise<string | null> {
  const which = { stateHome: machine.home, root, loop, name };
  const attempt = attemptNamed(loop, name);
  if (questionNamed(name) !== null) return whyNotRemoved(await throwAway(which), path);
  const tip = found.type === "loop" ? (found.live.loop.workflow?.branch?.tip ?? commit) : commit;
  const removed =
    name === QUEUE_NAME && isThere
      ? await removeQueue({ ...which, tip })
      : await removeWorktree({
          ...which,
          kept: attempt === null ? null : await keptFiles(root, attempt),
        });
  return whyNotRemoved(removed, path);
}

function whyNotRemoved(removed: RemovedWorktree, path: string): string | null {
  switch (removed.type) {
    case "removed":
      return null;
    case "not-ours":
      return "a link leads elsewhere, or nothing says that it is ours";
    case "unkept":
      return `these files are kept nowhere else: ${removed.files.join(", ")}; look at them in ${path}, and drop them with: git worktree remove --force ${shellWord(path)}`;
    case "failed":
      return removed.why;
  }
}

/** Each workflow is looked at once, however many worktrees it has. */
async function lookup(machine: Machine, project: Project): Promise<(loop: LoopId) => Promise<FoundWorkflow>> {
  const ids = new Set(await machine.journals(project).list());
  const known = new Map<LoopId, Promise<FoundWorkflow>>();
  const look = async (loop: LoopId): Promise<FoundWorkflow> =>
    ids.has(loop) ? inspectLoop(machine, project, loop) : { type: "deleted" };
  return async (loop) => {
    const found = known.get(loop) ?? look(loop);
    known.set(loop, found);
    return found;
  };
}

function factsOf(found: FoundWorkflow, { loop, name }: Marker, own: Loop | null): WorktreeFacts {
  // Whatever the workflow says of it: somebody works there.
  if (own !== null && livingDriver(own) !== null) return { isDriven: true, hasEnded: false };
  if (found.type !== "loop")
    return { isDriven: false, hasEnded: found.type === "deleted" && (own === null || isEnded(own)) };
  const workflow = found.live.loop;
  const hasEnded = isEnded(workflow) || isAnswered(workflow, name) || isAttemptOver(workflow, loop, name);
  return { isDriven: !hasEnded && livingDriver(workflow) !== null, hasEnded };
}

/** The loop that the attempt of a worktree is; null: none is known. On a worker its workflow is elsewhere, and only the loop tells what it is of. */
function attemptsHere(
  machine: Machine,
  project: Project,
): (found: FoundWorkflow, marker: Marker) => Promise<Loop | null> {
  let orphans: Promise<ReadonlyMap<string, Loop>> | null = null;
  return async (found, { loop, name }) => {
    const key = attemptNamed(loop, name);
    if (key === null) return null;
    if (found.type === "deleted") {
      orphans ??= loopsOfAttempts(machine, project);
      return (await orphans).get(`${loop}/${name}`) ?? null;
    }
    const workflow = found.type === "loop" ? found.live.loop.workflow : null;
    const attempt =
      workflow === null
        ? undefined
        : attemptsOf(workflow, key.task).find(({ number }) => number === key.number);
    if (attempt === undefined) return null;
    const own = await inspectLoop(machine, project, attempt.loop);
    return own.type === "loop" ? own.live.loop : null;
  };
}

/** By workflow and name of the worktree. */
async function loopsOfAttempts(machine: Machine, project: Project): Promise<ReadonlyMap<string, Loop>> {
  const loops = new Map<string, Loop>();
  for (const id of await machine.journals(project).list()) {
    const found = await inspectLoop(machine, project, id);
    const of = found.type === "loop" ? found.live.loop.attemptOf : null;
    if (found.type === "loop" && of !== null)
      loops.set(`${of.loop}/${attemptName(of.task, of.number)}`, found.live.loop);
  }
  return loops;
}

/** Nobody resumes a question: it is asked again. */
function isAnswered(loop: Loop, name: string): boolean {
  const question = questionNamed(name);
  if (question === null) return false;
  const isOpen = loop.stages?.questions.some(({ id }) => id.replace(/-\d+$/, "") === question) === true;
  return !isOpen || livingDriver(loop) === null;
}

function isAttemptOver({ workflow }: Loop, loop: LoopId, name: string): boolean {
  const key = attemptNamed(loop, name);
  if (workflow === null || key === null) return false;
  const attempt = attemptsOf(workflow, key.task).find(({ number }) => number === key.number);
  return attempt?.state.type === "integrated" || attempt?.state.type === "set-back";
}

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
  readonly #options: WorkspaceOptions;
  readonly #measured = new Map<string, { readonly bytes: number; readonly at: number }>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: WorkspaceOptions) {
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
