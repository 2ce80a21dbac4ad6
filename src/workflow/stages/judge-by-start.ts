import type { CheckSite } from "../../checks/check-site.ts";
import type { Examination, NamedCheck } from "../../checks/run-checks.ts";
import { describeCheck } from "../../core/criterion.ts";
import { topFrame } from "../../core/loop.ts";
import { acceptedSince } from "../../integration/accepted-since.ts";
import { changedLines } from "../../integration/changed-lines.ts";
import { fileAt } from "../../integration/file-at.ts";
import { isRemediation } from "../../judgement/remediation.ts";
import { kindOf } from "../../meaning/path-kind.ts";
import type { ComparedCheck } from "../../openings/compare.ts";
import { compareWithOpening } from "../../openings/compare.ts";
import { readOpening } from "../../openings/opening-record.ts";
import type { ReplacedFile } from "../../openings/replacements.ts";
import type { ProofScene } from "../../proofs/scene.ts";
import { runInRoom } from "../../proofs/scene.ts";
import { showJudge } from "../../proofs/show-judge.ts";
import { oneLine } from "../../text/plain-text.ts";
import { openingOfPlan } from "../plan-opening.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";

/** The checks as they ran on the files that are judged. */
interface Seen {
  readonly site: CheckSite;
  readonly checks: readonly NamedCheck[];
  readonly ran: Pick<Examination, "evidence" | "reports" | "tree">;
}

/**
 * Each task was judged by its own check alone, and may have changed what the checks of others mean. So what defined a check when the
 * plan was opened judges the whole work, and so do tests that one task added and a later one changed. In words, what doesn't hold.
 */
export async function judgeByStart(context: WorkflowContext, seen: Seen): Promise<readonly string[]> {
  const { machine, live } = context;
  const { loop, project } = live;
  const which = openingOfPlan(machine.home, project.root, loop.id);
  const isKnown = ({ name, check }: NamedCheck): boolean =>
    readOpening({ ...which, name, command: describeCheck(check) }) !== null;
  const known = seen.checks.filter(isKnown);
  const place = { root: seen.site.root, home: machine.home };
  const comparison = await compareWithOpening({
    ...{ place, which, folder: loop.folder, mayChange: loop.mayChange },
    criteria: known,
    spec: [topFrame(loop).spec, ...workflowOf(loop).plan.tasks.map(({ subject }) => subject)].join("\n"),
    reading: seen.ran.tree,
    reports: seen.ran.reports,
    evidence: seen.ran.evidence,
  });
  if (comparison.changes.missing !== null) return [comparison.changes.missing];
  const scene: ProofScene = {
    ...{ machine, which, place, comparison, site: seen.site },
    ...{ reports: seen.ran.reports, reading: seen.ran.tree },
  };
  // Only what was added to the plan later has no opening, unless somebody deleted it.
  const doubts = seen.checks
    .filter((each) => !isRemediation(each.name) && !known.includes(each))
    .map(({ name }) => `what the check of ${name} meant when the plan began is no longer known`);
  for (const named of known) {
    const compared = comparison.checks.get(named.name);
    if (compared === undefined) continue;
    const doubt = await byDefinitions(scene, named, withoutAdded(compared));
    if (doubt !== null) doubts.push(doubt);
  }
  return [...doubts, ...(await byAddedTests(context, scene, seen.checks))];
}

/** What tasks added was judged when they were. */
function withoutAdded(compared: ComparedCheck): ComparedCheck {
  return { ...compared, judged: compared.judged.filter(({ change }) => change !== "added") };
}

async function byDefinitions(
  scene: ProofScene,
  named: NamedCheck,
  compared: ComparedCheck,
): Promise<string | null> {
  if (compared.judged.length === 0) return null;
  const checks = new Map(scene.comparison.checks).set(named.name, compared);
  const shown = await showJudge({ ...scene, comparison: { ...scene.comparison, checks } }, named);
  if (shown.result === "stands") return null;
  const files = shown.files.slice(0, MOST_NAMED).join(", ");
  return `the check of ${named.name} was not shown to pass with what defined it when the plan began (${files}): ${shown.detail ?? ""}`;
}

const MOST_NAMED = 3;

const UNTOLD = "git can't tell which task added or changed which test";

interface Touched {
  readonly path: string;
  readonly bornIn: string;
  /** How many results had been accepted before the one that changed it. */
  readonly after: number;
}

/** Tests that one task added and a later one changed judge the checks of those before, as they were when they were added. */
async function byAddedTests(
  { machine, live }: WorkflowContext,
  scene: ProofScene,
  checks: readonly NamedCheck[],
): Promise<readonly string[]> {
  const { branch } = workflowOf(live.loop);
  if (branch === null) return [];
  const repository = { root: live.project.root, stateHome: machine.home };
  const accepted = await acceptedSince({ ...repository, from: branch.from, ref: branch.tip });
  if (accepted === null) return [UNTOLD];
  const born = new Map<string, string>();
  const touched = new Map<string, Touched>();
  for (const [after, { commit }] of accepted.entries()) {
    const changed = await changedLines(repository, commit);
    if (changed === null) return [UNTOLD];
    for (const { path } of changed) {
      if (kindOf(path) !== "test") continue;
      const bornIn = born.get(path);
      if (bornIn === undefined) born.set(path, commit);
      else touched.set(path, { path, bornIn, after });
    }
  }
  const replacements: ReplacedFile[] = [];
  for (const { path, bornIn } of touched.values()) {
    const content = await fileAt(repository, bornIn, path);
    const isAdded = (await fileAt(repository, branch.from, path)) === null;
    if (isAdded && content !== null) replacements.push({ path, content, mode: "100644" });
  }
  if (replacements.length === 0) return [];
  const last = Math.max(...[...touched.values()].map(({ after }) => after));
  const before = new Set(accepted.slice(0, last).map(({ trailers }) => trailers["Loop-Task"] ?? ""));
  const doubts: string[] = [];
  for (const named of checks.filter(({ name }) => before.has(name))) {
    const run = await runInRoom(scene, named, replacements);
    if ("outcome" in run && run.outcome.ending.type === "exited" && run.outcome.ending.code === 0) continue;
    const files = replacements.slice(0, MOST_NAMED).map(({ path }) => oneLine(path, 80));
    doubts.push(
      `the check of ${named.name} was not shown to pass with tests as they were added (${files.join(", ")}): a later task changed them`,
    );
  }
  return doubts;
}
