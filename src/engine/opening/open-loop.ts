import { randomInt } from "node:crypto";
import type { EventOf, LoopEvent, OpenedGoal } from "../../core/events/event.ts";
import { evolveAll } from "../../core/events/evolve.ts";
import { createLoopId, type LoopId } from "../../core/loop/id.ts";
import { topFrame, type Loop } from "../../core/loop/loop.ts";
import { iterationsLeft } from "../../core/loop/limits.ts";
import { shapeOfSpec } from "../../core/spec/shape.ts";
import { callerNow } from "../../storage/loops/caller-now.ts";
import { errnoOf, UnusablePath } from "../../system/files/path-errors.ts";
import { approvePlan, createApproval, isLocked } from "../../storage/home/approval-record.ts";
import { openKnown, type KnownLoop } from "../../storage/loops/known-loop.ts";
import {
  rememberProject,
  linkBelow,
  createLoopFolder,
  createProjectFolder,
} from "../../storage/home/project.ts";
import type { Project } from "../../storage/home/project.ts";
import { writeProjections } from "../../storage/home/projections.ts";
import { rememberSession } from "../../storage/home/session-files.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { expectFreeSession, expectOpenable, type OpenableFrame, type OpenableLoop } from "./openable.ts";
import { guardedFiles, checksOf, keepLaterBaseline, type GuardedFiles } from "./checks-of-loop.ts";
import { keepHoldout } from "../../verify/holdouts/kept-holdout.ts";
import { takeBaseline } from "../../verify/baseline/take-baseline.ts";
import { runRedFirst } from "./preflight.ts";
import { expectActive } from "../lifecycle/lifecycle.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { UserError } from "../../core/user-error.ts";
import { rememberListOfSession } from "../compat/task-list-mirror.ts";
import { startOfSpending } from "../stop/spending.ts";
import type { AskedLoop, NestedFrame, Preflighted, WholeLoop } from "./asked-loop.ts";
import { criteriaOf, goalOf, scoreAsked } from "./asked-loop.ts";

/** Opens a loop, or a frame in one. */
export async function openLoop(machine: Machine, asked: AskedLoop): Promise<KnownLoop> {
  return openAsFound(machine, await expectOpenable(machine, asked));
}

/** For callers without a preflight: runs each check once, right after the opening. */
export async function openAndLook(machine: Machine, asked: WholeLoop): Promise<KnownLoop> {
  const { known, tree } = await openWhole(machine, await expectOpenable(machine, asked), {});
  await runRedFirst(machine, known, { tree });
  return known;
}

/** `before`: what a preflight has shown. */
export async function openAsFound(
  machine: Machine,
  openable: OpenableLoop | OpenableFrame,
  before: Preflighted = {},
): Promise<KnownLoop> {
  if (openable.type === "frame") return pushFrame(machine, openable, before);
  if (before.looked !== undefined) await expectFreeSession(machine, openable.asked.binding);
  return (await openWhole(machine, openable, before)).known;
}

/** First locks its plan, then begins the journal, then notes it for the session. */
async function openWhole(
  machine: Machine,
  openable: OpenableLoop,
  before: Preflighted,
): Promise<{ readonly known: KnownLoop; readonly tree: TreeReading | null }> {
  const { asked, project, workingDirectory, holdout } = openable;
  const { worktree, folder } = openable.work;
  createFolder(project);
  const guarded = before.guarded ?? (await guardedFiles(workingDirectory.root, asked));
  const { opened, tree } = await opening(machine, openable, guarded);
  const { protectedFiles, mustNotFiles } = guarded;
  const approval = { root: project.root, worktree, protectedFiles, mustNotFiles };
  const at = machine.now();
  const events = [
    opened,
    ...(asked.recall === undefined ? [] : [asked.recall]),
    ...eventsOfKind(asked),
    ...lookedEvents(asked, before),
    ...(asked.binding === null ? [] : startOfSpending(machine, asked.binding.session)),
  ];
  const loop = evolveAll(null, events, at);
  createApproval(machine.home, loop, approval);
  if (holdout !== null)
    await keepHoldout({ home: machine.home, root: project.root, id: opened.id }, holdout.found);
  await takeBaseline(
    {
      place: { root: workingDirectory.root, home: machine.home },
      which: { home: machine.home, root: project.root, id: opened.id, depth: 1 },
      folder,
      now: at,
      reading: tree,
      ...(before.looked === undefined ? {} : { looked: before.looked }),
    },
    checksOf(criteriaOf(asked)),
    { isFrame: true },
  );
  asked.prepare?.(opened.id, project.root);
  rememberListOfSession(machine, project.root, loop);
  createLoopFolder(project, opened.id);
  await machine.journals(project).create(opened.id, at, events);
  if (asked.binding !== null) {
    rememberSession(machine.home, asked.binding.session, { root: project.root, loop: opened.id });
  }
  rememberProject(machine.home, project.root, at);
  await writeProjections(project, loop, 1);
  const known = await openKnown(machine, project, opened.id);
  if (known === null) throw new Error("a loop that was just opened is not known");
  return { known, tree };
}

