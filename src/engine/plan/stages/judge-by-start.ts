import type { CheckSite } from "../../../verify/checks/check-site.ts";
import type { Examination, NamedCheck } from "../../../verify/checks/run-checks.ts";
import { describeCheck } from "../../../core/loop/criterion.ts";
import { topFrame } from "../../../core/loop/loop.ts";
import { isRemediation } from "../../../core/questions/remediation.ts";
import { withApproved } from "../../../verify/baseline/approved.ts";
import type { ComparedCheck } from "../../../verify/baseline/compare.ts";
import { compareWithOpening } from "../../../verify/baseline/compare.ts";
import { readOpening } from "../../../verify/baseline/opening-record.ts";
import type { ProofScene } from "../../../verify/proofs/scene.ts";
import { showJudge } from "../../../verify/proofs/judge-and-revert.ts";
import { openingOfPlan } from "../plan-opening.ts";
import type { WorkflowContext } from "../take-workflow.ts";
import { workflowOf } from "../take-workflow.ts";
import { acceptedResults } from "./approvals.ts";
import { judgeByAddedTests } from "./judge-by-added-tests.ts";

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
 * approved in an attempt that was merged. In words, what doesn't hold.
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
  const accepted = await acceptedResults(context);
  const approved = (accepted ?? []).flatMap((each) => each.approved);
  // Only what was added to the plan later has no opening, unless somebody deleted it.
  const doubts = seen.checks
    .filter((each) => !isRemediation(each.name) && !known.includes(each))
    .map(({ name }) => `what the check of ${name} meant when the plan began is no longer known`);
  for (const named of known) {
    const compared = comparison.checks.get(named.name);
    if (compared === undefined) continue;
    const moved = await withApproved(place, comparison, withoutAdded(compared), approved);
    const doubt = await byDefinitions(scene, named, moved);
    if (doubt !== null) doubts.push(doubt);
  }
  return [...doubts, ...(await judgeByAddedTests(context, scene, seen.checks, accepted))];
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
