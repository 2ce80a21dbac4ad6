import { isDriven, type Binding } from "../../core/loop/loop.ts";
import { accessSync, constants, existsSync, mkdirSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { isFolderBelowRoot } from "../../core/loop/folder.ts";
import { UserError } from "../../core/user-error.ts";
import { linkBelow, openingCallerLocation, workingDirectoryOf } from "../../storage/home/project.ts";
import type { Project, CallerLocation, WorkingDirectory } from "../../storage/home/project.ts";
import { userHome } from "../../storage/home/state-home.ts";
import { expectNoNewerLoop, openLoopOfSession, type KnownLoop } from "../../storage/loops/known-loop.ts";
import type { Machine } from "../../storage/loops/machine.ts";
import { oneLine } from "../../system/text/plain-text.ts";
import { parsePathGlob } from "../../system/tree/path-glob.ts";
import { lookAtHoldout, type FoundHoldout } from "../../verify/holdouts/look-at-holdout.ts";
import type { AskedGoal, AskedLoop, AskedRules, AskedWork, NestedFrame, WholeLoop } from "./asked-loop.ts";
import { criteriaOf, stepsOf } from "./asked-loop.ts";

const SPEC_LIMIT = 1024 * 1024;

/** A loop that can be opened, and where it works. */
export interface OpenableLoop<Asked extends WholeLoop = WholeLoop> {
  readonly type: "loop";
  readonly asked: Asked;
  readonly project: Project;
  readonly work: AskedWork;
  readonly workingDirectory: WorkingDirectory;
  readonly holdout: { readonly found: FoundHoldout | null } | null;
}

/** A frame, and the loop it goes into. */
export interface OpenableFrame {
  readonly type: "frame";
  readonly asked: NestedFrame;
  readonly outer: KnownLoop;
  readonly workingDirectory: WorkingDirectory;
}

export async function expectOpenable<Asked extends WholeLoop>(
  machine: Machine,
  asked: Asked,
): Promise<OpenableLoop<Asked>>;
export async function expectOpenable<Asked extends WholeLoop>(
  machine: Machine,
  asked: Asked | NestedFrame,
): Promise<OpenableLoop<Asked> | OpenableFrame>;

/** Throws if it cannot be opened, before anything runs or is written. */
export async function expectOpenable(
  machine: Machine,
  asked: AskedLoop,
): Promise<OpenableLoop | OpenableFrame> {
  const goal = { spec: asked.spec, criteria: criteriaOf(asked), steps: stepsOf(asked) };
  await expectSensible(machine, goal, asked.kind === "frame" ? null : asked);
  const { project, folder } = openingCallerLocation(machine.cwd);
  const link = linkBelow(project, null);
  if (link !== null) throw new UserError(`${link}.`);
  expectWritable(machine.home, project);
  if (asked.binding !== null) await expectNoNewerLoop(machine, asked.binding.session);
  if (asked.kind === "frame") {
    const outer = asked.binding === null ? null : await openLoopOfSession(machine, asked.binding.session);
    if (outer === null) throw new UserError("No open loop to nest in; leave out --nested.");
    if (isDriven(outer.live.loop))
      throw new UserError("A driven loop cannot nest; add a step instead: loop step add NAME");
    return {
      type: "frame",
      outer,
      asked: inFrameOf(machine, outer, asked),
      workingDirectory: outer.workingDirectory,
    };
  }
  await expectFreeSession(machine, asked.binding);
  // Where you stand counts.
  const work = ("work" in asked ? asked.work : undefined) ?? { worktree: null, folder };
  const workingDirectory = workingDirectoryOf(project, work.worktree, work.folder);
  return {
    type: "loop",
    asked,
    project,
    work,
    workingDirectory,
    holdout: await holdoutOf(project, asked, work),
  };
}

/** Without these folders nothing of the loop can be kept; the error names the path. */
function expectWritable(home: string, { folder, root }: Project): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const each of [home, existsSync(folder) ? folder : root]) accessSync(each, constants.W_OK);
}

/** Throws if the session has a loop. Asked again after a preflight, which may take minutes. */
export async function expectFreeSession(machine: Machine, binding: Binding | null): Promise<void> {
  const other = binding === null ? null : await openLoopOfSession(machine, binding.session);
  if (other === null) return;
  throw new UserError(
    `This session already has the loop ${other.id}; add --nested to open one inside it, or cancel it first: loop cancel --loop ${other.id}`,
  );
}

