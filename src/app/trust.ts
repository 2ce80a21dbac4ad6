import type { CommandLine } from "../core/criterion.ts";
import { describeCommand } from "../core/criterion.ts";
import type { LoopId } from "../core/id.ts";
import type { Loop } from "../core/loop.ts";
import { describeMustNot, topFrame } from "../core/loop.ts";
import { digestsOfMustNots } from "../checks/must-nots.ts";
import { JournalError } from "../journal/journal-error.ts";
import { loadJournal } from "../journal/load.ts";
import { createLock } from "../store/loop-lock.ts";
import type { ProjectConfig } from "../store/project-config.ts";
import { approveConfig, readConfig } from "../store/project-config.ts";
import { findProject, journalPath, listLoopIds } from "../store/project.ts";
import { pathDigests } from "../worktree/path-digests.ts";
import { inspectLoop, loopIdOf } from "./find-loop.ts";
import { expectPerson } from "./guard.ts";
import type { Machine } from "./machine.ts";
import { UserError } from "./user-error.ts";

/** Something of the project that waits for a person's approval, with every command that it would run. */
export interface Untrusted {
  readonly what: string;
  readonly spec: string | null;
  readonly commands: readonly string[];
  readonly approve: () => Promise<void>;
}

/** What is not trusted here, shown before anything of it is run. */
export function untrustedThings(machine: Machine, wanted: string | undefined): readonly Untrusted[] {
  const project = findProject(machine.cwd);
  const things: Untrusted[] = [];
  const config = readConfig(machine.home, project);
  if (config.type === "unreadable") throw new UserError(`loop.config.json cannot be used: ${config.why}.`);
  if (config.type === "untrusted" && wanted === undefined) {
    things.push({
      what: "loop.config.json",
      spec: null,
      commands: commandsOfConfig(config.config),
      approve: async () => approveConfig(machine.home, project, config.digest),
    });
  }
  const ids = wanted === undefined ? listLoopIds(project) : [loopIdOf(project, wanted)];
  for (const id of ids) {
    if (inspectLoop(machine, project, id).type !== "untrusted") continue;
    const loop = loadStrange(id, journalPath(project, id));
    things.push({
      what: `the loop ${id}`,
      spec: topFrame(loop).spec,
      commands: commandsOfLoop(loop),
      approve: async () => {
        createLock(machine.home, loop, {
          root: project.root,
          protectedFiles: await pathDigests({ root: project.root, globs: loop.protects }),
          mustNotFiles: await digestsOfMustNots(project.root, loop.mustNots),
        });
      },
    });
  }
  return things;
}

export async function approveAll(machine: Machine, things: readonly Untrusted[]): Promise<void> {
  await expectPerson(machine, "loop trust", null);
  for (const thing of things) await thing.approve();
}

/** Folds the whole journal: a stranger's snapshot is not believed. */
function loadStrange(id: LoopId, path: string): Loop {
  try {
    return loadJournal(path, { fromScratch: true }).loop;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    throw new UserError(`The loop ${id} cannot be approved: ${error.message}.`, { cause: error });
  }
}

function commandsOfLoop(loop: Loop): readonly string[] {
  const checks = loop.frames.flatMap((frame) =>
    frame.criteria.flatMap(({ name, check }) =>
      check === null ? [] : [`${name}: ${describeCommand(check.command)}`],
    ),
  );
  const mustNots = loop.mustNots.map(
    (each) => `must not: ${describeMustNot(each, (check) => describeCommand(check.command))}`,
  );
  return [...checks, ...mustNots];
}

function commandsOfConfig(config: ProjectConfig): readonly string[] {
  const checks = Object.entries(config.checks ?? {}).map(([name, check]) => {
    const run = typeof check === "object" && "run" in check ? check.run : check;
    return `${name}: ${describeCommand(commandOf(run))}`;
  });
  const mustNots = (config.mustNot ?? []).map((each) => `must not: ${each}`);
  const setup = (config.worktreeSetup ?? []).map(
    (each) => `worktree setup: ${describeCommand(commandOf(each))}`,
  );
  return [...checks, ...mustNots, ...setup];
}

export function commandOf(command: string | readonly string[]): CommandLine {
  if (typeof command === "string") return { kind: "shell", line: command };
  const [program, ...rest] = command;
  if (program === undefined) throw new UserError("A command of loop.config.json is an empty list.");
  return { kind: "argv", argv: [program, ...rest] };
}
