import { randomInt } from "node:crypto";
import { digestOfProtected } from "../checks/run-checks.ts";
import { digestsOfMustNots } from "../checks/must-nots.ts";
import type { Check } from "../core/criterion.ts";
import type { EventOf, LoopEvent, OpenedGoal } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import type { LoopId } from "../core/id.ts";
import { createLoopId } from "../core/id.ts";
import type { Binding, ExitRule, Mode, MustNot, Shape } from "../core/loop.ts";
import { isDriven } from "../core/loop.ts";
import type { ProofMode } from "../core/proof.ts";
import { plainShape, scoreSpec } from "../rubric/score.ts";
import type { SpecScore } from "../rubric/score.ts";
import { callerOf } from "../hosts/caller.ts";
import { errnoOf } from "../files/errno.ts";
import { UnusablePath } from "../files/unusable-path.ts";
import type { LoopLock } from "../store/loop-lock.ts";
import { approvePlan, createLock, isLocked } from "../store/loop-lock.ts";
import type { LockedLoop } from "../loops/locked-loop.ts";
import { openLocked } from "../loops/locked-loop.ts";
import { rememberProject } from "../store/known-projects.ts";
import type { Project } from "../store/project.ts";
import { createLoopFolder, createProjectFolder, findProject } from "../store/project.ts";
import { writeProjections } from "../store/projections.ts";
import { rememberSession } from "../store/session-index.ts";
import type { Workplace } from "../store/workplace.ts";
import { workplaceOf } from "../store/workplace.ts";
import { pathDigests } from "../tree/path-digests.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import { parsePathGlob } from "../tree/path-glob.ts";
import type { AskedHoldout } from "../holdouts/asked-holdout.ts";
import { keepHoldout } from "../holdouts/kept-holdout.ts";
import type { FoundHoldout } from "../holdouts/look-at-holdout.ts";
import { lookAtHoldout } from "../holdouts/look-at-holdout.ts";
import { takeOpening } from "../openings/take-opening.ts";
import { checksOf, keepLaterOpening } from "./keep-opening.ts";
import { runRedFirst } from "./red-first.ts";

import { expectNoNewerLoop, openLoopOfSession } from "../loops/find-loop.ts";
import { expectActive } from "./lifecycle.ts";
import type { SetLimits } from "./limits.ts";
import type { Machine } from "../loops/machine.ts";
import { startOfSpending } from "./spending.ts";
import { rememberListOfSession } from "../adoption/task-list-mirror.ts";
import { UserError } from "../loops/user-error.ts";

