import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isWorkflow, type Loop, type ProcessMark } from "../../core/loop/loop.ts";
import type { CommitOfLoop } from "../../core/loop/commit.ts";
import type { Workflow } from "../../core/plan/workflow.ts";
import { AT_THE_BEGINNING } from "../../storage/journal/journal.ts";
import type { Project } from "../../storage/home/project.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { BEFORE_UNDO, checkpointsOfLoop, listCheckpoints } from "../../worktrees/checkpoints/refs.ts";
import { changesSince } from "../../worktrees/checkpoints/changes.ts";
import { restoreCheckpoint } from "../../worktrees/checkpoints/restore.ts";
import { takeCheckpoint } from "../../worktrees/checkpoints/take.ts";
import { expectPerson } from "./expect-person.ts";
import { inspectLoops, livingDriver, type KnownLoop } from "../../storage/loops/known-loop.ts";
import { takeBackCommit } from "../../worktrees/integration/commit-work.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { withTakenWork } from "../plan/open-attempts.ts";
import { UserError } from "../../core/user-error.ts";
import type { LoopId } from "../../core/loop/id.ts";
import { isStillAlive, ownMark } from "../../system/process/process-facts.ts";
import { writePrivateJson } from "../../system/files/json-file.ts";
import { approvalFolder } from "../../storage/home/approval-record.ts";
import { driverOf } from "../../storage/home/session-files.ts";
import { CHECKPOINT_NAME, type Undoable } from "./undoable.ts";

export interface Undone {
  readonly name: string;
  readonly iteration: number;
  readonly restored: number;
  readonly removed: number;
  /** What could not be restored, or wasn't ours to remove. */
  readonly left: readonly string[];
  /** The commit that keeps the files from before the undo. */
  readonly before: string;
  /** The loop's own commit; null: it made none, or it was taken back before. */
  readonly commit: UndoneCommit | null;
}

interface UndoneCommit {
  readonly id: string;
  readonly branch: string;
  /** Whether the branch stands before it now. Otherwise there are commits on top of it. */
  readonly isTakenBack: boolean;
}

export interface KeptCheckpoint {
  /** The iteration's number; in a nested loop with that loop's number in front, such as `1.3`. */
  readonly name: string;
  readonly iteration: number;
  readonly commit: string;
  readonly at: number;
}

/** The checkpoints of a loop, oldest first. */
export async function checkpointsOf({ id, root }: Undoable): Promise<readonly KeptCheckpoint[]> {
  const found = await listCheckpoints(root, checkpointsOfLoop(id));
  const kept = found.flatMap(({ ref, commit, at }) => {
    const [name = "", iteration] = CHECKPOINT_NAME.exec(ref.slice(checkpointsOfLoop(id).length + 1)) ?? [];
    return iteration === undefined ? [] : [{ name, iteration: Number(iteration), commit, at }];
  });
  return kept.toSorted((one, other) => one.at - other.at);
}

/**
 * Where an undo without arguments goes: before the last iteration. If no iteration has begun since the last undo, it goes to
 * the same checkpoint again, which finishes an undo that was cut off and changes nothing otherwise.
 */
export async function latestOf(
  { known }: Undoable,
  checkpoints: readonly KeptCheckpoint[],
): Promise<KeptCheckpoint | undefined> {
  let latest: string | null = null;
  await known?.live.journal.follow(AT_THE_BEGINNING).next(({ events }) => {
    for (const event of events) {
      if (event.type === "turn.launched") latest = event.checkpoint ?? latest;
      if (event.type === "checkpoint.restored") latest = event.commit;
    }
  });
  return checkpoints.find(({ commit }) => commit === latest) ?? checkpoints.at(-1);
}

