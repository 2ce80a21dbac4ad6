import { showLoopTask } from "../compat/task-list-mirror.ts";
import { shellCheck, withListed } from "./given-criteria.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { Binding } from "../../core/loop/loop.ts";
import { openingCallerLocation } from "../../storage/home/project.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { learningsFor, recallOf } from "../learnings/recall.ts";
import { otherHooksNotice } from "../lifecycle/other-version.ts";
import { rememberAgent, type AgentChoice } from "../run/agent-choice.ts";
import type { AskedCriterion, AskedGoal, NestedFrame, PlainLoop, Preflighted, Wanted } from "./asked-loop.ts";
import { lacksCriteria } from "./asked-loop.ts";
import { startPreflight } from "./background-preflight.ts";
import { clearSpec, checkNotices, type Unclear } from "./clear-spec.ts";
import { freshId, openAsFound } from "./open-loop.ts";
import { planCommit, type CommitPlan, type CommitWish } from "./wanted-commit.ts";
import { expectOpenable, type OpenableLoop } from "./openable.ts";
import type { CheckFlags, Opener } from "./opener.ts";
import { withAskedChanges, withStatedMustNots } from "./rules-of-spec.ts";
import { CannotRun, lookFirst } from "./preflight.ts";
import { useTaskList } from "./task-lists.ts";
import { discoverHere, obstaclesOf, testsOf, whereFound } from "./propose-checks.ts";
import type { Resolved, Wish } from "./resolve-opening.ts";
import { expectMayLoosen, resolveAllowed, resolveOpening } from "./resolve-opening.ts";

/** Opens a loop that a run drives: what it means is clear, and its checks have run. */
export async function openForRun(
  opener: Opener,
  { wanted }: Pick<Resolved, "wanted">,
  {
    flags,
    choice,
    commit,
  }: { readonly flags: CheckFlags; readonly choice: AgentChoice; readonly commit: CommitWish | null },
): Promise<{ readonly type: "opened"; readonly loop: KnownLoop } | Unclear> {
  const { machine, person } = opener;
  const listed = await withListed(opener, wanted, flags);
  const criteria = await offered(opener, { ...wanted, criteria: listed }, flags);
  const recalled = await recallAtOpening(opener, { ...wanted, criteria });
  const clear = await clearSpec(opener, { ...wanted, criteria });
  if (clear.type !== "clear") return clear;
  const committing = commit === null ? null : await committingTo(opener, commit, clear.asked.spec);
  const own = committing?.plan.own ?? null;
  const possible = await expectOpenable(machine, {
    kind: "plain",
    ...clear.asked,
    ...recalled,
    // A run binds its loop when it begins.
    binding: null,
    // If the run is killed before its first turn, the loop still records that a run opened it, and with which agent.
    prepare: (id, root) => rememberAgent(machine.home, root, id, choice),
    ...(committing === null ? {} : { id: committing.id, commit: committing.plan.wanted }),
    ...(own === null ? {} : { work: own.work }),
  });
  let loop: KnownLoop;
  try {
    await own?.make();
    const openable = await withStatedMustNots(opener, possible);
    const looked =
      person === null && lacksCriteria(openable.asked)
        ? await takeProjectTests(opener, openable, flags)
        : { openable, before: await lookFirst(opener, openable) };
    await own?.judge(looked.openable.asked.criteria, looked.before);
    const asked = await withAskedChanges(opener, looked.openable, looked.before);
    loop = await openAsFound(machine, asked, looked.before);
  } catch (error) {
    await own?.drop();
    if (own !== null && error instanceof CannotRun)
      throw new CannotRun(`${error.message} ${IN_A_WORKTREE}`, { cause: error });
    throw error;
  }
  own?.opened();
  return { type: "opened", loop };
}

const IN_A_WORKTREE =
  "It ran in a fresh worktree, which has only what you committed: prepare it with --setup COMMAND, or --copy FILE for an ignored file.";

/** Its id is known before it is opened: branch and worktree are named after it. */
async function committingTo(
  opener: Opener,
  wish: CommitWish,
  spec: string,
): Promise<{ readonly id: LoopId; readonly plan: CommitPlan }> {
  const { project } = openingCallerLocation(opener.machine.cwd);
  const id = await freshId(opener.machine, project, spec);
  return { id, plan: await planCommit(opener, wish, id) };
}

