import { describeMustNot, type Loop } from "../../../core/loop/loop.ts";
import { acceptedSince } from "../../../worktrees/integration/branch.ts";
import { changedLinesBetween, readDiff } from "../../../worktrees/integration/read-diff.ts";
import { readableFiles, type WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { parsePathGlob } from "../../../system/tree/path-glob.ts";
import { waves } from "../../../core/plan/workflow.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { createHash } from "node:crypto";

interface WorkContext {
  readonly machine: Pick<WorkflowContext["machine"], "home">;
  readonly live: { readonly project: Pick<WorkflowContext["live"]["project"], "root"> };
}

/** The difference between two commits of the loop's branch, sources before tests. Null when git doesn't say. Of lines that can't be read, the counts stay. */
export async function readWork(
  { machine, live }: WorkContext,
  from: string,
  to: string,
): Promise<WorkDiff | null> {
  const repository = { root: live.project.root, stateHome: machine.home };
  const stats = await changedLinesBetween(repository, from, to);
  if (stats === null) return null;
  const ordered = stats.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const readable = readableFiles(ordered);
  const files = (await readDiff(repository, { from, to }, readable)) ?? [];
  return { stats: ordered, files: files.toSorted((one, other) => rankOf(one.path) - rankOf(other.path)) };
}

const RANKS = { source: 0, test: 1, definition: 2 } as const;

function rankOf(path: string): number {
  return RANKS[kindOf(path)];
}

/** What the tasks of one wave changed, each against what it was merged onto. */
export async function readWave(context: WorkflowContext, wave: number): Promise<WorkDiff | null> {
  const { branch, plan } = workflowOf(context.live.loop);
  if (branch === null) return null;
  const accepted = await acceptedSince({
    root: context.live.project.root,
    stateHome: context.machine.home,
    from: branch.from,
    ref: branch.tip,
  });
  if (accepted === null) return null;
  const tasks = new Set(waves(plan)[wave - 1]?.map(({ id }) => id));
  const parts: WorkDiff[] = [];
  for (const [index, { commit, trailers }] of accepted.entries()) {
    if (!tasks.has(trailers["Loop-Task"] ?? "")) continue;
    const part = await readWork(context, accepted[index - 1]?.commit ?? branch.from, commit);
    if (part === null) return null;
    parts.push(part);
  }
  return { stats: parts.flatMap(({ stats }) => stats), files: parts.flatMap(({ files }) => files) };
}

/** Which must-not forbids a change of a path; null: none. */
export async function forbidding({ mustNots }: Loop): Promise<(path: string) => string | null> {
  const globs = await Promise.all(
    mustNots.flatMap((each) =>
      each.kind === "path"
        ? [parsePathGlob(each.glob).then((glob) => ({ glob, text: describeMustNot(each) }))]
        : [],
    ),
  );
  return (path) => globs.find(({ glob }) => glob.matches(path))?.text ?? null;
}

export function digestOf(...texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}

/** What a text can't contain by intent: to know it, one would have to know the text first. */
export function nonceFor(...texts: readonly string[]): string {
  return digestOf(...texts).slice(0, 24);
}
