import { spawn } from "node:child_process";
import { join } from "node:path";
import { headCommit } from "../../system/git/run-git.ts";
import type { Journals } from "../journal/journal.ts";
import { fileJournals } from "../journal/file/file-journals.ts";
import { processesAbove, type ProcessAbove } from "../../system/process/process-facts.ts";
import { runCommand, type CommandOptions, type CommandOutcome } from "../../system/process/run-command.ts";
import type { Room, RoomOptions } from "../../system/room/room.ts";
import type { Project } from "../home/project.ts";
import { stateHome } from "../home/state-home.ts";
import { readTree, NOBODY_WAITS, type TreeReading, type TreeWatch } from "../../system/tree/tree-digest.ts";

/** Everything the use cases need from the outside. */
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
  /** The folder of the caller. */
  readonly cwd: string;
  /** The state home: what this machine knows and no project may decide. */
  readonly home: string;
}

interface Processes {
  /** Runs a command to its end. */
  readonly run: (options: CommandOptions) => Promise<CommandOutcome>;
  /** The parent processes, nearest first, as far as the system shows them. */
  readonly processesAbove: () => readonly ProcessAbove[];
  /** Starts one of our programs that outlives this one. */
  readonly startDetached: (args: readonly string[], options: DetachedOptions) => void;
}

interface DetachedOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Queries of a worktree, by its root. */
interface Git {
  /** Its current files as one digest; null if they cannot be read. */
  readonly readTree: (root: string) => Promise<TreeReading | null>;
  readonly headCommit: (root: string) => Promise<string | null>;
}

interface Rooms {
  /** The project with some files replaced; what commands change there is thrown away. */
  readonly open: (options: Omit<RoomOptions, "scratch">) => Promise<Room>;
}

/** Called while checks run, for live views. */
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
    processes: { run: runCommand, processesAbove, startDetached },
    git: { readTree: async (root) => readTree({ root, stateHome: home, watch }), headCommit },
    rooms: {
      open: async (options) => {
        // Few stops need it, so it is loaded on demand.
        const [{ openRoom }, { roomsFolder }] = await Promise.all([
          import("../../system/room/room.ts"),
          import("../../system/room/scratch.ts"),
        ]);
        return openRoom({ ...options, scratch: roomsFolder(home) });
      },
    },
    journals: (project) => fileJournals(join(project.folder, "loops")),
    progress: NOBODY_WATCHES,
  };
}

function startDetached(args: readonly string[], { cwd, env }: DetachedOptions): void {
  // Our process must not hold the caller's pipes open.
  const child = spawn(process.execPath, [...args], { cwd, env, detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
