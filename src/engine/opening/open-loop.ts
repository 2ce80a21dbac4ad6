import { randomInt } from "node:crypto";
import type { Examination } from "../../verify/checks/run-checks.ts";
import type { Check } from "../../core/criterion.ts";
import { describeCommand } from "../../core/criterion.ts";
import type { EventOf, LoopEvent, OpenedGoal } from "../../core/event.ts";
import { evolveAll } from "../../core/evolve.ts";
import type { LoopId } from "../../core/id.ts";
import { createLoopId } from "../../core/id.ts";
import type { AttemptOf, Binding, ExitRule, Loop, Mode, MustNot, Shape } from "../../core/loop.ts";
import { iterationsLeft, topFrame } from "../../core/loop.ts";
import type { ProofMode } from "../../core/proof.ts";
import { plainShape, scoreSpec } from "../../core/spec/score.ts";
import type { SpecScore } from "../../core/spec/score.ts";
import { callerNow } from "../../storage/loops/calling.ts";
import { errnoOf } from "../../system/files/errno.ts";
import { UnusablePath } from "../../system/files/unusable-path.ts";
import type { LoopLock } from "../../storage/home/loop-lock.ts";
import { approvePlan, createLock, isLocked } from "../../storage/home/loop-lock.ts";
import type { LockedLoop } from "../../storage/loops/locked-loop.ts";
import { openLocked } from "../../storage/loops/locked-loop.ts";
import { rememberProject } from "../../storage/home/known-projects.ts";
import { linkBelow } from "../../storage/home/own-folders.ts";
import type { Project } from "../../storage/home/project.ts";
import { createLoopFolder, createProjectFolder } from "../../storage/home/project.ts";
import { writeProjections } from "../../storage/home/projections.ts";
import { rememberSession } from "../../storage/home/session-index.ts";
import { openingStandpoint } from "../../storage/home/standpoint.ts";
import type { Workplace } from "../../storage/home/workplace.ts";
import { workplaceOf } from "../../storage/home/workplace.ts";
import type { TreeReading } from "../../system/tree/tree-digest.ts";
import { expectOpenable } from "./openable.ts";
import type { GuardedFiles } from "../stop/guarded-files.ts";
import { guardedFiles } from "../stop/guarded-files.ts";
import type { AskedHoldout } from "../../verify/holdouts/asked-holdout.ts";
import { keepHoldout } from "../../verify/holdouts/kept-holdout.ts";
import { takeOpening } from "../../verify/baseline/take-opening.ts";
import { checksOf, keepLaterOpening } from "./checks-of-loop.ts";
import { runRedFirst } from "./preflight.ts";
import { expectActive } from "../lifecycle/lifecycle.ts";
import type { SetLimits } from "./limits.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { startOfSpending } from "../stop/spending.ts";
import { rememberListOfSession } from "../compat/task-list-mirror.ts";
import { UserError } from "../../core/user-error.ts";

