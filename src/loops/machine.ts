import { spawn } from "node:child_process";
import { join } from "node:path";
import { headCommit } from "../git/run-git.ts";
import type { Journals } from "../journal/journal.ts";
import { journalsOf } from "../journal/journals.ts";
import { environmentsAbove } from "../process/ancestors.ts";
import type { CommandOptions, CommandOutcome } from "../process/run-command.ts";
import { runCommand } from "../process/run-command.ts";
import type { Room, RoomOptions } from "../room/room.ts";
import type { Project } from "../store/project.ts";
import { stateHome } from "../store/state-home.ts";
import type { TreeReading } from "../tree/tree-digest.ts";
import { readTree } from "../tree/tree-digest.ts";
import { NOBODY_WAITS, type TreeWatch } from "../tree/tree-watch.ts";

/** The outside, as far as the use cases need it: all of it, on this page. */
export interface Machine extends Clock, Environment {
  readonly processes: Processes;
  readonly git: Git;
  readonly rooms: Rooms;
  readonly journals: (project: Project) => Journals;
  readonly progress: Progress;
}

interface Clock {
  readonly now: () => number;
}

interface Environment {
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which somebody called. */
  readonly cwd: string;
  /** The state home: what this machine knows and no project may say. */
  readonly home: string;
}

interface Processes {
  /** Runs a command to its end. */
  readonly run: (options: CommandOptions) => Promise<CommandOutcome>;
  /** What the processes above this one were started with, the nearest first, as far as the system tells. */
  readonly environmentsAbove: () => readonly NodeJS.ProcessEnv[];
  /** Starts a program of ours that goes on when this one ends. */
  readonly startDetached: (args: readonly string[], options: DetachedOptions) => void;
}

interface DetachedOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What is asked of a worktree, by its root. */
interface Git {
  /** Its files at this moment, as one digest; null when they cannot be read. */
  readonly readTree: (root: string) => Promise<TreeReading | null>;
  readonly headCommit: (root: string) => Promise<string | null>;
}

interface Rooms {
  /** The project with some of its files replaced, where nothing that commands change is kept. */
  readonly open: (options: Omit<RoomOptions, "scratch">) => Promise<Room>;
}

/** Told while checks run, for those who watch. */
interface Progress {
  readonly checkBegins: (name: string) => void;
  readonly checkEnds: (name: string, passed: boolean) => void;
}

const NOBODY_WATCHES: Progress = { checkBegins: () => undefined, checkEnds: () => undefined };

export function createMachine(
  env: NodeJS.ProcessEnv,
  cwd: string,
  watchFrom: (home: string) => TreeWatch = () => NOBODY_WAITS,
): Machine {
  const home = stateHome(env);
  const watch = watchFrom(home);
  return {
    env,
    cwd,
    home,
    now: Date.now,
    processes: { run: runCommand, environmentsAbove, startDetached },
    git: { readTree: async (root) => readTree({ root, stateHome: home, watch }), headCommit },
    rooms: {
      open: async (options) => {
        // Few stops need it, so none of the others loads it.
        const [{ openRoom }, { roomsFolder }] = await Promise.all([
          import("../room/room.ts"),
          import("../room/scratch.ts"),
        ]);
        return openRoom({ ...options, scratch: roomsFolder(home) });
      },
    },
    journals: (project) => journalsOf(join(project.folder, "loops")),
    progress: NOBODY_WATCHES,
  };
}

function startDetached(args: readonly string[], { cwd, env }: DetachedOptions): void {
  // Nothing of ours may hold the caller's pipes open.
  const child = spawn(process.execPath, [...args], { cwd, env, detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
