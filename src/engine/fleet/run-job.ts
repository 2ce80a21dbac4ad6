import { projectAt } from "../../storage/home/project.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { allRef, resultRef, unfinishedRef } from "../../worktrees/attempts/list-worktrees.ts";
import { attemptName, worktreePath } from "../../worktrees/attempts/marker.ts";
import { refCommit } from "../../worktrees/checkpoints/refs.ts";
import { keepResult } from "../../worktrees/integration/keep-result.ts";
import { packCommit } from "../../worktrees/integration/packs.ts";
import type { AttemptEnvelope, AttemptResult } from "../plan/executor.ts";
import { NOTHING_SHOWN, untoldUsage } from "../plan/executor.ts";
import { JournalError } from "../../storage/journal/journal-error.ts";
import { gitWorkspace } from "../plan/git-workspace.ts";
import { sweepRecords } from "../run/take-loop.ts";
import { localExecutor } from "../plan/local-executor.ts";
import type { Workspace } from "../plan/workspace.ts";
import type { FleetEngine } from "./fleet-engine.ts";
import { JobStream } from "./job-stream.ts";
import type { Signer } from "./keys.ts";
import { ENVELOPE_VERSION, type FleetEnvelope } from "./envelopes.ts";
import { type FleetControl, type FleetResult } from "./messages.ts";
import { patiently, type Patience } from "./patience.ts";
import { passWords } from "./pass-words.ts";
import { receiveCommit } from "./receive-code.ts";
import { elsewhereIfFull } from "./worker-room.ts";

export interface JobContext {
  readonly engine: FleetEngine;
  readonly machine: Machine;
  readonly cli: string;
  readonly signer: Signer;
  readonly name: string;
  readonly diskBytes: number;
  readonly patience: Patience;
  /** Until when the account of an agent waits; null: it doesn't. */
  readonly waitsUntil: (agent: string) => number | null;
  readonly limit: (agent: string, until: number) => Promise<void>;
}

/** What its driver and its worker want of a job while it runs. */
export interface JobSignals {
  /** Ends it now: it was aborted, or its lease is no longer ours. */
  readonly signal: AbortSignal;
  readonly soon: AbortSignal;
  readonly control: () => FleetControl;
  /** Aborted as soon as nobody waits for its result any more. */
  readonly lost: AbortSignal;
}

const ADVICE_LIMIT_MS = 5 * 60_000;
const LOOK_MS = 200;

/** Makes one attempt with the very code of a local one, and says what came of it. Null: nobody wants to know any more. */
export async function runJob(
  context: JobContext,
  { envelope, root }: { readonly envelope: FleetEnvelope; readonly root: string },
  signals: JobSignals,
): Promise<FleetResult | null> {
  const { machine, engine, cli, signer, name, patience } = context;
  const project = projectAt(root);
  const { job, attempt: sent, choice } = envelope;
  const workspace = gitWorkspace({
    machine,
    project,
    loop: sent.workflow,
    folder: sent.folder,
    how: { setup: envelope.setup, copies: envelope.copies, diskBytes: context.diskBytes },
    written: envelope.written,
  });
  const attempt: AttemptEnvelope = { ...sent, worktree: workspace.pathOf(sent.task, sent.number) };
  const streamed = { engine, machine, project, loop: sent.loop, job, signer };
  const place = `on ${name} in ${root}`;
  const stream = new JobStream(
    { ...streamed, patience: { ...patience, signal: AbortSignal.any([signals.lost, patience.signal]) } },
    { type: "begun", worker: name, place },
  );
  const executor = localExecutor({ machine, project, cli, workspace, choiceFor: () => choice });
  const attempted = async (): Promise<AttemptResult> => {
    if (!(await isThere(context, root, attempt, signals))) return without(attempt, { type: "stopped" });
    return executor.runAttempt(attempt, {
      signal: signals.signal,
      soon: signals.soon,
      tell: (news) => {
        stream.tell(news);
        const known = context.waitsUntil(sent.agent) ?? 0;
        if (news.type === "waiting" && news.until > known) void context.limit(sent.agent, news.until);
      },
      waitsUntil: () => latest(signals.control().waitsUntil, context.waitsUntil(sent.agent)),
      advise: adviser(stream, signals),
    });
  };
  const words = passWords({ machine, project, loop: sent.loop }, () => signals.control().words);
  words.start();
  const result = await attempted().catch((error: unknown) => failed(attempt, error));
  await words.stop();
  const made = { ...result, outcome: elsewhereIfFull(result.outcome, context) };
  await stream.end();
  if (signals.lost.aborted) {
    await tidy(workspace, attempt);
    return null;
  }
  const commits = await keptCommits(context, root, envelope, made);
  const outcome = await withCode(context, root, attempt, made, commits);
  const { usage, evidence, learnings } = made;
  return structuredClone({
    ...{ purpose: "result", version: ENVELOPE_VERSION, job, worker: name },
    outcome: outcome.type === "unapproved" ? { ...outcome, where: place } : outcome,
    ...{ usage, evidence, learnings, commits, written: stream.written },
  }) as FleetResult;
}

