import type { Finding, Review } from "../../../core/stages/stages.ts";
import {
  lightQuestion,
  thoroughId,
  thoroughQuestion,
} from "../../../core/questions/review/review-question.ts";
import { workflowOf, type WorkflowContext } from "../take-workflow.ts";
import { recordOurs } from "../../run/take-loop.ts";
import { askReview, type AskedReview } from "./ask-review.ts";
import { allowedCheck } from "./settle-findings.ts";
import { failsAtTip } from "./run-at-tip.ts";
import { describeMustNot, type Loop } from "../../../core/loop/loop.ts";
import { acceptedSince } from "../../../worktrees/integration/branch.ts";
import {
  changedLinesBetween,
  changedLinesOf,
  readDiff,
  type Between,
  type ChangedLines,
} from "../../../worktrees/integration/read-diff.ts";
import type { Repository } from "../../../worktrees/integration/repository.ts";
import { readableFiles, type WorkDiff } from "../../../core/questions/review/work-diff.ts";
import { kindOf } from "../../../verify/definitions/tools/tools.ts";
import { parsePathGlob } from "../../../system/tree/path-glob.ts";
import { waves } from "../../../core/plan/workflow.ts";
import { createHash } from "node:crypto";

/** Who answers: a panel, or one reviewer for all of its points of view. */
type Reviewers = Pick<AskedReview, "isOneReviewer">;

const ROOM = 200_000;
const PERSPECTIVES = { least: 3, most: 4 };

export function thoroughReview(round: number, commit: string): AskedReview {
  return {
    perspectives: PERSPECTIVES,
    room: ROOM,
    commit,
    question: (work, perspectives, nonce) => thoroughQuestion(work, round, perspectives, nonce),
  };
}

/** The thorough review of all that is on the loop's branch. */
export async function reviewWork(
  context: WorkflowContext,
  round: number,
  signal: AbortSignal,
  reviewers: Reviewers = {},
): Promise<void> {
  const { branch } = workflowOf(context.live.loop);
  if (branch === null) throw new Error("a review without a branch");
  const question = { id: thoroughId(round), purpose: "thorough-review" } as const;
  if ((context.asker.whyNobody?.(question) ?? null) === null)
    context.tell({ type: "preparing", what: `Reviewing the work (round ${round}).` });
  const diff = await readWork(context, branch.from, branch.tip);
  const found = await askReview(
    context,
    diff,
    { ...thoroughReview(round, branch.tip), ...reviewers },
    signal,
  );
  const review = found === null ? null : await withCommandsTried(context, found, branch.tip, signal);
  if (review === null || signal.aborted) return;
  const loop = await recordOurs(
    context,
    [{ type: "work.reviewed", round, commit: branch.tip, ...review }],
    ({ stages }) => stages?.reviews.length === round - 1,
  );
  if (loop === null) return;
  context.tell({
    type: "work-reviewed",
    loop,
    review: { ...review, round, commit: branch.tip, resolved: [] },
  });
}

/** A command of a blocker that may run is tried; one that passes shows nothing, and is dropped. */
async function withCommandsTried(
  context: WorkflowContext,
  review: Review,
  tip: string,
  signal: AbortSignal,
): Promise<Review> {
  const findings: Finding[] = [];
  for (const finding of review.findings) {
    const check = finding.command === null ? null : await allowedCheck(context, finding.command);
    const fails = check === null || signal.aborted ? null : await failsAtTip(context, tip, check, signal);
    if (fails === null) findings.push(finding);
    else findings.push({ ...finding, command: fails ? finding.command : null, failsNow: fails });
  }
  return { ...review, findings };
}

const WAVE_ROOM = 60_000;
const WAVE_PERSPECTIVES = { least: 2, most: 3 };

export function lightReview(wave: number, commit: string | null): AskedReview {
  return {
    perspectives: WAVE_PERSPECTIVES,
    room: WAVE_ROOM,
    commit,
    question: (work, perspectives, nonce) => lightQuestion(work, wave, perspectives, nonce),
  };
}

/** The light review of a wave, beside the next one. It informs, and never blocks. */
export async function reviewWave(
  context: WorkflowContext,
  wave: number,
  signal: AbortSignal,
  reviewers: Reviewers = {},
): Promise<void> {
  const diff = await readWave(context, wave);
  const commit = workflowOf(context.live.loop).branch?.tip ?? null;
  const review = await askReview(context, diff, { ...lightReview(wave, commit), ...reviewers }, signal);
  if (review === null) return;
  const loop = await recordOurs(
    context,
    [{ type: "wave.reviewed", wave, ...review }],
    ({ stages }) => stages?.waveReviews.some((each) => each.wave === wave) === false,
  );
  if (loop !== null) context.tell({ type: "wave-reviewed", loop, review: { ...review, wave } });
}

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
  return stats === null ? null : withLines(repository, { from, to }, stats);
}

async function withLines(
  repository: Repository,
  between: Between,
  stats: readonly ChangedLines[],
): Promise<WorkDiff> {
  const ordered = stats.toSorted((one, other) => rankOf(one.path) - rankOf(other.path));
  const readable = readableFiles(ordered);
  const files = (await readDiff(repository, between, readable)) ?? [];
  return { stats: ordered, files: files.toSorted((one, other) => rankOf(one.path) - rankOf(other.path)) };
}

const RANKS = { source: 0, test: 1, definition: 2 } as const;

function rankOf(path: string): number {
  return RANKS[kindOf(path)];
}

/** What the tasks of one wave changed, each against what it was merged onto. */
async function readWave(context: WorkflowContext, wave: number): Promise<WorkDiff | null> {
  const { branch, plan } = workflowOf(context.live.loop);
  if (branch === null) return null;
  const repository = { root: context.live.project.root, stateHome: context.machine.home };
  const accepted = await acceptedSince({ ...repository, from: branch.from, ref: branch.tip });
  if (accepted === null) return null;
  const tasks = new Set(waves(plan)[wave - 1]?.map(({ id }) => id));
  const between = accepted.flatMap(({ commit: to, trailers }, index) =>
    tasks.has(trailers["Loop-Task"] ?? "") ? [{ from: accepted[index - 1]?.commit ?? branch.from, to }] : [],
  );
  const stats = await changedLinesOf(
    repository,
    between.map(({ to }) => to),
  );
  if (stats === null) return null;
  const parts: WorkDiff[] = [];
  for (const each of between) parts.push(await withLines(repository, each, stats.get(each.to) ?? []));
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
