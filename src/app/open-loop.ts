import { randomInt } from "node:crypto";
import { digestOfProtected, runChecks } from "../checks/run-checks.ts";
import { digestsOfMustNots } from "../checks/must-nots.ts";
import type { Check } from "../core/criterion.ts";
import type { EventOf, LoopEvent, OpenedGoal } from "../core/event.ts";
import { evolveAll } from "../core/evolve.ts";
import type { LoopId } from "../core/id.ts";
import { createLoopId } from "../core/id.ts";
import type { Binding, ExitRule, Mode, MustNot, Shape } from "../core/loop.ts";
import { isDriven, topFrame } from "../core/loop.ts";
import { plainShape, scoreSpec } from "../rubric/score.ts";
import type { SpecScore } from "../rubric/score.ts";
import { callerOf } from "../hosts/caller.ts";
import { createJournal } from "../journal/create.ts";
import { errnoOf } from "../files/errno.ts";
import { approvePlan, createLock, readLock } from "../store/loop-lock.ts";
import { loadLoop, transact } from "../loops/loop-store.ts";
import type { Standing } from "../loops/loop-store.ts";
import { rememberProject } from "../store/known-projects.ts";
import type { Project } from "../store/project.ts";
import { createProjectFolder, findProject, journalPath } from "../store/project.ts";
import { writeProjections } from "../store/projections.ts";
import { rememberSession } from "../store/session-index.ts";
import { pathDigests } from "../tree/path-digests.ts";
import { parsePathGlob } from "../tree/path-glob.ts";
import { headCommit } from "../git/run-git.ts";
import { treeDigest } from "../tree/tree-digest.ts";
import { checkSiteOf } from "./check-site-of.ts";
import { recordExamination } from "./check-loop.ts";
import type { ChosenLoop } from "../loops/find-loop.ts";
import { inspectLoops, openLoopOfSession } from "../loops/find-loop.ts";
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
  readonly nested: boolean;
  readonly binding: Binding | null;
  /** Called with the new loop's id and the project's root before the journal begins, for what has to be known with it. */
  readonly prepare?: (id: LoopId, root: string) => void;
}

const SPEC_LIMIT = 1024 * 1024;

/** Opens a loop. What it is held to is locked first, then the journal begins, then the session is told. */
export async function openLoop(machine: Machine, asked: AskedLoop): Promise<Standing> {
  await expectSensible(asked);
  const project = findProject(machine.cwd);
  const outer = asked.binding === null ? null : openLoopOfSession(machine, asked.binding.session);
  if (outer !== null) return pushFrame(machine, outer, asked);
  if (asked.nested) throw new UserError("There is no open loop to nest in; leave out --nested.");

  createFolder(project);
  const opened = await opening(machine, project, asked);
  const files = {
    root: project.root,
    protectedFiles: await pathDigests({ root: project.root, globs: asked.protects }),
    mustNotFiles: await digestsOfMustNots(project.root, asked.mustNots),
  };
  const at = machine.now();
  const events = [opened, ...(asked.binding === null ? [] : startOfSpending(machine, asked.binding.session))];
  const loop = evolveAll(null, events, at);
  createLock(machine.home, loop, files);
  asked.prepare?.(opened.id, project.root);
  rememberListOfSession(machine, project.root, loop);
  createJournal(journalPath(project, opened.id), at, events);
  if (asked.binding !== null) {
    rememberSession(machine.home, asked.binding.session, { root: project.root, loop: opened.id });
  }
  rememberProject(machine.home, project.root, at);
  writeProjections(project, loop, 1);
  const standing = loadLoop(project, opened.id);
  return asked.redFirst ? lookFirst(machine, standing) : standing;
}

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

async function pushFrame(machine: Machine, outer: ChosenLoop, asked: AskedLoop): Promise<Standing> {
  if (!asked.nested) {
    throw new UserError(
      `This session already has the loop ${outer.id}; add --nested to work on something inside it, or cancel it first: loop cancel --loop ${outer.id}`,
    );
  }
  if (isDriven(outer.standing.loop))
    throw new UserError(
      "A loop that is driven from outside has one level; add a step instead: loop step add NAME",
    );
  const goal = goalOf(asked);
  const by = callerOf(machine.env).kind;
  const { standing } = await transact(outer.standing, machine.now, (loop) => {
    expectActive(loop);
    const event: LoopEvent = { type: "frame.pushed", goal, by };
    approvePlan(machine.home, outer.standing.project.root, evolveAll(loop, [event], machine.now()));
    return { events: [event], result: undefined };
  });
  return asked.redFirst ? lookFirst(machine, standing) : standing;
}

function createFolder(project: Project): void {
  try {
    createProjectFolder(project);
  } catch (error) {
    throw new UserError(
      `${project.folder} cannot be written (${errnoOf(error) ?? "unknown error"}); check the folder's rights.`,
      { cause: error },
    );
  }
}

async function opening(
  machine: Machine,
  project: Project,
  asked: AskedLoop,
): Promise<EventOf<"loop.opened">> {
  const score = scoreAsked(asked);
  const [tree, head, protectedDigest] = await Promise.all([
    treeDigest({ root: project.root, stateHome: machine.home }),
    headCommit(project.root),
    digestOfProtected({ root: project.root, protects: asked.protects }),
  ]);
  return {
    type: "loop.opened",
    id: freshId(machine, project, asked.spec),
    by: callerOf(machine.env).kind,
    origin: "native",
    folder: "",
    goal: goalOf(asked),
    score,
    shape: asked.shape ?? plainShape(score.total),
    limits: asked.limits.limits,
    mustNots: asked.mustNots,
    protects: asked.protects,
    protectedDigest,
    redFirst: asked.redFirst,
    start: { tree, head },
    binding: asked.binding,
  };
}

function goalOf(asked: AskedLoop): OpenedGoal {
  const { spec, exitRule, mode, criteria, steps } = asked;
  return { spec, exitRule, mode, iterationLimit: asked.limits.iterationLimit, criteria, steps };
}

function freshId(machine: Machine, project: Project, spec: string): LoopId {
  const taken = new Set<string>(inspectLoops(machine, project).map((each) => each.id));
  for (;;) {
    const id = createLoopId(spec, randomInt(36 ** 3, 36 ** 4).toString(36));
    if (!taken.has(id) && readLock(machine.home, project.root, id) === null) return id;
  }
}

/** Red first: each check is run once before the work, so that it is known what was true already. */
export async function lookFirst(machine: Machine, standing: Standing): Promise<Standing> {
  const checks = topFrame(standing.loop).criteria.flatMap(({ name, check }) =>
    check === null ? [] : [{ name, check }],
  );
  const examination = await runChecks(checkSiteOf(machine, standing.project, standing.loop), checks);
  return recordExamination(machine, standing, checks, examination, { atStart: true });
}