/** After its result was taken: what is kept in refs needs no worktree. What can be resumed does. */
export async function tidyJob(
  { machine }: Pick<JobContext, "machine">,
  { envelope, root }: { readonly envelope: FleetEnvelope; readonly root: string },
): Promise<void> {
  const { attempt, setup, copies } = envelope;
  const workspace = gitWorkspace({
    machine,
    project: projectAt(root),
    loop: attempt.workflow,
    folder: attempt.folder,
    how: { setup, copies, diskBytes: 0 },
  });
  await tidy(workspace, { ...attempt, worktree: null });
  // Whoever was killed over it may have been writing, and nobody takes it any more.
  sweepRecords({ home: machine.home, root, loop: attempt.loop });
}

async function tidy(workspace: Workspace, attempt: AttemptEnvelope): Promise<void> {
  const { task, number, base } = attempt;
  const over = { ...attempt, task, number, base, state: { type: "running" } };
  await workspace.tidy({ attempts: [over], branch: null } as never, { isOver: true });
}

function without({ key }: AttemptEnvelope, outcome: AttemptResult["outcome"]): AttemptResult {
  return { ...NOTHING_SHOWN, key, outcome };
}

/** Nothing else is lost with it, and a person can have it resumed; unless its own records are gone. */
function failed(attempt: AttemptEnvelope, error: unknown): AttemptResult {
  const detail = error instanceof Error ? error.message : String(error);
  if (!(error instanceof JournalError))
    return without(attempt, { type: "paused", reason: "unknown-error", detail });
  const setback = {
    kind: "lost",
    detail: `Its records can't be read: ${detail}.`,
    carry: null,
    failing: [],
  } as const;
  return { ...without(attempt, { type: "set-back", setback }), ...untoldUsage(attempt) };
}

/** Its commits, as the driver's own repository has them. */
async function isThere(
  { engine, patience }: JobContext,
  root: string,
  { base, carry, workflow }: AttemptEnvelope,
  { signal }: JobSignals,
): Promise<boolean> {
  for (const commit of [base, carry]) {
    if (commit === null) continue;
    const receiving = { engine, root, workflow, signal };
    const isReceived = await patiently({ ...patience, signal }, async () =>
      receiveCommit(receiving, commit),
    ).catch(() => false);
    if (!isReceived) return false;
  }
  return true;
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** The driver asks a model what to do differently. If it doesn't answer, the attempt goes on without. */
function adviser(
  stream: JobStream,
  { control, signal }: JobSignals,
): (failure: string) => Promise<string | null> {
  let questions = 0;
  return async (failure) => {
    questions += 1;
    const question = questions;
    stream.ask(question, failure);
    const until = performance.now() + ADVICE_LIMIT_MS;
    while (!signal.aborted && performance.now() < until) {
      const answer = control().advice.find((each) => each.question === question);
      if (answer !== undefined) return answer.text;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return null;
  };
}

type Commits = FleetResult["commits"];

/** What is kept of it here, by its refs; of one that can be resumed, as it is now. */
async function keptCommits(
  { machine }: JobContext,
  root: string,
  { attempt, exec }: FleetEnvelope,
  { outcome }: AttemptResult,
): Promise<Commits> {
  const { task, number, base } = attempt;
  const which = { loop: attempt.workflow, task, number };
  const [result, all, unfinished] = await Promise.all(
    [resultRef(which), allRef(which), unfinishedRef(which)].map(async (ref) => refCommit(root, ref)),
  );
  if (outcome.type === "finished")
    return { result: outcome.commit === base ? null : (result ?? null), all: all ?? null, unfinished: null };
  if (outcome.type !== "stopped" && outcome.type !== "paused")
    return { result: null, all: null, unfinished: unfinished ?? null };
  const kept = await keepResult({
    ...{ root, stateHome: machine.home, base },
    worktree: worktreePath({
      root,
      stateHome: machine.home,
      loop: which.loop,
      name: attemptName(task, number),
    }),
    ref: `${resultRef(which)}-stopped-${exec}`,
    message: `${task}: attempt ${number}, so far`,
    trailers: { Loop: which.loop, "Loop-Task": task, "Loop-Attempt": String(number) },
  });
  const isWork = kept.type === "kept" && !kept.isUnchanged;
  return { result: null, all: null, unfinished: isWork ? kept.commit : null };
}

/** Sends what the driver doesn't have; what can't be sent stops the plan, and stays here. */
async function withCode(
  { engine, patience }: JobContext,
  root: string,
  { base, workflow }: AttemptEnvelope,
  { outcome }: AttemptResult,
  commits: Commits,
): Promise<AttemptResult["outcome"]> {
  for (const commit of Object.values(commits)) {
    if (commit === null || base === null) continue;
    const packed = await packCommit({ root, commit, has: [base] });
    if (packed.type === "failed")
      return { type: "paused", reason: "blocked", detail: `its files can't be sent: ${packed.why}` };
    const { needs, pack } = packed;
    await patiently(patience, async () => engine.putCode({ workflow, commit, needs, pack }));
  }
  return outcome;
}
