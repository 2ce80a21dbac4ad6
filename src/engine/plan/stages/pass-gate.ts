import type { NamedCheck } from "../../../verify/checks/run-checks.ts";
import { describeMustNot, topFrame, type Loop } from "../../../core/loop/loop.ts";
import { isDone, type Workflow } from "../../../core/plan/workflow.ts";
import { flakyMustNots, NOT_SHOWN, shownTask } from "../../../core/plan/shown-task.ts";
import { boundariesIn, isWithin } from "../../../core/stages/work-boundary.ts";
import { wasAsked, type GateVerdict } from "../../../core/stages/stages.ts";
import { changedFrom } from "../../../worktrees/integration/worktree-files.ts";
import type { Broken, ChangedPaths, GateFacts } from "../../../core/questions/gate/checklist.ts";
import { gateItems, gateRemediations } from "../../../core/questions/gate/judge-gate.ts";
import { demandsOf } from "../../../core/questions/review/review-question.ts";
import type { WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf as kindOfWork } from "../../../core/questions/shape/shape-question.ts";
import type { MustNotObservation } from "../../../core/stop/facts.ts";
import { lookAtConstraints } from "../../../verify/baseline/look-at-constraints.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { checksOfTasks, redText } from "../plan-checks.ts";
import { fileList } from "../../../views/file-list.ts";
import { counted } from "../../../system/text/quantities.ts";
import { pauseBlocked, workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { recordWithTasks } from "./settle-findings.ts";
import { judgeByStart } from "./judge-with-original-tests.ts";
import { forbidding, readWork } from "./review-work.ts";
import { runChecksAtTip, tryHoldouts, type RunAtTip, tryMutants, type TriedMutants } from "./run-at-tip.ts";

/** Judges the whole by what the machine can see. What is open makes tasks; otherwise the work may end. */
export async function passGate(context: WorkflowContext, round: number, signal: AbortSignal): Promise<void> {
  const { loop } = context.live;
  const workflow = workflowOf(loop);
  const tip = workflow.branch?.tip ?? null;
  const seen = await factsAt(context, tip, signal);
  if (seen === null || signal.aborted) return;
  const { facts, tried } = seen;
  const items = gateItems(facts);
  const remedies = gateRemediations(facts, items, { demands: demandsOf(loop), plan: workflow.plan });
  const verdict: GateVerdict = {
    round,
    commit: tip,
    tasks: workflow.plan.tasks.length,
    passed: remedies.length === 0,
    items,
    survivors: tried?.survivors ?? [],
  };
  const after = await recordWithTasks(context, remedies, `gate ${round}`, () => [
    { type: "gate.judged", ...verdict },
  ]);
  if (after !== null) context.tell({ type: "gate-judged", loop: after, verdict });
}

async function factsAt(
  context: WorkflowContext,
  tip: string | null,
  signal: AbortSignal,
): Promise<{ readonly facts: GateFacts; readonly tried: TriedMutants | null } | null> {
  const { loop } = context.live;
  const { plan, branch } = workflowOf(loop);
  const review = loop.stages?.reviews.at(-1) ?? null;
  const checks = checksOf(loop);
  const tell = (what: string): void => context.tell({ type: "gating", what });
  const all = checks.tasks.length + checks.mustNots.length;
  tell(`running ${counted(all, "check")} on the merged files`);
  const ran = await runChecksAtTip(context, tip, [...checks.tasks, ...checks.mustNots], signal);
  if ("why" in ran) {
    if (!signal.aborted) await pauseBlocked(context, `The work can't be judged at the gate: ${ran.why}`);
    return null;
  }
  const atTip = "site" in ran ? ran : null;
  const diff = branch === null ? null : await readWork(context, branch.from, branch.tip);
  const tried =
    atTip === null || diff === null || loop.proof !== "strict" || signal.aborted
      ? null
      : await tryMutants(context, diff, atTip, checks.tasks, signal);
  const holdouts = atTip === null ? null : await tryHoldouts(context, atTip.site, checks.tasks, signal);
  const isGreen = atTip !== null && atTip.red.length === 0 && !signal.aborted;
  if (isGreen) tell("comparing with the original tests");
  const judged = isGreen ? await judgeByStart(context, { ...atTip, checks: checks.tasks }) : null;
  const others =
    atTip === null || judged === null || tip === null ? [] : await otherFiles(context, atTip, tip);
  // The checks that ran just now may have turned out to be flaky.
  const settled = workflowOf(context.live.loop);
  const facts: GateFacts = {
    kind: loop.stages?.shape?.kind ?? loop.stages?.wishes?.kind ?? kindOfWork(topFrame(loop).spec) ?? "build",
    tasks: plan.tasks.map(({ id }) => ({ id, ...(shownTask(settled, id) ?? leftOut(settled, id)) })),
    review: review !== null && wasAsked(review) ? review : null,
    tip,
    checks:
      atTip === null || holdouts === null
        ? null
        : {
            run: checks.tasks.length + holdouts.run,
            red: [...redOf(atTip, checks.tasks), ...holdouts.red],
          },
    doubts: judged === null ? null : [...judged.doubts, ...others, ...(holdouts?.doubts ?? [])],
    refuted: judged?.refuted ?? [],
    mustNots: { ...(await mustNotsOf(context, diff, atTip, checks.mustNots)), flaky: flakyMustNots(settled) },
    boundaries: boundariesOf(loop, diff),
    spoken: demandsOf(loop).filter(({ isSpoken }) => isSpoken === true),
    setupFailure: "noSetup" in ran ? (ran.noSetup.split("\n")[0] ?? "") : null,
    changed: diff === null ? null : changedPaths(diff),
    mutants: tried,
  };
  return { facts, tried };
}

/** An agent may have left a process behind that writes where checks run. */
async function otherFiles(
  { machine, live }: WorkflowContext,
  { site }: RunAtTip,
  tip: string,
): Promise<readonly string[]> {
  const repository = { root: live.project.root, stateHome: machine.home };
  const changed = await changedFrom(repository, site.root, tip);
  if (changed === null)
    return ["git can't tell whether the checks at the end ran on the files of the branch"];
  if (changed.length === 0) return [];
  return [
    `the checks at the end ran on other files than the branch has: ${fileList(changed)} changed meanwhile`,
  ];
}

function checksOf(loop: Loop): {
  readonly tasks: readonly NamedCheck[];
  readonly mustNots: readonly NamedCheck[];
} {
  const mustNots = loop.mustNots.flatMap((each) =>
    each.kind === "run" ? [{ name: describeMustNot(each), check: each.check }] : [],
  );
  const workflow = workflowOf(loop);
  const shown = workflow.plan.tasks.filter(({ id }) => isDone(workflow, id));
  return { tasks: checksOfTasks(shown), mustNots };
}

/** Every other task is on the branch when the gate is judged. */
function leftOut({ skipped }: Workflow, id: string): typeof NOT_SHOWN {
  const why = skipped.find(({ task }) => task === id)?.why;
  return why === undefined ? NOT_SHOWN : { ...NOT_SHOWN, doubts: [`left out: ${why.split("\n")[0] ?? ""}`] };
}

function redOf({ red }: RunAtTip, among: readonly NamedCheck[]): readonly Broken[] {
  return red
    .filter(({ named }) => among.includes(named))
    .map((each) => ({ name: each.named.name, detail: redText(each), check: each.named.check }));
}

async function mustNotsOf(
  context: WorkflowContext,
  diff: WorkDiff | null,
  ran: RunAtTip | null,
  runs: readonly NamedCheck[],
): Promise<Omit<GateFacts["mustNots"], "flaky">> {
  const { loop } = context.live;
  const forbids = await forbidding(loop);
  const stated = ran === null ? [] : await statedAtTip(context, ran);
  const against = stated.flatMap(({ mustNot, violation }) =>
    violation === null ? [] : [{ name: mustNot, detail: violation, check: null }],
  );
  const touched = (diff?.stats ?? []).flatMap(({ path }) => {
    const name = forbids(path);
    return name === null ? [] : [{ name, detail: `${path} was changed`, check: null }];
  });
  const violated = [...touched, ...against, ...(ran === null ? [] : redOf(ran, runs))];
  const unseen = loop.mustNots.filter(({ kind }) => (kind === "run" ? ran === null : diff === null)).length;
  return { held: loop.mustNots.length + stated.length - unseen, unseen, violated };
}

/** What the spec forbids in words, for the whole work. */
async function statedAtTip(
  { machine: { home }, live: { loop, project } }: WorkflowContext,
  { site, ran }: RunAtTip,
): Promise<readonly MustNotObservation[]> {
  return lookAtConstraints({
    place: { root: site.root, home },
    which: { home, root: project.root, id: loop.id },
    folder: loop.folder,
    spec: loop.frames[0].spec,
    readTree: async () => ran.tree,
  });
}

const ASKS_FOR_TESTS = /\bnew tests?\b/i;

/** What lies outside the places that the work had to stay in. A new test that was asked for belongs to it, wherever it is. */
function boundariesOf(loop: Loop, diff: WorkDiff | null): GateFacts["boundaries"] {
  const { spec } = topFrame(loop);
  const isAskedFor = (path: string): boolean => ASKS_FOR_TESTS.test(spec) && kindOf(path) === "test";
  return boundariesIn(spec).map((each) => ({
    ...each,
    outside:
      diff?.stats.map(({ path }) => path).filter((path) => !isWithin(each, path) && !isAskedFor(path)) ??
      null,
  }));
}

const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|requirements[^/]*\.txt|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?)$/;
const LOCK =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock)$/;

function changedPaths({ stats, files }: WorkDiff): ChangedPaths {
  const tests = stats.filter(({ path }) => kindOf(path) === "test");
  const paths = (some: WorkDiff["stats"]): readonly string[] => some.map(({ path }) => path);
  // A file of which nothing is left has only lines that were removed.
  const deleted = files
    .filter(({ lines }) => lines.length > 0 && lines.every(({ kind }) => kind === "removed"))
    .map(({ path }) => path);
  return {
    testsAdded: paths(tests.filter(({ added }) => (added ?? 0) > 0)),
    testsCut: paths(tests.filter(({ removed }) => (removed ?? 0) > 0)),
    deleted,
    manifests: paths(stats.filter(({ path }) => MANIFEST.test(path))),
    locks: paths(stats.filter(({ path }) => LOCK.test(path))),
  };
}
