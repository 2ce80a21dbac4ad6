import { hasIdentity } from "../../system/git/settings.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import { runChecks } from "../../verify/checks/run-checks.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { isActiveFor, type Loop } from "../../core/loop/loop.ts";
import { checkedOutRef, moveBranch, NOBODY } from "../../worktrees/integration/branch.ts";
import type { MovedBranch } from "../../worktrees/integration/branch.ts";
import { uncommittedFiles } from "../../worktrees/integration/worktree-files.ts";
import { UserError } from "../../core/user-error.ts";
import { findRoom } from "../../system/room/room.ts";
import { roomsFolder } from "../../system/room/scratch.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { addedPaths } from "../../system/tree/tree-digest.ts";
import { checkOut } from "../../worktrees/attempts/add-worktree.ts";
import { worktreePath, type WorktreeName } from "../../worktrees/attempts/marker.ts";
import type { WorkspaceOptions } from "./fresh-worktree.ts";
import { noteWrittenAtStart, setUp, whyNotAdded } from "./fresh-worktree.ts";
import { fileList } from "../../views/file-list.ts";
import { pauseBlocked, workflowOf, type WorkflowContext } from "./take-workflow.ts";
import { checksOfTasks, openingOfPlan, openPlan } from "./plan-checks.ts";
import { names } from "./conflict-forecast.ts";
import { blindText, mayStart } from "./tried-checks.ts";
import { blindChecks } from "../../verify/proofs/break-sources.ts";

const NO_COMMIT = "the repository has no commit that tasks could start from; commit something first";
export const BY_NOBODY = `git knows no name of yours here, so the commits are by ${NOBODY.name} <${NOBODY.email}>; to change that: git config --global user.name NAME, and user.email`;
const WITHOUT_SUBMODULES =
  "Worktrees don't have the files of submodules; if the checks need them, add: --setup 'git submodule update --init'";

/**
 * Before anybody is paid: the loop's branch is begun, and in a fresh worktree the setup works and every check can run. False: the loop
 * is paused, and says why.
 */
export async function makeReady(
  options: WorkspaceOptions,
  context: WorkflowContext,
  queue: WorktreeName,
  { env, siteOf }: { readonly env: NodeJS.ProcessEnv; readonly siteOf: (signal: AbortSignal) => CheckSite },
): Promise<boolean> {
  const { live, interrupts } = context;
  const { branch, plan } = workflowOf(await beginBranch(options, context));
  if (branch === null) return pauseBlocked(context, NO_COMMIT);
  if (workflowOf(live.loop).attempts.length > 0) return true;
  await tellUncommitted(options, context, branch.from, plan);
  if (!(await hasIdentity(options.project.root))) context.tell({ type: "preparing", what: BY_NOBODY });
  context.tell({ type: "preparing", what: "Trying the setup and every check in a fresh worktree." });
  const added = await checkOut({ ...queue, commit: branch.tip });
  if (added.type === "there" && options.how.setup === null && existsSync(join(added.path, ".gitmodules")))
    context.tell({ type: "preparing", what: WITHOUT_SUBMODULES });
  const signal = interrupts.now;
  const tell = (what: string): void => context.tell({ type: "preparing", what });
  const { machine, project, loop, folder } = options;
  if (added.type === "there") await tellRoom(machine, added.path, tell);
  const asCommitted = added.type === "there" ? await machine.git.readTree(added.path) : null;
  const why =
    added.type === "there" ? await setUp(options, added.path, env, signal, tell) : whyNotAdded(added);
  if (signal.aborted) return false;
  if (why !== null) {
    tell(`No agent was started. To try another setup: loop run --loop ${options.loop} --setup COMMAND`);
    return pauseBlocked(context, `setup failed: ${why}`);
  }
  const all = checksOfTasks(plan.tasks);
  const checks = all.filter(({ check }) => check.use === undefined);
  const setUpTree = added.type === "there" ? await machine.git.readTree(added.path) : null;
  const looked = await runChecks(siteOf(signal), checks, { tree: setUpTree });
  if (signal.aborted) return false;
  if (added.type === "there")
    await openPlan(
      openingOfPlan(machine.home, project.root, loop),
      { worktree: added.path, folder, now: machine.now() },
      all,
      looked,
    );
  noteWrittenAtStart(options, addedPaths(asCommitted, setUpTree), looked, tell);
  for (const blind of await blindChecks(machine, siteOf(signal), checks, looked))
    tell(blindText(plan, blind));
  if (signal.aborted) return false;
  return mayStart(context, plan, looked, worktreePath(queue));
}

/** What no proof of this plan can do on this machine. */
async function tellRoom(
  { home }: Pick<Machine, "home">,
  worktree: string,
  tell: (what: string) => void,
): Promise<void> {
  const room = await findRoom(worktree, roomsFolder(home)).catch(() => null);
  if (room === null || room.type === "overlay") return;
  tell(
    room.type === "copy"
      ? `Proofs run in copies of the project, and nothing is tried in a fresh place: ${oneLine(room.why, 200)}`
      : `Nothing can be tried in a clean room, so all work is weak at best: ${oneLine(room.why, 200)}`,
  );
}

/** The intent first; a branch that is there already is where an earlier run made it. Without a commit there is none to begin. */
async function beginBranch(
  { project, loop, machine }: WorkspaceOptions,
  { live, run }: WorkflowContext,
): Promise<Loop> {
  const { root } = project;
  const known = workflowOf(live.loop).branch;
  if (known !== null) {
    // Where it stands elsewhere, the next merge says so.
    expectMade(known.name, await moveBranch({ root, name: known.name, from: null, to: known.tip }), [
      "taken",
    ]);
    return live.loop;
  }
  const from = await machine.git.headCommit(root);
  if (from === null) return live.loop;
  const checkedOut = await checkedOutRef(root);
  const userBranch = checkedOut?.replace(/^refs\/heads\//, "") ?? null;
  const name = `loop/${loop}`;
  const begun = await live.record((now) =>
    isActiveFor(now, run) && workflowOf(now).branch === null
      ? [{ type: "branch.begun", name, from, userBranch }]
      : [],
  );
  expectMade(name, await moveBranch({ root, name, from: null, to: from }), []);
  return begun;
}

function expectMade(name: string, moved: MovedBranch, alsoFine: readonly MovedBranch["type"][]): void {
  if (moved.type === "moved" || alsoFine.includes(moved.type)) return;
  throw new UserError(`The branch ${name} can't be made: ${whyNotMade(moved)}.`);
}

function whyNotMade(moved: Exclude<MovedBranch, { readonly type: "moved" }>): string {
  switch (moved.type) {
    case "failed":
      return moved.why;
    case "checked-out":
      return "it is checked out; check out another branch first";
    case "taken":
      return "it is there already";
  }
}

/** The tasks start from the user's last commit. */
async function tellUncommitted(
  { project, machine }: WorkspaceOptions,
  { tell }: WorkflowContext,
  commit: string,
  { tasks }: Plan,
): Promise<void> {
  const files = await uncommittedFiles({ root: project.root, stateHome: machine.home }, commit);
  if (files === null || files.length === 0) return;
  tell({
    type: "preparing",
    what: `The tasks start from your last commit, without what you have not committed: ${fileList(files)}`,
  });
  const shared = files.flatMap((path) =>
    tasks.filter((task) => names(task, path)).map(({ id }) => ({ id, path })),
  );
  const [first] = shared;
  if (first !== undefined)
    tell({
      type: "preparing",
      what: `${first.id} is about ${oneLine(first.path, 80)}, which you have changed: your branch can't be moved over that at the end. Commit it first, and start again.`,
    });
}