/** Opens a loop for a session, or for nobody yet; or a frame inside the session's loop. */
export async function openForSession(
  opener: Opener,
  wish: Wish,
  { binding, taskList }: { readonly binding: Binding | null; readonly taskList: string | null },
): Promise<KnownLoop> {
  const { machine, cli } = opener;
  const isFresh = wish.fresh != null;
  const resolved = isFresh ? await resolveAllowed(opener, wish) : await resolveOpening(opener, wish);
  const { wanted, used, notices } = resolved;
  const listed = await withListed(opener, wanted, wish.flags);
  const criteria =
    wish.nested === true ? listed : await offered(opener, { ...wanted, criteria: listed }, wish.flags);
  const openable = await expectOpenable(
    machine,
    wish.nested === true
      ? frameOf({ ...wanted, criteria }, binding)
      : {
          ...(await plainOf(opener, { ...wanted, criteria }, binding)),
          prepare: (id, root) => {
            if (taskList !== null) useTaskList(machine, root, id, taskList);
          },
        },
  );
  if (!isFresh) {
    const outer = openable.type === "frame" ? openable.outer : null;
    await expectMayLoosen(machine, wish.command, wish.flags, used.config, outer);
  }
  const otherHooks = otherHooksNotice(machine, binding);
  for (const notice of [...(otherHooks === null ? [] : [otherHooks]), ...notices, ...checkNotices(criteria)])
    opener.tell(notice);
  const isSessions = binding !== null && callerNow(machine).kind === "agent";
  // A frame goes by the rules of its loop.
  const watched = openable.type === "frame" ? openable : await withStatedMustNots(opener, openable);
  const before = isSessions ? {} : await lookFirst(opener, watched);
  const asked = watched.type === "frame" ? watched : await withAskedChanges(opener, watched, before);
  const opened = await openAsFound(machine, asked, before);
  const { live } = opened;
  await showLoopTask(machine, live.project.root, live.loop);
  // The agent keeps working while the preflight runs.
  if (isSessions) await startPreflight(machine, opened, cli);
  return opened;
}

async function plainOf(opener: Opener, wanted: Wanted, binding: Binding | null): Promise<PlainLoop> {
  return { kind: "plain", ...wanted, ...(await recallAtOpening(opener, wanted)), binding };
}

function frameOf(wanted: Wanted, binding: Binding | null): NestedFrame {
  const { spec, criteria, steps, exitRule, mode, limits } = wanted;
  return { kind: "frame", spec, criteria, steps, exitRule, mode, limits, binding };
}

/** What this project learned. Asks which of it applies where somebody is there to answer. */
export async function recallAtOpening(
  { machine, person }: Opener,
  asked: Pick<AskedGoal, "spec" | "criteria">,
): Promise<Pick<PlainLoop, "recall">> {
  const found = learningsFor(machine, asked, { others: false });
  if (found.length === 0) return {};
  const recall = recallOf(machine, found, await person?.recalls(found));
  return recall === undefined ? {} : { recall };
}

/** Offers the project's own checks to the person at the terminal, if nothing else decides. */
async function offered(
  { machine, person, tell }: Opener,
  wanted: Wanted,
  flags: CheckFlags,
): Promise<readonly AskedCriterion[]> {
  if (person === null || !lacksCriteria(wanted)) return wanted.criteria;
  const found = await discoverHere(machine);
  for (const obstacle of obstaclesOf(found)) tell(obstacle);
  if (found.checks.length === 0) return wanted.criteria;
  const taken = await person.chooses(found);
  for (const { name, command } of taken) person.said.addFlags("-c", `${name}=${found.goThere}${command}`);
  const chosen = taken.map(({ name, command }) => ({ name, check: shellCheck(command, flags, found.above) }));
  return [...chosen, ...wanted.criteria];
}

/**
 * With nobody to ask, the project's own tests decide, if they can run; their preflight happens here. The user didn't choose
 * them, so a vague spec stays vague.
 */
async function takeProjectTests(
  opener: Opener,
  openable: OpenableLoop<PlainLoop>,
  flags: CheckFlags,
): Promise<{ readonly openable: OpenableLoop<PlainLoop>; readonly before: Preflighted }> {
  const { machine, tell } = opener;
  const asIs = { openable, before: {} };
  const found = await discoverHere(machine);
  const tests = testsOf(found);
  if (tests === null) {
    for (const obstacle of obstaclesOf(found)) tell(obstacle);
    return asIs;
  }
  const named = `"${oneLine(tests.name, 60)}" (${oneLine(tests.command, 80)})${whereFound(found)}`;
  tell(`No criterion given, so the project's own check decides: ${named}`);
  const check = shellCheck(tests.command, flags, found.above);
  const taken = {
    ...openable,
    asked: { ...openable.asked, criteria: [{ name: tests.name, check }, ...openable.asked.criteria] },
  };
  try {
    return { openable: taken, before: await lookFirst(opener, taken) };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    tell("It cannot run here, so it is ignored.");
    return asIs;
  }
}