export interface AskedLoop {
  readonly spec: string;
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly steps: readonly string[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
  readonly exitRule: ExitRule;
  readonly mode: Mode;
  readonly shape: Shape | null;
  readonly limits: SetLimits;
  readonly redFirst: boolean;
  readonly proof: ProofMode;
  /** Globs of tests and definitions that may change without anybody's approval. */
  readonly mayChange: readonly string[];
  /** Tests that the agent is never shown. */
  readonly holdout?: AskedHoldout | null;
  readonly nested: boolean;
  readonly binding: Binding | null;
  /** Where the work happens, if not in the project's own root. */
  readonly work?: Pick<LoopLock, "worktree"> & { readonly folder: string };
  /** Called with the new loop's id and the project's root before the journal begins, for what has to be known with it. */
  readonly prepare?: (id: LoopId, root: string) => void;
}

const SPEC_LIMIT = 1024 * 1024;

/** Opens a loop. What it is held to is locked first, then the journal begins, then the session is told. */
export async function openLoop(machine: Machine, asked: AskedLoop): Promise<LockedLoop> {
  await expectSensible(asked);
  const project = findProject(machine.cwd);
  if (asked.binding !== null) await expectNoNewerLoop(machine, asked.binding.session);
  const outer = asked.binding === null ? null : await openLoopOfSession(machine, asked.binding.session);
  if (outer !== null) return pushFrame(machine, outer, asked);
  if (asked.nested) throw new UserError("There is no open loop to nest in; leave out --nested.");

  const holdout = await holdoutOf(project, asked);
  createFolder(project);
  const { worktree, folder } = asked.work ?? IN_THE_ROOT;
  const workplace = workplaceOf(project, worktree, folder);
  const { opened, tree } = await opening(machine, project, workplace, asked);
  const lock = {
    root: project.root,
    worktree,
    protectedFiles: await pathDigests({ root: workplace.root, globs: asked.protects }),
    mustNotFiles: await digestsOfMustNots(workplace.root, asked.mustNots),
  };
  const at = machine.now();
  const events = [opened, ...(asked.binding === null ? [] : startOfSpending(machine, asked.binding.session))];
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
  if (asked.redFirst) await runRedFirst(machine, locked, { tree });
  return locked;
}

/** Before anything is written: what cannot be held out opens nothing. */
async function holdoutOf(
  { root }: Project,
  { holdout = null, work }: AskedLoop,
): Promise<{ readonly found: FoundHoldout | null } | null> {
  if (holdout === null) return null;
  if (holdout.type === "unknown") return { found: null };
  return { found: await lookAtHoldout(holdout, [root, work?.worktree ?? root]) };
}

const IN_THE_ROOT = { worktree: null, folder: "" };

export function scoreAsked(asked: Pick<AskedLoop, "spec" | "criteria" | "mustNots" | "protects">): SpecScore {
  return scoreSpec(asked.spec, {
    criteria: asked.criteria.map(({ name, check }) => ({ name, hasCheck: check !== null })),
    mustNots: asked.mustNots.map((each) => (each.kind === "path" ? each.glob : "a command")),
    protects: asked.protects,
  });
}

async function expectSensible(asked: AskedLoop): Promise<void> {
  if (asked.spec.trim() === "")
    throw new UserError('Say what you want, for example: loop start "Fix the failing tests"');
  if (asked.spec.length > SPEC_LIMIT)
    throw new UserError("The spec is larger than 1 MB; put the details into files of the project.");
  for (const [what, names] of [
    ["criteria", asked.criteria.map(({ name }) => name)],
    ["steps", asked.steps],
  ] as const) {
    if (names.some((name) => name.trim() === "")) throw new UserError(`One of the ${what} has no name.`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new UserError(`Two ${what} are called "${twice.slice(0, 80)}"; give each its own name.`);
  }
  await expectGlobs(asked);
}

/** Globs are read before anything is written. */
async function expectGlobs(asked: AskedLoop): Promise<void> {
  const globs = [
    ...asked.protects,
    ...asked.mayChange,
    ...asked.mustNots.flatMap((each) => (each.kind === "path" ? [each.glob] : [])),
  ];
  for (const glob of globs) {
    try {
      await parsePathGlob(glob);
    } catch (error) {
      throw new UserError(
        `${error instanceof Error ? error.message : String(error)}; give a path or glob relative to the project's root.`,
        { cause: error },
      );
    }
  }
}

async function pushFrame(machine: Machine, outer: LockedLoop, asked: AskedLoop): Promise<LockedLoop> {
  if (!asked.nested) {
    throw new UserError(
      `This session already has the loop ${outer.id}; add --nested to work on something inside it, or cancel it first: loop cancel --loop ${outer.id}`,
    );
  }
  if (isDriven(outer.live.loop))
    throw new UserError(
      "A loop that is driven from outside has one level; add a step instead: loop step add NAME",
    );
  const goal = goalOf(asked);
  const by = callerOf(machine.env).kind;
  await keepLaterOpening(machine, outer, asked.criteria, { isFrame: true });
  await outer.live.record((loop) => {
    expectActive(loop);
    const event: LoopEvent = { type: "frame.pushed", goal, by };
    approvePlan(machine.home, outer.live.project.root, evolveAll(loop, [event], machine.now()));
    return [event];
  });
  if (asked.redFirst) await runRedFirst(machine, outer);
  return outer;
}

function createFolder(project: Project): void {
  try {
    createProjectFolder(project);
  } catch (error) {
    if (error instanceof UnusablePath) throw error;
    throw new UserError(
      `${project.folder} cannot be written (${errnoOf(error) ?? "unknown error"}); check the folder's rights.`,
      { cause: error },
    );
  }
}

async function opening(
  machine: Machine,
  project: Project,
  { root }: Workplace,
  asked: AskedLoop,
): Promise<{ readonly opened: EventOf<"loop.opened">; readonly tree: TreeReading | null }> {
  const score = scoreAsked(asked);
  const [tree, head, protectedDigest] = await Promise.all([
    machine.git.readTree(root),
    machine.git.headCommit(root),
    digestOfProtected({ root, protects: asked.protects }),
  ]);
  const opened: EventOf<"loop.opened"> = {
    type: "loop.opened",
    id: await freshId(machine, project, asked.spec),
    by: callerOf(machine.env).kind,
    origin: "native",
    folder: asked.work?.folder ?? "",
    goal: goalOf(asked),
    score,
    shape: asked.shape ?? plainShape(score.total),
    limits: asked.limits.limits,
    mustNots: asked.mustNots,
    protects: asked.protects,
    protectedDigest,
    redFirst: asked.redFirst,
    proof: asked.proof,
    mayChange: asked.mayChange,
    start: { tree: tree?.digest ?? null, head },
    binding: asked.binding,
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
