import { join } from "node:path";
import type { CheckSite } from "../checks/check-site.ts";
import { runChecks } from "../checks/run-checks.ts";
import type { CommandLine } from "../core/criterion.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { isActiveFor } from "../core/loop.ts";
import type { Setback } from "../core/plan/workflow.ts";
import { lastAttempt } from "../core/plan/workflow.ts";
import { checkedOutRef, moveBranch } from "../integration/branch.ts";
import { deliver } from "../integration/deliver.ts";
import { keepResult, type KeptResult } from "../integration/keep-result.ts";
import { layOver } from "../integration/lay-over.ts";
import { checkOut } from "../worktrees/check-out.ts";
import { UserError } from "../loops/user-error.ts";
import type { Machine } from "../loops/machine.ts";
import type { Project } from "../store/project.ts";
import { loopFolder } from "../store/project.ts";
import { addWorktree, type AddedWorktree } from "../worktrees/add-worktree.ts";
import { copyFiles } from "../worktrees/copy-files.ts";
import { detectSetup } from "../worktrees/detect-setup.ts";
import { keptAttempt, QUEUE_NAME, resultRef, strayRef, unfinishedRef } from "../worktrees/kept-attempt.ts";
import { attemptName, worktreePath, type WorktreeName } from "../worktrees/marker.ts";
import { removeQueue } from "../worktrees/remove-queue.ts";
import { removeWorktree } from "../worktrees/remove-worktree.ts";
import { runSetup } from "../worktrees/run-setup.ts";
import { slotEnvironment } from "../worktrees/slots.ts";
import type { AttemptEnvelope } from "./executor.ts";
import type { WorkflowContext } from "./take-workflow.ts";
import { workflowOf } from "./take-workflow.ts";
import type { Workshop } from "./workshop.ts";

export interface GitWorkshopOptions {
  readonly machine: Machine;
  readonly project: Project;
  readonly loop: LoopId;
  /** The user's own command; null: what the project's lock files ask for. */
  readonly setup: string | null;
  /** Ignored files that each worktree gets a copy of. */
  readonly copies: readonly string[];
}

const SETUP_LIMIT_MS = 20 * 60_000;
const CANNOT_RUN = [126, 127];

export function gitWorkshop(options: GitWorkshopOptions): Workshop {
  const { machine, project, loop } = options;
  const repository = { root: project.root, stateHome: machine.home };
  const nameOf = (name: string): WorktreeName => ({ ...repository, loop, name });
  const attemptOf = ({ task, number }: Pick<AttemptEnvelope, "task" | "number">): WorktreeName =>
    nameOf(attemptName(task, number));
  const keep = async (envelope: AttemptEnvelope, ref: string): ReturnType<typeof keepResult> =>
    keepResult({
      ...repository,
      worktree: worktreePath(attemptOf(envelope)),
      base: envelope.base ?? "",
      ref,
      message: `${envelope.task}: attempt ${envelope.number}`,
      trailers: { Loop: loop, "Loop-Task": envelope.task, "Loop-Attempt": String(envelope.number) },
    });
  const queueSite = (signal: AbortSignal): CheckSite =>
    siteIn(options, worktreePath(nameOf(QUEUE_NAME)), signal);
  return {
    isInPlace: false,
    pathOf: (task, number) => worktreePath(attemptOf({ task, number })),
    makeReady: async (context) => makeReady(options, context, nameOf(QUEUE_NAME), queueSite),
    prepare: async (envelope, signal) => {
      const added = await addWorktree({ ...attemptOf(envelope), commit: envelope.base ?? "" });
      if (added.type !== "there") return { type: "failed", setback: setupFailed(whyNotAdded(added)) };
      const env = slotEnvironment(envelope.slot);
      if (!added.isNew) return { type: "ready", env };
      const why = await setUp(options, added.path, env, signal);
      if (signal.aborted) return { type: "stopped" };
      return why === null ? { type: "ready", env } : { type: "failed", setback: setupFailed(why) };
    },
    layOver: async ({ carry, base, ...envelope }) => {
      if (carry === null || base === null) return;
      const worktree = worktreePath(attemptOf(envelope));
      await layOver({ ...repository, worktree, commit: carry, onto: base });
    },
    keepResult: async (envelope, confidence) => {
      const kept = await keep(envelope, resultRef({ ...envelope, loop }));
      if (kept.type === "kept") return { type: "finished", commit: kept.commit, confidence };
      return { type: "set-back", setback: { kind: "lost", detail: whyLost(kept), carry: null } };
    },
    keepUnfinished: async (envelope) => void (await keep(envelope, unfinishedRef({ ...envelope, loop }))),
    wasChecked: async (workflow, accepted, checks) => {
      const [only, ...others] = accepted;
      const attempt = only === undefined ? null : lastAttempt(workflow, only.task);
      const isAlone = others.length === 0 && checks.length === 1 && checks[0]?.name === only?.task;
      // Based on the tip, its merge has the files on which the attempt's own checks and proofs ran.
      return (
        isAlone &&
        attempt?.state.type === "finished" &&
        attempt.state.confidence === "verified" &&
        attempt.base === workflow.branch?.tip
      );
    },
    siteAt: async (commit, signal) => {
      const path = worktreePath(nameOf(QUEUE_NAME));
      await checkOut({ ...nameOf(QUEUE_NAME), commit });
      await setUp(options, path, slotEnvironment(0), signal);
      return queueSite(signal);
    },
    deliver: async ({ branch }) => {
      if (branch === null) return null;
      const { name, tip, userBranch } = branch;
      const delivered = await deliver({ root: project.root, branch: name, tip, userBranch });
      if (delivered.type === "moved") return { how: "moved", why: null };
      return { how: "left", why: `${delivered.why} Take it with: ${delivered.command}` };
    },
    tidy: async (workflow) => {
      for (const { task, number, state } of workflow.attempts) {
        if (state.type === "running" || state.type === "finished") continue;
        const attempt = { loop, task, number };
        const kept = await keptAttempt(project.root, attempt);
        await removeWorktree({ ...attemptOf(attempt), kept, strayRef: strayRef(attempt) });
      }
      if (workflow.delivered !== null && workflow.branch !== null)
        await removeQueue({ ...repository, loop, tip: workflow.branch.tip });
    },
  };
}

