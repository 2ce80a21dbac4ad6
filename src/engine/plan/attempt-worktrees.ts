import type { LoopId } from "../../core/loop/id.ts";
import type { Loop } from "../../core/loop/loop.ts";
import { isEnded } from "../../core/loop/loop.ts";
import { attemptsOf } from "../../core/plan/workflow.ts";
import { inspectLoop, livingDriver } from "../../storage/loops/locked-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import type { Project } from "../../storage/home/project.ts";
import { findProject } from "../../storage/home/project.ts";
import { shellWord } from "../../system/text/command-line.ts";
import { attemptNamed, keptFiles, questionNamed, QUEUE_NAME } from "../../worktrees/attempts/kept-attempt.ts";
import type { ListedWorktree, WorktreeFacts } from "../../worktrees/attempts/list-worktrees.ts";
import { listWorktrees } from "../../worktrees/attempts/list-worktrees.ts";
import type { Marker } from "../../worktrees/attempts/marker.ts";
import { removeQueue, removeWorktree, throwAway } from "../../worktrees/attempts/remove-worktree.ts";
import type { RemovedWorktree } from "../../worktrees/attempts/remove-worktree.ts";

export type AttemptWorktree = ListedWorktree;

type FoundWorkflow = Awaited<ReturnType<typeof inspectLoop>> | { readonly type: "deleted" };

/** The worktrees of a project's attempts, and whether anybody works in them or could go on there. */
export async function attemptWorktrees(machine: Machine): Promise<readonly AttemptWorktree[]> {
  const project = findProject(machine.cwd);
  const workflows = await lookup(machine, project);
  return listWorktrees({ stateHome: machine.home, root: project.root }, async (marker) =>
    factsOf(await workflows(marker.loop), marker),
  );
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

function factsOf(found: FoundWorkflow, { loop, name }: Marker): WorktreeFacts {
  if (found.type !== "loop") return { isDriven: false, hasEnded: found.type === "deleted" };
  const workflow = found.live.loop;
  const hasEnded = isEnded(workflow) || isAnswered(workflow, name) || isAttemptOver(workflow, loop, name);
  return { isDriven: !hasEnded && livingDriver(workflow) !== null, hasEnded };
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
