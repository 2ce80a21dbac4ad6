import { runChecks, type NamedCheck, type Examination } from "../../verify/checks/run-checks.ts";
import { describeCheck, type Evidence } from "../../core/loop/criterion.ts";
import type { PlannedTask } from "../../core/plan/plan.ts";
import type { LoopId } from "../../core/loop/id.ts";
import type { WhichFrame } from "../../verify/baseline/baseline-record.ts";
import { takeBaseline } from "../../verify/baseline/take-baseline.ts";
import type { CheckSite } from "../../verify/checks/check-site.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { openReadingPlace } from "../asking/asked-agent.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { recordOurs } from "../run/take-loop.ts";

/** The checks of tasks, each command once, under the name of the first task that has it. What has effects outside isn't among them. */
export function checksOfTasks(tasks: readonly PlannedTask[]): readonly NamedCheck[] {
  const named = new Map<string, NamedCheck>();
  for (const { id, check } of tasks) {
    if (check === null || check.use === "once") continue;
    const line = describeCheck(check);
    if (!named.has(line)) named.set(line, { name: id, check });
  }
  return [...named.values()];
}

/** Below the frames of the loop itself, which compare the user's own files. */
const DEPTH = 0;

/** Where it is kept what the checks of a plan mean at the commit that the plan begins at. */
export function openingOfPlan(home: string, root: string, id: LoopId): WhichFrame {
  return { home, root, id, depth: DEPTH };
}

/** Before anybody works: what each check means in a worktree of the commit that the plan begins at. */
export async function openPlan(
  which: WhichFrame,
  { worktree, folder, now }: { readonly worktree: string; readonly folder: string; readonly now: number },
  checks: readonly NamedCheck[],
  looked: Examination,
): Promise<void> {
  await takeBaseline(
    {
      place: { root: worktree, home: which.home },
      which,
      folder,
      now,
      reading: looked.tree,
      looked,
    },
    checks,
    { isFrame: true },
  );
}

/**
 * The baseline of a check that a person adds while the plan is worked on: as it would have been then, and written before the
 * journal knows it. Where that commit can't be checked out, the gate says that it isn't known.
 */
export async function openLater(
  { home, git, now }: Pick<Machine, "home" | "git" | "now">,
  { id, live: { loop, project } }: Pick<KnownLoop, "id" | "live">,
  task: PlannedTask,
): Promise<void> {
  const from = loop.workflow?.branch?.from;
  const checks = checksOfTasks([task]);
  if (from === undefined || checks.length === 0) return;
  const question = `check-${task.id}`;
  const place = await openReadingPlace({
    stateHome: home,
    root: project.root,
    loop: id,
    question,
    commit: from,
  });
  if ("why" in place) return;
  try {
    await takeBaseline(
      {
        place: { root: place.path, home },
        which: openingOfPlan(home, project.root, id),
        folder: loop.folder,
        now: now(),
        reading: await git.readTree(place.path),
      },
      checks,
      { isFrame: false },
    );
  } finally {
    await place.leave();
  }
}

/** A check that doesn't pass, and how it failed last. */
export interface RedCheck {
  readonly named: NamedCheck;
  readonly evidence: Evidence | undefined;
}

/** Runs checks, and those that fail once more: two results for the same files mean that a check can't be relied on. */
export async function runTwice(
  context: WorkflowContext,
  site: CheckSite,
  checks: readonly NamedCheck[],
  signal: AbortSignal,
): Promise<{ readonly ran: Examination; readonly red: readonly RedCheck[] }> {
  const ran = await runChecks(site, checks);
  const failed = checks.filter(({ name }) => ran.evidence.get(name)?.passed !== true);
  if (failed.length === 0 || signal.aborted) return { ran, red: failed.map((named) => redIn(ran, named)) };
  const again = await runChecks(site, failed);
  const red = failed.filter(({ name }) => again.evidence.get(name)?.passed !== true);
  // What is stopped shows nothing.
  if (!signal.aborted)
    await noteWavered(
      context,
      failed.filter((each) => !red.includes(each)),
    );
  return { ran, red: red.map((named) => redIn(again, named)) };
}

function redIn({ evidence }: Examination, named: NamedCheck): RedCheck {
  return { named, evidence: evidence.get(named.name) };
}

/** How a check failed, with the end of what it printed. */
export function redText({ named, evidence }: RedCheck): string {
  return `\`${describeCheck(named.check)}\` ${evidence?.ending ?? "did not run"}\n${evidence?.outputTail ?? ""}`;
}

/** Checks that failed and passed on the same files. Something other than the files decides them: they show little from now on. */
async function noteWavered(context: WorkflowContext, checks: readonly NamedCheck[]): Promise<void> {
  for (const { name } of checks) {
    const loop = await recordOurs(context, [{ type: "check.wavered", check: name }]);
    if (loop !== null) context.tell({ type: "flaky", check: name });
  }
}