function siteIn(
  { machine, project, loop }: GitWorkshopOptions,
  root: string,
  signal: AbortSignal,
): CheckSite {
  return {
    root,
    folder: root,
    evidenceFolder: join(loopFolder(project, loop), "evidence"),
    protects: [],
    env: { ...machine.env, ...slotEnvironment(0) },
    now: machine.now,
    run: machine.processes.run,
    readTree: async () => machine.git.readTree(root),
    progress: machine.progress,
    signal,
  };
}

/** Why the dependencies aren't there; null: they are. */
async function setUp(
  { machine, project, setup, copies }: GitWorkshopOptions,
  worktree: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | null> {
  await copyFiles({ root: project.root, worktree, named: copies });
  const commands: readonly CommandLine[] =
    setup === null
      ? detectSetup(worktree, machine.env).steps.map(({ command }) => command)
      : [{ kind: "shell", line: setup }];
  const outcome = await runSetup({
    commands,
    folder: worktree,
    env: { ...machine.env, ...env },
    passEnv: [],
    timeoutMs: SETUP_LIMIT_MS,
    signal,
    run: machine.processes.run,
  });
  if (outcome.type === "ready") return null;
  return `\`${outcome.command}\` ${outcome.why}\n${outcome.outputTail}`;
}

/**
 * Before anybody is paid: the loop's branch is begun, and in a fresh worktree the setup works and every check can run. False: the loop
 * is paused, and says why.
 */
async function makeReady(
  options: GitWorkshopOptions,
  context: WorkflowContext,
  queue: WorktreeName,
  siteOf: (signal: AbortSignal) => CheckSite,
): Promise<boolean> {
  const { live, interrupts } = context;
  const { branch, plan } = workflowOf(await beginBranch(options, context));
  if (branch === null) throw new Error("a workflow without a branch");
  if (workflowOf(live.loop).attempts.length > 0) return true;
  context.tell({ type: "preparing", what: "Trying the setup and every check in a fresh worktree." });
  const added = await checkOut({ ...queue, commit: branch.tip });
  const signal = interrupts.now;
  const why =
    added.type === "there"
      ? await setUp(options, added.path, slotEnvironment(0), signal)
      : whyNotAdded(added);
  if (signal.aborted) return false;
  if (why !== null) return pause(context, `setup failed: ${why}`);
  const checks = plan.tasks.flatMap(({ id, check }) =>
    check === null || check.use !== undefined ? [] : [{ name: id, check }],
  );
  const { evidence } = await runChecks(siteOf(signal), checks);
  if (signal.aborted) return false;
  const unable = checks.filter(({ name }) => CANNOT_RUN.includes(evidence.get(name)?.exitCode ?? 0));
  if (unable.length === 0) return true;
  const names = unable.map(
    ({ name }) => `${name}: ${evidence.get(name)?.outputTail.trim().split("\n").at(-1) ?? ""}`,
  );
  return pause(context, `a check can't run in a fresh worktree: ${names.join("; ")}`);
}

async function pause(context: WorkflowContext, detail: string): Promise<false> {
  await context.live.record((loop) =>
    isActiveFor(loop, context.run) ? [{ type: "loop.paused", reason: "blocked", detail, by: "machine" }] : [],
  );
  return false;
}

/** The intent first; a branch that is there already is where an earlier run made it. */
async function beginBranch(
  { project, loop, machine }: GitWorkshopOptions,
  { live, run }: WorkflowContext,
): Promise<Loop> {
  const { root } = project;
  const known = workflowOf(live.loop).branch;
  if (known !== null) {
    await moveBranch({ root, name: known.name, from: null, to: known.tip });
    return live.loop;
  }
  const from = await machine.git.headCommit(root);
  if (from === null)
    throw new UserError(
      "This repository has no commit yet, so no task can start from one; commit something first.",
    );
  const checkedOut = await checkedOutRef(root);
  const userBranch = checkedOut?.replace(/^refs\/heads\//, "") ?? null;
  const name = `loop/${loop}`;
  const begun = await live.record((now) =>
    isActiveFor(now, run) && workflowOf(now).branch === null
      ? [{ type: "branch.begun", name, from, userBranch }]
      : [],
  );
  const moved = await moveBranch({ root, name, from: null, to: from });
  if (moved.type !== "moved") throw new UserError(`The branch ${name} can't be made: it is there already.`);
  return begun;
}

function setupFailed(detail: string): Setback {
  return { kind: "setup", detail, carry: null };
}

function whyNotAdded(added: Exclude<AddedWorktree, { readonly type: "there" }>): string {
  switch (added.type) {
    case "no-repository":
      return "There is no repository any more.";
    case "no-commit":
      return "The commit to start from is no longer in the repository.";
    case "in-the-way":
      return `Something else is at ${added.path}; move it away.`;
    case "failed":
      return added.why;
  }
}

function whyLost(kept: Exclude<KeptResult, { readonly type: "kept" }>): string {
  switch (kept.type) {
    case "base-unknown":
      return "The commit that it started from is no longer in the repository.";
    case "worktree-gone":
      return "Its worktree was deleted.";
    case "ref-taken":
      return `Another result is kept in its place: ${kept.by}.`;
    case "failed":
      return kept.why;
  }
}