function eventsOfKind(asked: WholeLoop): readonly LoopEvent[] {
  switch (asked.kind) {
    case "plain":
      return asked.commit === undefined ? [] : [asked.commit];
    case "attempt":
      return [];
    case "workflow":
      return [asked.stages];
    case "plan":
      return asked.stages === undefined ? [asked.plan] : [asked.stages, asked.plan];
  }
}

function lookedEvents(asked: AskedLoop, { looked }: Preflighted): readonly LoopEvent[] {
  return criteriaOf(asked).flatMap(({ name }): readonly LoopEvent[] => {
    const evidence = looked?.evidence.get(name);
    return evidence === undefined ? [] : [{ type: "check.ran", name, evidence, atStart: true }];
  });
}

async function pushFrame(
  machine: Machine,
  { asked, outer }: OpenableFrame,
  before: Preflighted,
): Promise<KnownLoop> {
  const by = callerNow(machine).kind;
  await keepLaterBaseline(machine, outer, asked.criteria, { isFrame: true, looked: before.looked });
  await outer.live.record((loop) => {
    expectActive(loop);
    const event: LoopEvent = { type: "frame.pushed", goal: innerGoal(loop, asked), by };
    approvePlan(machine.home, outer.live.project.root, evolveAll(loop, [event], machine.now()));
    return [event, ...lookedEvents(asked, before)];
  });
  return outer;
}

/** Money, tokens and time belong to the whole loop. Iterations are capped at what the outer frame has left. */
function innerGoal(loop: Loop, asked: NestedFrame): OpenedGoal {
  const goal = goalOf(asked);
  const left = iterationsLeft(topFrame(loop));
  if (left === 0)
    throw new UserError(
      `The loop ${loop.id} has no iterations left for a nested one; ask the user to run: loop continue --iterations=N`,
    );
  if (left === null || (goal.iterationLimit !== null && goal.iterationLimit <= left)) return goal;
  return { ...goal, iterationLimit: left };
}

function createFolder(project: Project): void {
  const link = linkBelow(project, null);
  if (link !== null) throw new UserError(`${link}.`);
  try {
    createProjectFolder(project);
  } catch (error) {
    if (error instanceof UnusablePath) throw error;
    throw new UserError(
      `${project.folder} cannot be written (${errnoOf(error) ?? "unknown error"}); check the folder's permissions.`,
      { cause: error },
    );
  }
}

async function opening(
  machine: Machine,
  { asked, project, work, workingDirectory: { root } }: OpenableLoop,
  { protectedDigest }: GuardedFiles,
): Promise<{ readonly opened: EventOf<"loop.opened">; readonly tree: TreeReading | null }> {
  const score =
    (asked.kind === "plan" ? asked.score : undefined) ??
    scoreAsked({ ...asked, criteria: criteriaOf(asked) });
  const [tree, head] = await Promise.all([machine.git.readTree(root), machine.git.headCommit(root)]);
  const opened: EventOf<"loop.opened"> = {
    type: "loop.opened",
    id: ("id" in asked ? asked.id : undefined) ?? (await freshId(machine, project, asked.spec)),
    by: callerNow(machine).kind,
    origin: "native",
    folder: work.folder,
    goal: goalOf(asked),
    score,
    shape: asked.shape ?? shapeOfSpec(asked.spec, score.total),
    limits: asked.limits.limits,
    mustNots: asked.mustNots,
    protects: asked.protects,
    protectedDigest,
    redFirst: true,
    proof: asked.proof,
    proofBudgetMs: asked.proofBudgetMs,
    mayChange: asked.mayChange,
    start: { tree: tree?.digest ?? null, head },
    binding: asked.binding,
    attemptOf: asked.kind === "attempt" ? asked.attemptOf : null,
  };
  return { opened, tree };
}

export async function freshId(machine: Machine, project: Project, spec: string): Promise<LoopId> {
  const taken = new Set<string>(await machine.journals(project).list());
  for (;;) {
    const id = createLoopId(spec, randomInt(36 ** 3, 36 ** 4).toString(36));
    if (!taken.has(id) && !isLocked({ home: machine.home, root: project.root, loop: id })) return id;
  }
}