export interface AskedLoop {
  readonly spec: string;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly steps: readonly string[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly shape: Shape | null;
  /** How clear it is, if more than the spec says so. */
  readonly score?: SpecScore;
  readonly limits: SetLimits;
  /** Runs each check once after the opening, for callers without a preflight. */
  readonly redFirst: boolean;
  /** The results of the preflight, on the files as they were just before the opening. */
  readonly looked?: Examination;
  /** The guarded files as they were before the preflight; if left out, as they are at the opening. */
  readonly guarded?: GuardedFiles;
  readonly proof: ProofMode;
  /** Globs of tests and definitions that may change without approval. */
  readonly mayChange: readonly string[];
  /** Tests the agent never sees. */
  readonly holdout?: AskedHoldout | null;
  readonly nested: boolean;
  readonly binding: Binding | null;
  /** Where the work happens, if not where its caller stands. */
  readonly work?: Pick<LoopLock, "worktree"> & { readonly folder: string };
  /** The stages of a workflow, which may have no plan yet. */
  readonly stages?: EventOf<"stages.begun">;
  /** The plan of a workflow. */
  readonly plan?: EventOf<"plan.adopted">;
  /** What earlier loops taught about this spec. */
  readonly recall?: EventOf<"learnings.recalled">;
  /** The attempt at a task that the loop is. */
  readonly attemptOf?: AttemptOf;
  /** The name that the loop gets; without it, one made from its spec. */
  readonly id?: LoopId;
  /** Called with the new loop's id and the project's root before the journal begins. */
  readonly prepare?: (id: LoopId, root: string) => void;
}

/** Opens a loop: first locks its plan, then begins the journal, then notes it for the session. */
export async function openLoop(machine: Machine, asked: AskedLoop): Promise<LockedLoop> {
  const { outer, holdout } = await expectOpenable(machine, asked);
  if (outer !== null) return pushFrame(machine, outer, asked);

  const { project } = openingStandpoint(machine.cwd);
  createFolder(project);
  const work = workOf(machine, asked);
  const { worktree, folder } = work;
  const workplace = workplaceOf(project, worktree, folder);
  const guarded = asked.guarded ?? (await guardedFiles(workplace.root, asked));
  const { opened, tree } = await opening(machine, project, workplace, { ...asked, work }, guarded);
  const { protectedFiles, mustNotFiles } = guarded;
  const lock = { root: project.root, worktree, protectedFiles, mustNotFiles };
  const at = machine.now();
  const events = [
    opened,
    ...(asked.recall === undefined ? [] : [asked.recall]),
    ...(asked.stages === undefined ? [] : [asked.stages]),
    ...(asked.plan === undefined ? [] : [asked.plan]),
    ...lookedEvents(asked),
    ...(asked.binding === null ? [] : startOfSpending(machine, asked.binding.session)),
  ];
  const loop = evolveAll(null, events, at);
  createLock(machine.home, loop, lock);
  if (holdout !== null)
    await keepHoldout({ home: machine.home, root: project.root, id: opened.id }, holdout.found);
  await takeOpening(
    {
      place: { root: workplace.root, home: machine.home },
      which: { home: machine.home, root: project.root, id: opened.id, depth: 1 },
      folder,
      now: at,
      reading: tree,
      ...(asked.looked === undefined ? {} : { looked: asked.looked }),
    },
    checksOf(asked.criteria),
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
  writeProjections(project, loop, 1);
  const locked = await openLocked(machine, project, opened.id);
  if (locked === null) throw new Error("a loop that was just opened is not known");
  if (asked.redFirst && asked.looked === undefined) await runRedFirst(machine, locked, { tree });
  return locked;
}

/** Where the checks of a loop will run, if it is opened here. */
export function workplaceFor(machine: Machine, asked: Pick<AskedLoop, "work">): Workplace {
  const { worktree, folder } = workOf(machine, asked);
  return workplaceOf(openingStandpoint(machine.cwd).project, worktree, folder);
}

/** Where you stand counts. */
function workOf({ cwd }: Machine, { work }: Pick<AskedLoop, "work">): NonNullable<AskedLoop["work"]> {
  return work ?? { worktree: null, folder: openingStandpoint(cwd).folder };
}

function lookedEvents({ criteria, looked }: AskedLoop): readonly LoopEvent[] {
  return criteria.flatMap(({ name }): readonly LoopEvent[] => {
    const evidence = looked?.evidence.get(name);
    return evidence === undefined ? [] : [{ type: "check.ran", name, evidence, atStart: true }];
  });
}

export function scoreAsked(asked: Pick<AskedLoop, "spec" | "criteria" | "mustNots" | "protects">): SpecScore {
  return scoreSpec(asked.spec, {
    criteria: asked.criteria.map(({ name, check }) => ({ name, hasCheck: check !== null })),
    mustNots: asked.mustNots.map((each) =>
      each.kind === "path" ? each.glob : describeCommand(each.check.command),
    ),
    protects: asked.protects,
  });
}

async function pushFrame(machine: Machine, outer: LockedLoop, asked: AskedLoop): Promise<LockedLoop> {
  const by = callerNow(machine).kind;
  await keepLaterOpening(machine, outer, asked.criteria, { isFrame: true, looked: asked.looked });
  await outer.live.record((loop) => {
    expectActive(loop);
    const event: LoopEvent = { type: "frame.pushed", goal: innerGoal(loop, asked), by };
    approvePlan(machine.home, outer.live.project.root, evolveAll(loop, [event], machine.now()));
    return [event, ...lookedEvents(asked)];
  });
  if (asked.redFirst && asked.looked === undefined) await runRedFirst(machine, outer);
  return outer;
}

/** Money, tokens and time belong to the whole loop. Iterations are capped at what the outer frame has left. */
function innerGoal(loop: Loop, asked: AskedLoop): OpenedGoal {
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
  project: Project,
  { root }: Workplace,
  asked: AskedLoop & Required<Pick<AskedLoop, "work">>,
  { protectedDigest }: GuardedFiles,
): Promise<{ readonly opened: EventOf<"loop.opened">; readonly tree: TreeReading | null }> {
  const score = asked.score ?? scoreAsked(asked);
  const [tree, head] = await Promise.all([machine.git.readTree(root), machine.git.headCommit(root)]);
  const opened: EventOf<"loop.opened"> = {
    type: "loop.opened",
    id: asked.id ?? (await freshId(machine, project, asked.spec)),
    by: callerNow(machine).kind,
    origin: "native",
    folder: asked.work.folder,
    goal: goalOf(asked),
    score,
    shape: asked.shape ?? plainShape(score.total),
    limits: asked.limits.limits,
    mustNots: asked.mustNots,
    protects: asked.protects,
    protectedDigest,
    redFirst: true,
    proof: asked.proof,
    mayChange: asked.mayChange,
    start: { tree: tree?.digest ?? null, head },
    binding: asked.binding,
    attemptOf: asked.attemptOf ?? null,
  };
  return { opened, tree };
}

function goalOf(asked: AskedLoop): OpenedGoal {
  const { spec, exitRule, mode, criteria, steps } = asked;
  return { spec, exitRule, mode, iterationLimit: asked.limits.iterationLimit, criteria, steps };
}

async function freshId(machine: Machine, project: Project, spec: string): Promise<LoopId> {
  const taken = new Set<string>(await machine.journals(project).list());
  for (;;) {
    const id = createLoopId(spec, randomInt(36 ** 3, 36 ** 4).toString(36));
    if (!taken.has(id) && !isLocked(machine.home, project.root, id)) return id;
  }
}