/** Why a loop has no checkpoint, and what to do. */
export async function whyNone({ id, root, known }: Undoable): Promise<string> {
  if (known === null) return "No checkpoint is left.";
  const { loop, project } = known.live;
  if (loop.commit?.branch != null) return whyNoneOfWorktree(loop.commit);
  if (isWorkflow(loop)) {
    const now = (await withTakenWork(project.root, loop)).workflow;
    return whyNoneOfPlan(loop.workflow, now, `loop review --loop ${id}`);
  }
  return loop.driven === null || !existsSync(join(root, ".git"))
    ? "No checkpoint: `loop run` takes them before each iteration, in a git repository."
    : "No checkpoint: none could be taken, or they were deleted; the next `loop run` takes one, or says why it cannot.";
}

function whyNoneOfWorktree({ branch, made }: CommitOfLoop): string {
  const why = "No checkpoint: it worked in a worktree of its own";
  if (made?.commit == null) return `${why}, and your files are as they were.`;
  if (made.before !== null)
    return `${why}. Go back to the commit before it, and lose what was committed since, with: git reset --keep ${made.before.slice(0, 12)}`;
  return `${why}, and your files are as they were. If you don't want its work: git branch -D ${branch ?? ""}`;
}

/** `now`: with what the user took since. */
function whyNoneOfPlan(plan: Workflow | null, now: Workflow | null, review: string): string {
  if (plan === null) return "No checkpoint: no task has begun, so the files are as they were.";
  const { branch, delivered, deliveredFrom } = plan;
  if (branch === null)
    return `No checkpoint: without git none can be taken; see what the tasks came to with: ${review}`;
  const why = "No checkpoint: the tasks of a plan are worked on in worktrees";
  const before = (deliveredFrom ?? branch.from).slice(0, 12);
  if (delivered === null && deliveredFrom !== null)
    return `${why}. A run was killed while it moved ${branch.userBranch ?? "your branch"} to their work; see where it stands with: git log ${before}..`;
  if (delivered?.how !== "moved" && now?.delivered?.how === "moved")
    return `${why}, and you merged their work since; see its commits with: git log ${before}..${branch.tip.slice(0, 12)}`;
  if (delivered?.how !== "moved" || branch.tip === branch.from)
    return `${why}, and your files are as they were; see what they came to with: ${review}`;
  return `${why}. Go back to the commit before it, and lose what was committed since, with: git reset --keep ${before}`;
}

/** Restores the files from before an iteration. Commits and the index stay as they are. */
export async function undoIteration(
  machine: Machine,
  chosen: Undoable,
  checkpoint: KeptCheckpoint,
): Promise<Undone> {
  const { known } = chosen;
  await expectPerson(machine, "undo", known);
  if (known === null) {
    expectNoRun(machine, chosen);
    return restore(machine, chosen, checkpoint);
  }
  const { project, loop } = known.live;
  expectAlone(machine, project, loop);
  await expectNoOther(machine, project, chosen);
  const withdraw = announceUndo(machine, project, loop.id);
  try {
    return await restore(machine, chosen, checkpoint);
  } finally {
    withdraw();
  }
}

async function restore(
  machine: Machine,
  { id, root, known }: Undoable,
  { name, iteration, commit }: KeptCheckpoint,
): Promise<Undone> {
  const tree = { root, stateHome: machine.home };
  // An undo can itself be undone, even after another undo.
  const kept = await takeCheckpoint({
    ...tree,
    ref: `${checkpointsOfLoop(id)}/${BEFORE_UNDO}${machine.now()}`,
    message: `Before undoing iteration ${name} of ${id}`,
  });
  if (kept.commit === null)
    throw new UserError(
      `Could not save the current files, so nothing was undone; fix this first: ${oneLine(kept.why ?? "this is not a git repository", 300)}`,
    );
  await known?.live.record((now) => {
    // Somebody may have begun while this read the files.
    expectAlone(machine, known.live.project, now);
    return [{ type: "checkpoint.restored", iteration, commit }];
  });
  const taken = known === null ? null : await takeBack(known);
  const { restored, removed, left } = await restoreCheckpoint({ ...tree, commit });
  return { name, iteration, restored, removed, left, before: kept.commit, commit: taken };
}

