import type { Workflow } from "../../core/plan/workflow.ts";
import { lastAttempt } from "../../core/plan/workflow.ts";
import type { Finding, Stages } from "../../core/stages/stages.ts";
import type { KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { acceptedSince } from "../../worktrees/integration/branch.ts";
import { readDiff, type PatchLine } from "../../worktrees/integration/read-diff.ts";
import type { Repository } from "../../worktrees/integration/repository.ts";

/** A line beside a finding. `isQuoted`: the reviewer quoted it. */
interface PlaceLine extends PatchLine {
  readonly isQuoted: boolean;
}

/** What a finding is about, and what became of it in the files. */
export interface FindingPlace {
  readonly round: number;
  readonly finding: string;
  /** Around the quoted line, as it was reviewed. Empty: git doesn't know it any more. */
  readonly reviewed: readonly PlaceLine[];
  /** What the task that it became changed in the file; null: it became none, or isn't merged. */
  readonly fix: {
    readonly task: string;
    readonly commit: string;
    readonly lines: readonly PlaceLine[];
  } | null;
}

/** Lines above and below. */
const AROUND = 2;
const MOST_LINES = 40;
const MOST_FINDINGS = 100;

/** From the branch of a plan: the reviewed commits, and those of the tasks that put something right. */
export async function findingPlaces(
  { home }: Machine,
  { live }: KnownLoop,
): Promise<readonly FindingPlace[]> {
  const { workflow, stages } = live.loop;
  const branch = workflow?.branch ?? null;
  if (workflow === null || stages === null || branch === null) return [];
  const repository = { root: live.project.root, stateHome: home };
  const fixes = stages.reviews.some(({ resolved }) => resolved.some(({ task }) => task !== null))
    ? await commitsByTask(repository, branch.from, branch.tip)
    : new Map<string, Between>();
  const places: FindingPlace[] = [];
  for (const review of stages.reviews) {
    const files = [...new Set(review.findings.map(({ file }) => file))];
    const diff =
      review.commit === null || files.length === 0
        ? null
        : await readDiff(repository, { from: branch.from, to: review.commit }, files);
    const lines = new Map((diff ?? []).map((each) => [each.path, each.lines]));
    for (const finding of review.findings.slice(0, MOST_FINDINGS)) {
      const reviewed = around(lines.get(finding.file) ?? [], finding);
      const task = taskOf(review.resolved, finding);
      const fix = task === null ? null : await fixOf(repository, workflow, fixes, task, finding, reviewed);
      places.push({ round: review.round, finding: finding.id, reviewed, fix });
    }
  }
  return places;
}

function taskOf(resolved: Stages["reviews"][number]["resolved"], { id }: Finding): string | null {
  return resolved.find(({ finding }) => finding === id)?.task ?? null;
}

interface Between {
  readonly from: string;
  readonly to: string;
}

/** Each commit of the branch with the one below it, by its task. */
async function commitsByTask(
  repository: Repository,
  from: string,
  ref: string,
): Promise<ReadonlyMap<string, Between>> {
  const accepted = (await acceptedSince({ ...repository, from, ref })) ?? [];
  return new Map(
    accepted.map(({ commit, trailers }, index) => [
      trailers["Loop-Task"] ?? "",
      { from: accepted[index - 1]?.commit ?? from, to: commit },
    ]),
  );
}

/** The quoted line, and those beside it that follow each other in the file. */
function around(lines: readonly PatchLine[], { line, quote }: Finding): readonly PlaceLine[] {
  const at = lines.findIndex((each) =>
    line === null ? each.kind === "removed" && each.text.trim() === quote.trim() : each.line === line,
  );
  if (at === -1) return [];
  const shown = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  return shown
    .filter(
      (each) =>
        each === lines[at] || (each.line !== null && line !== null && Math.abs(each.line - line) <= AROUND),
    )
    .map((each) => ({ ...each, isQuoted: each === lines[at] }));
}

async function fixOf(
  repository: Repository,
  workflow: Workflow,
  commits: ReadonlyMap<string, Between>,
  task: string,
  { file }: Finding,
  reviewed: readonly PlaceLine[],
): Promise<FindingPlace["fix"]> {
  const between = commits.get(task);
  if (between === undefined || lastAttempt(workflow, task)?.state.type !== "integrated") return null;
  const [patch] = (await readDiff(repository, between, [file])) ?? [];
  const quoted = reviewed.find(({ isQuoted }) => isQuoted)?.text ?? null;
  const lines = nearest(patch?.lines ?? [], quoted);
  return { task, commit: between.to, lines };
}

/** The change of the quoted line; where the fix left that alone, the first changes of the file. */
function nearest(lines: readonly PatchLine[], quoted: string | null): readonly PlaceLine[] {
  const removed = lines.findIndex(({ kind, text }) => kind === "removed" && text === quoted);
  const first = removed === -1 ? lines.findIndex(({ kind }) => kind !== "context") : removed;
  if (first === -1) return [];
  let [from, to] = [first, first];
  while (from > 0 && lines[from - 1]?.kind !== "context") from -= 1;
  while (lines[to + 1] !== undefined && lines[to + 1]?.kind !== "context") to += 1;
  return lines
    .slice(Math.max(0, from - AROUND), to + AROUND + 1)
    .slice(0, MOST_LINES)
    .map((each, index) => ({ ...each, isQuoted: Math.max(0, from - AROUND) + index === removed }));
}