/** If the tests cannot be held out, nothing is written and no loop opens. */
async function holdoutOf(
  { root }: Project,
  asked: WholeLoop,
  { worktree }: AskedWork,
): Promise<{ readonly found: FoundHoldout | null } | null> {
  const holdout = asked.kind === "attempt" ? null : (asked.holdout ?? null);
  if (holdout === null) return null;
  if (holdout.type === "unknown") return { found: null };
  return { found: await lookAtHoldout(holdout, [root, worktree ?? root]) };
}

/** A frame works where its loop does, and its checks run where they were typed. */
function inFrameOf(
  { cwd }: Pick<Machine, "cwd">,
  { live, workingDirectory }: KnownLoop,
  asked: NestedFrame,
): NestedFrame {
  const folder = folderBelow(workingDirectory.root, cwd);
  if (folder === null || folder === live.loop.folder) return asked;
  const criteria = asked.criteria.map(({ name, check }) => ({
    name,
    check: check === null ? null : { ...check, folder },
  }));
  return { ...asked, criteria };
}

/** null: it lies elsewhere, where no check of this loop runs. */
function folderBelow(root: string, path: string): string | null {
  const inside = relative(realpathSync(root), realpathSync(path)).split(sep).join("/");
  return isAbsolute(inside) || /^\.git(?:\/|$)/.test(inside) || !isFolderBelowRoot(inside) ? null : inside;
}

/** Throws if what is asked for makes no loop, wherever it is opened. */
export async function expectSensible(
  { cwd }: Pick<Machine, "cwd">,
  asked: Pick<AskedGoal, "spec" | "criteria" | "steps">,
  globs: Globs | null,
): Promise<void> {
  if (asked.spec.trim() === "")
    throw new UserError('The spec is empty. Say what you want, such as "Fix the failing tests".');
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
  if (globs !== null) await expectGlobs(globs, openingCallerLocation(cwd).folder);
}

type Globs = Pick<AskedRules, "protects" | "mayChange" | "mustNots">;

/** Globs are read before anything is written. */
async function expectGlobs(asked: Globs, folder: string): Promise<void> {
  const globs = [
    ...asked.protects,
    ...asked.mayChange,
    ...asked.mustNots.flatMap((each) => (each.kind === "path" ? [each.glob] : [])),
  ];
  const base = folder === "" ? "the project's root" : "the folder you are in";
  for (const glob of globs) {
    try {
      await parsePathGlob(glob);
    } catch (error) {
      throw new UserError(
        `${error instanceof Error ? error.message : String(error)}; give a path or glob relative to ${base}.`,
        { cause: error },
      );
    }
  }
}

/**
 * Where a loop is opened, or why not, before anybody is asked anything. A nested one goes into a project that is there already. `here`:
 * the user means the home folder, or the whole machine.
 */
export function expectCallerLocation(
  { cwd, env }: Pick<Machine, "cwd" | "env">,
  { nested, here }: { readonly nested: boolean; readonly here: boolean },
): CallerLocation {
  const callerLocation = openingCallerLocation(cwd);
  if (nested) return callerLocation;
  expectUsableFolder(callerLocation);
  const what = here ? null : whatItWouldTake(callerLocation, userHome(env));
  if (what === null) return callerLocation;
  const instead =
    callerLocation.folder === "" ? "go to the folder of one project" : "run git init in this folder";
  throw new UserError(
    `The project would be ${what}, with every file in it; ${instead}, or add --here if you mean all of it.`,
  );
}

function whatItWouldTake({ project: { root }, folder }: CallerLocation, home: string | null): string | null {
  const around = folder === "" ? "" : ", which is the git repository around this folder";
  if (home !== null && root === resolved(home)) return `your home folder, ${oneLine(root, 200)}${around}`;
  return root === "/" ? `the whole machine, /${around}` : null;
}

function expectUsableFolder({ project: { root }, folder }: CallerLocation): void {
  const own = /^\.(?:git|loop)(?=\/|$)/.exec(folder)?.[0];
  if (own !== undefined)
    throw new UserError(
      `This folder belongs to ${own}, which no agent works in; go to ${oneLine(root, 200)} or a folder of its files.`,
    );
  if (!isFolderBelowRoot(folder))
    throw new UserError(
      "A loop cannot keep this folder's path, which is too long or has a backslash in it; go to a folder above it.",
    );
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
