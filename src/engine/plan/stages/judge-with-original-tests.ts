import type { CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import { describeCheck } from "../../../core/loop/criterion.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { isRemediation } from "../../../core/questions/remediation.ts";
import { withApproved } from "../../../verify/baseline/approved.ts";
import { compareWithBaseline, type ComparedCheck } from "../../../verify/baseline/compare.ts";
import { readBaseline, type Baseline } from "../../../verify/baseline/baseline-record.ts";
import { runInRoom, type ProofScene } from "../../../verify/proofs/proof-site.ts";
import { showBaselineCheck } from "../../../verify/proofs/baseline-check-and-revert.ts";
import { openingOfPlan } from "../plan-checks.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { changesOfCommits } from "../../../worktrees/integration/commit-changes.ts";
import { toText } from "../../../system/tree/index-entries.ts";
import { fileAt } from "../../../worktrees/integration/repository.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { readKept, listKept, type Place } from "../../../verify/baseline/kept-files.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import type { Broken } from "../../../core/questions/gate/checklist.ts";
import type { CommandOutcome } from "../../../system/process/run-command.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { CANNOT_RUN } from "../../../verify/baseline/shortfalls.ts";
import { hasRunNothing } from "../../../verify/reports/compare-reports.ts";
import { readTestReport } from "../../../verify/reports/read-test-report.ts";
import type { TestReport } from "../../../verify/reports/test-report.ts";
import { pathMatcher } from "../../../system/tree/path-glob.ts";
import { lastAttempt, type Workflow } from "../../../core/plan/workflow.ts";
import { acceptedSince } from "../../../worktrees/integration/branch.ts";

const MOST_NAMED = 3;

/** The checks as they ran on the files that are judged. */
interface Seen {
  readonly site: CheckSite;
  readonly checks: readonly NamedCheck[];
  readonly ran: Pick<Examination, "evidence" | "reports" | "tree">;
}

/**
 * Each task was judged by its own check alone, and may have changed what the checks of others mean. So what defined a check when the
 * plan was opened judges the whole work, and so do tests that one task added and a later one changed, except for what a person
 * approved in an attempt that was merged.
 */
export async function judgeByStart(context: WorkflowContext, seen: Seen): Promise<JudgedByStart> {
  const { machine, live } = context;
  const { loop, project } = live;
  const which = openingOfPlan(machine.home, project.root, loop.id);
  const isKnown = ({ name, check }: NamedCheck): boolean =>
    readBaseline({ ...which, name, command: describeCheck(check) }) !== null;
  const known = seen.checks.filter(isKnown);
  const place = { root: seen.site.root, home: machine.home };
  const comparison = await compareWithBaseline({
    ...{ place, which, folder: loop.folder, mayChange: loop.mayChange },
    criteria: known,
    spec: [topFrame(loop).spec, ...workflowOf(loop).plan.tasks.map(({ subject }) => subject)].join("\n"),
    reading: seen.ran.tree,
    reports: seen.ran.reports,
    evidence: seen.ran.evidence,
  });
  if (comparison.changes.missing !== null) return { doubts: [comparison.changes.missing], refuted: [] };
  const scene: ProofScene = {
    ...{ machine, which, place, comparison, site: seen.site },
    ...{ reports: seen.ran.reports, reading: seen.ran.tree },
  };
  const accepted = await acceptedResults(context);
  const approved = (accepted ?? []).flatMap((each) => each.approved);
  // Only what was added to the plan later has no opening, unless somebody deleted it.
  const doubts = seen.checks
    .filter((each) => !isRemediation(each.name) && !known.includes(each))
    .map(({ name }) => `what the check of ${name} meant when the plan began is no longer known`);
  const refuted: Broken[] = [];
  for (const named of known) {
    const compared = comparison.checks.get(named.name);
    if (compared === undefined) continue;
    const moved = await withApproved(place, comparison, withoutAdded(compared), approved);
    const shown = await byDefinitions(scene, named, moved);
    if (shown === null) continue;
    if (shown.isRefuted) refuted.push({ name: named.name, detail: shown.words, check: named.check });
    else doubts.push(shown.words);
  }
  const added = await judgeByAddedTests(context, scene, seen.checks, accepted);
  return { doubts: [...doubts, ...added.doubts], refuted: [...refuted, ...added.refuted] };
}

/** What doesn't hold: in words where it could not be shown, and as broken where it was shown to fail. */
interface JudgedByStart {
  readonly doubts: readonly string[];
  readonly refuted: readonly Broken[];
}

/** What tasks added was judged when they were. */
function withoutAdded(compared: ComparedCheck): ComparedCheck {
  return { ...compared, judged: compared.judged.filter(({ change }) => change !== "added") };
}

async function byDefinitions(
  scene: ProofScene,
  named: NamedCheck,
  compared: ComparedCheck,
): Promise<{ readonly words: string; readonly isRefuted: boolean } | null> {
  if (compared.judged.length === 0) return null;
  const checks = new Map(scene.comparison.checks).set(named.name, compared);
  const shown = await showBaselineCheck({ ...scene, comparison: { ...scene.comparison, checks } }, named);
  if (shown.result === "stands") return null;
  const files = shown.files.slice(0, MOST_NAMED).join(", ");
  const isRefuted = shown.result === "fails";
  const what = isRefuted ? "fails" : "was not shown to pass";
  const last = isRefuted ? lastLineOf(shown.output) : "";
  return {
    words: `the check of ${named.name} ${what} with what defined it when the plan began (${files}): ${shown.detail ?? ""}${last}`,
    isRefuted,
  };
}

const LONGEST_LINE = 200;

const TELLING = /fail|error|expected|assert|not ok/i;

/** The last line that says what failed, or the last one. */
function lastLineOf(output: string | null): string {
  const lines = (output ?? "").split("\n").filter((line) => line.trim() !== "");
  const line = lines.findLast((each) => TELLING.test(each)) ?? lines.at(-1);
  return line === undefined ? "" : `: ${oneLine(line, LONGEST_LINE)}`;
}

/** A test file by where, among the accepted results, it was added and last changed. */
interface Touched {
  readonly path: string;
  readonly bornAt: number;
  readonly changedAt: number;
}

/**
 * Tests that one task added and a later one changed judge the checks of those before, as they were when they were added, or as a
 * person approved them since.
 */
async function judgeByAddedTests(
  context: WorkflowContext,
  scene: ProofScene,
  checks: readonly NamedCheck[],
  accepted: readonly Accepted[] | null,
): Promise<JudgedByStart> {
  const touched = accepted === null ? null : await touchedTests(context, accepted);
  if (accepted === null || touched === null)
    return { doubts: ["git can't tell which task added or changed which test"], refuted: [] };
  const replaced: { readonly file: ReplacedFile; readonly changedAt: number }[] = [];
  for (const test of touched) {
    const file = await asAdded(context, scene, accepted, test);
    if (file !== null) replaced.push({ file, changedAt: test.changedAt });
  }
  if (replaced.length === 0) return { doubts: [], refuted: [] };
  const files = replaced.map(({ file }) => file);
  const last = Math.max(...replaced.map(({ changedAt }) => changedAt));
  const before = new Set(accepted.slice(0, last).map(({ task }) => task));
  const doubts: string[] = [];
  const refuted: Broken[] = [];
  for (const named of checks.filter(({ name }) => before.has(name))) {
    const run = await runInRoom(scene, named, files);
    if ("outcome" in run && run.outcome.ending.type === "exited" && run.outcome.ending.code === 0) continue;
    const names = files
      .slice(0, MOST_NAMED)
      .map(({ path }) => oneLine(path, 80))
      .join(", ");
    if ("outcome" in run && isRefuting(run.outcome, scene.reports.get(named.name) ?? null)) {
      const detail = `the check of ${named.name} fails with tests as they were added (${names}): a later task changed them${lastLineOf(run.outcome.output)}`;
      refuted.push({ name: named.name, detail, check: named.check });
    } else
      doubts.push(
        `the check of ${named.name} was not shown to pass with tests as they were added (${names}): a later task changed them`,
      );
  }
  return { doubts, refuted };
}

/** Tests that can't be loaded say nothing: what they are about may have been renamed since. */
function isRefuting({ ending, output }: CommandOutcome, own: TestReport | null): boolean {
  if (ending.type !== "exited" || CANNOT_RUN.has(ending.code)) return false;
  return !hasRunNothing(readTestReport(output), own);
}

/** Without those that the user let change; null when git can't tell. */
async function touchedTests(
  { live }: WorkflowContext,
  accepted: readonly Accepted[],
): Promise<readonly Touched[] | null> {
  const commits = accepted.map(({ commit }) => commit);
  const changes = await changesOfCommits(live.project.root, commits);
  if (changes === null) return null;
  const mayChange = await pathMatcher(live.loop.mayChange);
  const born = new Map<string, number>();
  const touched = new Map<string, Touched>();
  for (const [at, { commit }] of accepted.entries()) {
    for (const change of changes.get(commit) ?? []) {
      const path = toText(change.path);
      if (kindOf(path) !== "test" || mayChange(path)) continue;
      const bornAt = born.get(path);
      if (bornAt === undefined) born.set(path, at);
      else touched.set(path, { path, bornAt, changedAt: at });
    }
  }
  return [...touched.values()];
}

/** null: it was there when the plan began, or is exactly what a person approved. */
async function asAdded(
  { machine, live }: WorkflowContext,
  { place }: ProofScene,
  accepted: readonly Accepted[],
  { path, bornAt }: Touched,
): Promise<ReplacedFile | null> {
  const { branch } = workflowOf(live.loop);
  if (branch === null) return null;
  const repository = { root: live.project.root, stateHome: machine.home };
  if ((await fileAt(repository, branch.from, path)) !== null) return null;
  const approval = accepted
    .slice(bornAt + 1)
    .flatMap(({ approved }) => approved)
    .findLast(({ paths }) => paths.includes(path));
  if (approval === undefined) {
    const content = await fileAt(repository, accepted[bornAt]?.commit ?? "", path);
    return content === null ? null : { path, content, mode: "100644" };
  }
  const file = (await readKept(place, approval.kept, new Set([path]))).get(path);
  const now = await fileAt(repository, branch.tip, path);
  const isAsApproved = file === undefined ? now === null : now?.equals(file.content) === true;
  if (isAsApproved) return null;
  return file === undefined ? { path, content: null, mode: "100644" } : { path, ...file };
}

/** A result on the loop's branch, with what a person approved in the attempt that made it. */
interface Accepted {
  readonly task: string;
  readonly commit: string;
  readonly approved: Baseline["approved"];
}

/** What was merged, the oldest first; null when git can't tell. */
async function acceptedResults({
  machine,
  live,
}: Pick<WorkflowContext, "machine" | "live">): Promise<readonly Accepted[] | null> {
  const { root } = live.project;
  const workflow = workflowOf(live.loop);
  const { branch } = workflow;
  if (branch === null) return [];
  const repository = { root, stateHome: machine.home };
  const accepted = await acceptedSince({ ...repository, from: branch.from, ref: branch.tip });
  if (accepted === null) return null;
  const place = { root, home: machine.home };
  const results: Accepted[] = [];
  for (const { commit, trailers } of accepted) {
    const task = trailers["Loop-Task"] ?? "";
    results.push({ task, commit, approved: await readable(place, approvedFor(place, workflow, task)) });
  }
  return results;
}

/** An approval whose files are gone approves nothing. */
async function readable(place: Place, approved: Baseline["approved"]): Promise<Baseline["approved"]> {
  const found: Baseline["approved"][number][] = [];
  for (const each of approved) {
    const isThere = await listKept(place, each.kept).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(each);
  }
  return found;
}

/** An attempt has one frame, and its criteria are checks of tasks. */
const DEPTH = 1;

function approvedFor(where: Place, workflow: Workflow, task: string): Baseline["approved"] {
  const attempt = lastAttempt(workflow, task);
  if (attempt?.state.type !== "integrated") return [];
  return workflow.plan.tasks.flatMap(({ id: name, check }) => {
    if (check === null) return [];
    const which = { ...where, id: attempt.loop, depth: DEPTH, name, command: describeCheck(check) };
    return readBaseline(which)?.approved ?? [];
  });
}
