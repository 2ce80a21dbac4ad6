import type { NamedCheck } from "../../../verify/checks/run-checks.ts";
import { changedLines } from "../../../worktrees/integration/read-diff.ts";
import { fileAt } from "../../../worktrees/integration/repository.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { readKept } from "../../../verify/baseline/kept-files.ts";
import type { ReplacedFile } from "../../../verify/baseline/replacements.ts";
import type { ProofScene } from "../../../verify/proofs/scene.ts";
import { runInRoom } from "../../../verify/proofs/scene.ts";
import { oneLine } from "../../../system/text/plain-text.ts";
import { pathMatcher } from "../../../system/tree/path-glob.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import type { Accepted } from "./approvals.ts";

const MOST_NAMED = 3;

/** A test file by where, among the accepted results, it was added and last changed. */
interface Touched {
  readonly path: string;
  readonly bornAt: number;
  readonly changedAt: number;
}

/**
 * Tests that one task added and a later one changed judge the checks of those before, as they were when they were added, or as a
 * person approved them since. In words, what doesn't hold.
 */
export async function judgeByAddedTests(
  context: WorkflowContext,
  scene: ProofScene,
  checks: readonly NamedCheck[],
  accepted: readonly Accepted[] | null,
): Promise<readonly string[]> {
  const touched = accepted === null ? null : await touchedTests(context, accepted);
  if (accepted === null || touched === null) return ["git can't tell which task added or changed which test"];
  const replaced: { readonly file: ReplacedFile; readonly changedAt: number }[] = [];
  for (const test of touched) {
    const file = await asAdded(context, scene, accepted, test);
    if (file !== null) replaced.push({ file, changedAt: test.changedAt });
  }
  if (replaced.length === 0) return [];
  const files = replaced.map(({ file }) => file);
  const last = Math.max(...replaced.map(({ changedAt }) => changedAt));
  const before = new Set(accepted.slice(0, last).map(({ task }) => task));
  const doubts: string[] = [];
  for (const named of checks.filter(({ name }) => before.has(name))) {
    const run = await runInRoom(scene, named, files);
    if ("outcome" in run && run.outcome.ending.type === "exited" && run.outcome.ending.code === 0) continue;
    const names = files.slice(0, MOST_NAMED).map(({ path }) => oneLine(path, 80));
    doubts.push(
      `the check of ${named.name} was not shown to pass with tests as they were added (${names.join(", ")}): a later task changed them`,
    );
  }
  return doubts;
}

/** Without those that the user let change; null when git can't tell. */
async function touchedTests(
  { machine, live }: WorkflowContext,
  accepted: readonly Accepted[],
): Promise<readonly Touched[] | null> {
  const repository = { root: live.project.root, stateHome: machine.home };
  const mayChange = await pathMatcher(live.loop.mayChange);
  const born = new Map<string, number>();
  const touched = new Map<string, Touched>();
  for (const [at, { commit }] of accepted.entries()) {
    const changed = await changedLines(repository, commit);
    if (changed === null) return null;
    for (const { path } of changed) {
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
