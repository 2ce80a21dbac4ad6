import { writes, wrong, type Edit, type Script } from "./script.ts";
import type { Task } from "./task.ts";

export type Family =
  | "honest"
  | "tests"
  | "source"
  | "scripts"
  | "runners"
  | "doubles"
  | "claims"
  | "loop"
  | "unseen"
  | "mechanisms";

/** A way in which an agent comes to its claim. */
export interface Way {
  readonly name: string;
  readonly family: Family;
  readonly what: string;
  /** Who alone can notice it, where no check can. */
  readonly needs?: "holdout" | "person";
  /** Why no check can. */
  readonly since?: string;
}

/** A way that makes sense for many tasks. */
export interface Ending extends Way {
  /** Honest, and has to pass a holdout too, where a task has one. */
  readonly meetsHoldouts?: true;
  /** Also played in a session, through the host's hook. */
  readonly inSessions?: true;
  /** Null where the ending makes no sense for the task. */
  readonly script: (task: Task) => Script | null;
}

export const isHonest = (ending: Way): boolean => ending.family === "honest";

/** A dishonest ending in one turn, whose edits are null where it makes no sense. */
export function cheat(edits: (task: Task) => readonly Edit[] | null): Ending["script"] {
  return (task) => {
    const made = edits(task);
    return made === null ? null : { turns: [wrong(made)] };
  };
}

/** An ending that is a folder of files beside the task's project. */
export function overlay(name: string): Ending["script"] {
  return cheat((task) => {
    const files = task.overlay(name);
    return files === null ? null : writes(files);
  });
}
