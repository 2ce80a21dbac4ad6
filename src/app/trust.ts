import { digestsOfMustNots } from "../checks/must-nots.ts";
import type { Check } from "../core/criterion.ts";
import { describeCommand } from "../core/criterion.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop, MustNot } from "../core/loop.ts";
import { topFrame } from "../core/loop.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { Journal } from "../journal/journal.ts";
import { createLock, readLock } from "../store/loop-lock.ts";
import type { ProjectConfig } from "../store/project-config.ts";
import { approveConfig, readConfig } from "../store/project-config.ts";
import type { Project } from "../store/project.ts";
import { findProject } from "../store/project.ts";
import { workplaceOf } from "../store/workplace.ts";
import { visible } from "../text/plain-text.ts";
import { pathDigests } from "../tree/path-digests.ts";
import { commandOf } from "../store/config-check.ts";
import { planOf } from "./config-plan.ts";
import { loopIdOf } from "../loops/choose-loop.ts";
import { inspectLoop } from "../loops/find-loop.ts";
import { expectPerson } from "./expect-person.ts";
import type { Machine } from "../loops/machine.ts";
import { UserError } from "../loops/user-error.ts";

/** Something of the project that waits for a person's approval, with all that it would do. */
export interface Untrusted {
  readonly what: string;
  readonly spec: string | null;
  /** Every command, word for word; nothing in them is hidden. */
  readonly commands: readonly string[];
  readonly approve: () => Promise<void>;
}

export interface Strangers {
  readonly untrusted: readonly Untrusted[];
  /** What cannot be approved, and why. */
  readonly unusable: readonly string[];
}

/** What is not trusted here, shown before anything of it is run. */
export async function findStrangers(machine: Machine, wanted: string | undefined): Promise<Strangers> {
  const project = findProject(machine.cwd);
  const untrusted: Untrusted[] = [];
  const unusable: string[] = [];
  if (wanted === undefined) {
    const config = readConfig(machine.home, project);
    if (config.type === "unreadable") unusable.push(`loop.config.json cannot be used: ${config.why}.`);
    if (config.type === "untrusted") {
      untrusted.push({
        what: "loop.config.json",
        spec: null,
        commands: linesOfConfig(config.config),
        approve: async () => approveConfig(machine.home, project, config.digest),
      });
    }
  }
  const journals = machine.journals(project);
  const ids = wanted === undefined ? await journals.list() : [await loopIdOf(machine, project, wanted)];
  for (const id of ids.toSorted()) {
    if ((await inspectLoop(machine, project, id)).type !== "untrusted") continue;
    const loop = await loadStrange(journals.of(id), id);
    if (typeof loop === "string") unusable.push(loop);
    else untrusted.push(strangeLoop(machine, project, loop));
  }
  return { untrusted, unusable };
}

export async function approveAll(machine: Machine, things: readonly Untrusted[]): Promise<void> {
  await expectPerson(machine, "trust", null);
  for (const thing of things) await thing.approve();
}

function strangeLoop(machine: Machine, project: Project, loop: Loop): Untrusted {
  return {
    what: `the loop ${loop.id}`,
    spec: topFrame(loop).spec,
    commands: [
      ...(loop.folder === "" ? [] : [`runs in: ${visible(loop.folder)}`]),
      ...linesOfPlan({
        criteria: loop.frames.flatMap((frame) => frame.criteria),
        mustNots: loop.mustNots,
        protects: loop.protects,
      }),
    ],
    approve: async () => {
      // Where this machine knew the loop before, what must not change is still held against that time.
      const known = readLock(machine.home, project.root, loop.id);
      const worktree = known?.worktree ?? null;
      const { root } = workplaceOf(project, worktree, loop.folder);
      createLock(machine.home, loop, {
        root: project.root,
        worktree,
        protectedFiles: await pathDigests({ root, globs: loop.protects }),
        mustNotFiles: known?.mustNotFiles ?? (await digestsOfMustNots(root, loop.mustNots)),
      });
    },
  };
}

/** Folds the whole journal: a stranger's snapshot is not believed. A text says why it cannot be read. */
async function loadStrange(journal: Journal, id: LoopId): Promise<Loop | string> {
  try {
    return (await journal.load({ fromScratch: true })).loop;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return `The loop ${id} cannot be approved: ${error.message}.`;
  }
}

function linesOfConfig(config: ProjectConfig): readonly string[] {
  try {
    const setup = (config.worktreeSetup ?? []).map(
      (each) => `worktree setup: ${visible(describeCommand(commandOf(each)))}`,
    );
    const accepts =
      config.accept === undefined ? [] : ["accepts weak: a run ends with 0 without being verified"];
    const notifies =
      config.notify === undefined ? [] : [`notify, when a run pauses or ends: ${visible(config.notify)}`];
    return [...linesOfPlan(planOf(config)), ...setup, ...accepts, ...notifies];
  } catch (error) {
    throw error instanceof UserError ? new UserError(`loop.config.json: ${error.message}`) : error;
  }
}

function linesOfPlan(plan: {
  readonly criteria: readonly { readonly name: string; readonly check: Check | null }[];
  readonly mustNots: readonly MustNot[];
  readonly protects: readonly string[];
}): readonly string[] {
  return [
    ...plan.criteria.flatMap(({ name, check }) =>
      check === null ? [] : [`${visible(name)}: ${checkText(check)}`],
    ),
    ...plan.mustNots.map((each) =>
      each.kind === "path"
        ? `must not change: ${visible(each.glob)}`
        : `must not fail: ${checkText(each.check)}`,
    ),
    ...plan.protects.map((glob) => `protected: ${visible(glob)}`),
  ];
}

function checkText({ command, timeoutMs, passEnv }: Check): string {
  const secrets = passEnv.length === 0 ? "" : `, and gets ${passEnv.map(visible).join(", ")}`;
  return `${visible(describeCommand(command))}  (within ${timeoutMs / 1000} s${secrets})`;
}