/** Before the files: killed in between, they are the work that was committed, and the next undo restores them. */
async function takeBack({ live }: KnownLoop): Promise<UndoneCommit | null> {
  const { commit } = live.loop;
  const id = commit?.made?.commit ?? null;
  const before = commit?.made?.before ?? null;
  if (commit === undefined || id === null || before === null || commit.isUndone) return null;
  const branch = commit.onto ?? "";
  const isTakenBack = await takeBackCommit({ root: live.project.root, branch, commit: id, before });
  if (isTakenBack) await live.record(() => [{ type: "commit.undone" }]);
  return { id, branch, isTakenBack };
}

/** A run notices that its journal is gone when it next writes to it; until then its agent works. */
function expectNoRun({ home }: Machine, { id, root }: Undoable): void {
  const driver = driverOf(home, { root, loop: id });
  if (driver === null || !isStillAlive(driver)) return;
  throw new UserError(
    `Process ${driver.pid} is driving the loop ${id}; end it first, or wait until it notices that the loop's folder is gone.`,
  );
}

function expectAlone(machine: Machine, project: Project, loop: Loop): void {
  expectNobodyUndoes(machine, project, loop.id);
  const driver = livingDriver(loop);
  if (driver === null) return;
  throw new UserError(
    `Process ${driver.pid} is driving the loop ${loop.id}; pause it first: loop pause --loop ${loop.id}`,
  );
}

/** Two loops in one folder share its files, so an undo of one would take away what the other's agent is editing. */
async function expectNoOther(machine: Machine, project: Project, { id, root }: Undoable): Promise<void> {
  for (const found of await inspectLoops(machine, project)) {
    if (found.type !== "loop" || found.id === id || found.workingDirectory.root !== root) continue;
    const { loop } = found.live;
    const driver = isWorkflow(loop) || loop.commit?.branch != null ? null : livingDriver(loop);
    if (driver === null) continue;
    throw new UserError(
      `Process ${driver.pid} is driving the loop ${found.id} in the same folder, and its agent may be editing these files; pause it first: loop pause --loop ${found.id}`,
    );
  }
}

export async function changesToUndo(
  machine: Pick<Machine, "home">,
  { root }: Undoable,
  { commit }: KeptCheckpoint,
): ReturnType<typeof changesSince> {
  return changesSince({ root, stateHome: machine.home, commit });
}

/**
 * Announces that this process restores a loop's files, before the journal says so. Counts only while the process lives. Each
 * process has its own file, so two at once are both visible. Returns a function that withdraws the announcement.
 */
function announceUndo(machine: Machine, project: Project, loop: LoopId): () => void {
  const folder = notesFolder(machine, project, loop);
  const path = join(folder, `${process.pid}.json`);
  for (const note of notesIn(folder)) if (!isBelieved(note)) rmSync(note, { force: true });
  writePrivateJson(path, ownMark());
  return () => rmSync(path, { force: true });
}

/**
 * Throws while another process is restoring the files. Call it while deciding what to append to the journal: an undo announces
 * itself before it appends, so the second of two sees the first.
 */
export function expectNobodyUndoes(machine: Machine, project: Project, loop: LoopId): void {
  const notes = notesIn(notesFolder(machine, project, loop));
  const pid = notes.flatMap((note) => readMark(note) ?? []).find(isSomebodyElse)?.pid;
  if (pid === undefined) return;
  throw new UserError(
    `Process ${pid} is restoring the files of the loop ${loop} (loop undo); try again when it is done.`,
  );
}

function isSomebodyElse(mark: ProcessMark): boolean {
  return mark.pid !== process.pid && isStillAlive(mark);
}

function isBelieved(note: string): boolean {
  const mark = readMark(note);
  return mark !== null && isStillAlive(mark);
}

function readMark(path: string): ProcessMark | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ProcessMark;
  } catch {
    return null;
  }
}

function notesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function notesFolder(machine: Pick<Machine, "home">, project: Project, loop: LoopId): string {
  return join(approvalFolder({ home: machine.home, root: project.root, loop }), "undoing");
}
